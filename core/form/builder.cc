#include "core/form/builder.h"

#include <algorithm>

#include "core/form/signature.h"
#include "core/tensor/tensor.h"

namespace passdiff {

void SeqBuilder::begin_block(bool dataflow) {
  if (!blocks_.empty() && blocks_.back().bindings.empty()) blocks_.pop_back();
  // TVMScript cannot tell two plain blocks in a row from one, and TVM's normaliser merges them.
  if (!dataflow && !blocks_.empty() && !blocks_.back().dataflow) return;
  blocks_.push_back({.dataflow = dataflow, .bindings = {}});
}

Var SeqBuilder::emit(ExprPtr value, bool output, std::string_view name) {
  Type type = value->type;
  return bind(std::move(value), std::move(type), std::nullopt, output, name);
}

Var SeqBuilder::emit_declared(ExprPtr value, Type declared, bool output, std::string_view name) {
  return bind(std::move(value), std::move(declared), std::nullopt, output, name);
}

Var SeqBuilder::emit_match_cast(ExprPtr value, Type type, bool output, std::string_view name) {
  Type declared = type;
  return bind(std::move(value), std::move(declared), std::move(type), output, name);
}

Var SeqBuilder::bind(ExprPtr value, Type declared, std::optional<Type> cast, bool output,
                     std::string_view name) {
  if (blocks_.empty()) begin_block(false);
  Block& block = blocks_.back();
  Var var = make_var(fresh(name), std::move(declared), block.dataflow && !output);
  block.bindings.push_back({.var = var, .value = std::move(value), .match_cast = std::move(cast)});
  return var;
}

SeqExpr SeqBuilder::finish(ExprPtr result) {
  if (!blocks_.empty() && blocks_.back().bindings.empty()) blocks_.pop_back();
  return {.blocks = std::move(blocks_), .result = std::move(result)};
}

std::string SeqBuilder::fresh(std::string_view name) {
  const std::string base(name.empty() ? std::string_view(prefix_) : name);
  std::string candidate = base;
  if (name.empty() && next_ > 0) candidate += std::to_string(next_);
  while (std::find(used_.begin(), used_.end(), candidate) != used_.end()) {
    candidate = base + std::to_string(++next_);
  }
  if (name.empty()) ++next_;
  used_.push_back(candidate);
  return candidate;
}

ExprPtr make_constant(Tensor tensor, std::optional<Sharding> sharding) {
  const std::vector<std::int64_t> sizes = tensor.shape();
  TensorType type{Shape(sizes.begin(), sizes.end()), static_cast<int>(sizes.size()), tensor.dtype, std::nullopt, std::move(sharding)};
  return make_expr(Constant{make_tensor(std::move(tensor))}, std::move(type));
}

Result<ExprPtr> make_tuple_get_item(ExprPtr tuple, int index) {
  const TupleType* type = tuple->type.as_tuple();
  if (type == nullptr) {
    return Error{"type.tuple-index", "tuple item: " + to_string(tuple->type) + " is no tuple"};
  }
  const int size = static_cast<int>(type->fields.size());
  if (index < 0 || index >= size) {
    return Error{"type.tuple-index", "tuple item: index " + std::to_string(index) +
                                         " is outside a tuple of " + std::to_string(size)};
  }
  Type field = type->fields[static_cast<std::size_t>(index)];
  return make_expr(TupleGetItem{std::move(tuple), index}, std::move(field));
}

ExprPtr make_prim_float(double value, DType dtype) {
  return make_expr(PrimValue{dtype, value}, prim_type(dtype));
}

ExprPtr make_global(const Module& module, std::string_view name) {
  if (const GlobalPrimFunc* prim_func = module.find_prim_func(name))
    return make_expr(GlobalRef{prim_func->name}, type_of(*prim_func->function));
  const GlobalFunction* found = module.find(name);
  CHECK(found != nullptr) << "no function " << name << " in the module";
  return make_expr(GlobalRef{found->name}, type_of(*found->function));
}

Result<ExprPtr> call_function(ExprPtr callee, std::vector<ExprPtr> args) {
  if (const ExternFunc* external = as<ExternFunc>(callee)) {
    return call_extern(external->name, std::move(args), {});
  }
  const FuncType* signature = callee->type.as_func();
  if (signature == nullptr) {
    return Error{"type.argument", "call: the callee has type " + to_string(callee->type)};
  }
  Type result = TRY(call_result_type(*signature, args));
  Callee target = callee;
  if (const GlobalRef* global = as<GlobalRef>(callee)) target = *global;
  return make_expr(Call{std::move(target), std::move(args), {}, {}}, std::move(result));
}

Result<ExprPtr> call_global(std::string name, const Type& func_type, std::vector<ExprPtr> args) {
  const FuncType* signature = func_type.as_func();
  CHECK(signature != nullptr) << name << " has type " << to_string(func_type);
  Result<Type> result = call_result_type(*signature, args);
  if (!result) return Error{result.error().code, name + ": " + result.error().message};
  return make_expr(Call{GlobalRef{std::move(name)}, std::move(args), {}, {}}, std::move(*result));
}

ExprPtr make_extern_func(std::string name) {
  Type type = FuncType{.params = std::nullopt, .result = object_type(), .pure = false};
  return make_expr(ExternFunc{std::move(name)}, std::move(type));
}

ExprPtr call_extern(std::string name, std::vector<ExprPtr> args, std::vector<Type> type_args) {
  Type type = extern_result_type(type_args);
  return make_expr(Call{ExternFunc{std::move(name)}, std::move(args), {}, std::move(type_args)},
                   std::move(type));
}

Result<ExprPtr> make_if(ExprPtr condition, SeqExpr then_branch, SeqExpr else_branch) {
  if (!is_condition(condition->type) && condition->type.as_tensor() == nullptr) {
    return Error{"type.condition", "if: the condition has type " + to_string(condition->type) +
                                       " instead of R.Tensor((), dtype=\"bool\")"};
  }
  Type type = unify(branch_type(then_branch), branch_type(else_branch));
  return make_expr(If{std::move(condition), std::make_shared<const SeqExpr>(std::move(then_branch)),
                      std::make_shared<const SeqExpr>(std::move(else_branch))},
                   std::move(type));
}

namespace {

Result<ExprPtr> make_typed_call(Call call, const TypeOfGlobal& type_of_global) {
  return match(
      call.callee,
      [&](const Op* const&) -> Result<ExprPtr> {
        return make_call(*called_op(call), std::move(call.args), std::move(call.attrs), std::move(call.type_args));
      },
      [&](const GlobalRef& global) -> Result<ExprPtr> {
        const std::optional<Type> type = type_of_global(global.name);
        if (!type) return Error{"type.unknown-function", global.name + ": no such function"};
        return call_global(global.name, *type, std::move(call.args));
      },
      [&](const ExprPtr& callee) -> Result<ExprPtr> { return call_function(callee, std::move(call.args)); },
      [&](const ExternFunc& external) -> Result<ExprPtr> {
        return call_extern(external.name, std::move(call.args), std::move(call.type_args));
      });
}

}  // namespace

Result<ExprPtr> make_typed(ExprNode node, const Type& declared, const TypeOfGlobal& type_of_global) {
  return match(
      node, [&](const Call& call) { return make_typed_call(call, type_of_global); },
      [](const Tuple& tuple) -> Result<ExprPtr> { return make_tuple(tuple.fields); },
      [](const TupleGetItem& item) { return make_tuple_get_item(item.tuple, item.index); },
      [](const If& branches) { return make_if(branches.condition, *branches.then_branch, *branches.else_branch); },
      [](const FunctionPtr& function) -> Result<ExprPtr> { return make_expr(function, type_of(*function)); },
      [&](const GlobalRef& global) -> Result<ExprPtr> {
        return make_expr(global, type_of_global(global.name).value_or(declared));
      },
      [](const Var& var) -> Result<ExprPtr> { return var_expr(var); },
      [&](const OneOf<Constant, ShapeExpr, PrimValue, StringImm, DataTypeImm, ExternFunc> auto& leaf)
          -> Result<ExprPtr> { return make_expr(leaf, declared); });
}

FunctionPtr make_function(std::vector<Var> params, SeqExpr body, bool pure, NamedAttrs attrs) {
  Type result = result_type_of(params, body);
  return std::make_shared<const Function>(
      Function{std::move(params), std::move(body), std::move(result), pure, std::move(attrs)});
}

Type type_of(const Function& function) {
  std::vector<Type> params;
  params.reserve(function.params.size());
  for (const Var& param : function.params) params.push_back(param->type);
  return func_type(std::move(params), function.result_type, function.pure);
}

}  // namespace passdiff
