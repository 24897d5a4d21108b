#include "core/form/rebuild.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/form/builder.h"
#include "core/ir/queries.h"
#include "core/ir/rewriter.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

class Rebuilder {
 public:
  Rebuilder(const Module& old, const Edits& edits) : old_(old), edits_(edits) {}

  Result<Module> run() {
    Module result{.functions = {}, .vdevices = old_.vdevices, .attrs = old_.attrs};
    for (const GlobalFunction& f : old_.functions) function_types_.emplace(f.name, type_of(*f.function));
    for (const GlobalFunction& f : old_.functions) TRY_VOID(make(f.name));
    for (const GlobalFunction& f : old_.functions) {
      result.functions.push_back({f.name, made_.at(f.name), f.is_public});
    }
    return result;
  }

 private:
  // Rebuilds the functions that it calls first, so that it sees their new types; a function that calls itself sees
  // its old one.
  std::optional<Error> make(const std::string& name) {
    const GlobalFunction* old = old_.find(name);
    if (old == nullptr || !begun_.insert(name).second) return std::nullopt;
    std::vector<std::string> callees;
    for_each_global(old->function->body, [&](const std::string& callee) { callees.push_back(callee); });
    for (const std::string& callee : callees) TRY_VOID(make(callee));
    FunctionPtr function = TRY(rebuild_function(*old->function));
    function_types_.insert_or_assign(name, type_of(*function));
    made_.emplace(name, std::move(function));
    return std::nullopt;
  }

  Result<FunctionPtr> rebuild_function(const Function& old) {
    std::vector<Var> params;
    for (const Var& param : old.params) {
      Type type = edits_.param_type ? edits_.param_type(param) : param->type;
      Var fresh = make_var(param->name, map_type(type), param->dataflow);
      vars_.insert_or_assign(param.get(), var_expr(fresh));
      params.push_back(std::move(fresh));
    }
    SeqExpr body = TRY(rebuild_seq(old.body));
    return make_function(std::move(params), std::move(body), old.pure, old.attrs);
  }

  Result<SeqExpr> rebuild_seq(const SeqExpr& old) {
    BlockSink fresh;
    const Block* current = nullptr;
    std::optional<Error> error;
    for_each_binding<Enter::none>(old, [&](const Binding& binding, const Block& block) {
      if (current != &block) fresh.begin_block(block.dataflow);
      current = &block;
      error = rebuild_binding(binding, fresh);
      return error ? Walk::stop : Walk::on;
    });
    if (error) return *std::move(error);
    return fresh.finish(TRY(rebuild_expr(old.result)));
  }

  std::optional<Error> rebuild_binding(const Binding& old, BlockSink& to) {
    if (edits_.remove && edits_.remove(old)) return std::nullopt;
    if (std::optional<ExprPtr> replacement = edits_.replace ? edits_.replace(old) : std::nullopt) {
      vars_.insert_or_assign(old.var.get(), TRY(rebuild_expr(*replacement)));
      return std::nullopt;
    }
    const std::optional<ExprPtr> rewritten = edits_.rewrite ? edits_.rewrite(old) : std::nullopt;
    Binding binding{.var = nullptr,
                    .value = TRY(rebuild_expr(rewritten ? *rewritten : old.value)),
                    .match_cast = std::nullopt};
    Type type = binding.value->type;
    if (old.match_cast) {
      type = map_type(*old.match_cast);
      if (edits_.cast) type = edits_.cast(type);
      if (!may_match(binding.value->type, type)) {
        return Error{"type.match-cast",
                     "match_cast: no " + to_string(binding.value->type) + " is a " + to_string(type)};
      }
      binding.match_cast = type;
    }
    const bool exposed = edits_.expose && edits_.expose(old.var);
    binding.var = make_var(old.var->name, std::move(type), old.var->dataflow && !exposed);
    vars_.insert_or_assign(old.var.get(), var_expr(binding.var));
    to.add(std::move(binding));
    return std::nullopt;
  }

  Result<std::vector<ExprPtr>> rebuild_all(const std::vector<ExprPtr>& old) {
    std::vector<ExprPtr> fresh;
    fresh.reserve(old.size());
    for (const ExprPtr& expr : old) fresh.push_back(TRY(rebuild_expr(expr)));
    return fresh;
  }

  Result<ExprPtr> rebuild_expr(const ExprPtr& old) {
    return match(
        old, [&](const Var& var) { return variable(old, var); },
        [&](const Constant& constant) { return this->constant(old, constant); },
        [&](const Call& call) { return this->call(call); },
        [&](const Tuple& tuple) -> Result<ExprPtr> { return make_tuple(TRY(rebuild_all(tuple.fields))); },
        [&](const TupleGetItem& item) -> Result<ExprPtr> {
          return make_tuple_get_item(TRY(rebuild_expr(item.tuple)), item.index);
        },
        [&](const ShapeExpr& shape) -> Result<ExprPtr> {
          return edits_.dim ? make_shape(map_shape(shape.values)) : old;
        },
        [&](const If& branches) -> Result<ExprPtr> {
          ExprPtr condition = TRY(rebuild_expr(branches.condition));
          SeqExpr then_branch = TRY(rebuild_seq(*branches.then_branch));
          return make_if(std::move(condition), std::move(then_branch), TRY(rebuild_seq(*branches.else_branch)));
        },
        [&](const FunctionPtr& function) -> Result<ExprPtr> {
          FunctionPtr fresh = TRY(rebuild_function(*function));
          Type type = type_of(*fresh);
          return make_expr(std::move(fresh), std::move(type));
        },
        [&](const GlobalRef& global) -> Result<ExprPtr> {
          const auto found = function_types_.find(global.name);
          return found == function_types_.end() ? old : make_expr(global, found->second);
        },
        [&](const OneOf<PrimValue, StringImm, DataTypeImm, ExternFunc> auto&) { return Result<ExprPtr>(old); });
  }

  Result<ExprPtr> variable(const ExprPtr& old, const Var& var) const {
    const auto found = vars_.find(var.get());
    if (found != vars_.end()) return found->second;
    // A variable that an edit brought along (a new parameter, say) stands for itself.
    if (edits_.replace || edits_.rewrite) return old;
    return Error{"rebuild.unbound", var->name + ": a variable that nothing binds"};
  }

  Result<ExprPtr> constant(const ExprPtr& old, const Constant& constant) const {
    if (!edits_.constant) return old;
    const TensorPtr fresh = edits_.constant(constant.tensor);
    return fresh == constant.tensor ? old : make_constant(*fresh);
  }

  Result<ExprPtr> call(const Call& call) {
    std::vector<ExprPtr> args = TRY(rebuild_all(call.args));
    return match(
        call.callee,
        [&](const Op*) {
          const OpDef& op = *called_op(call);
          std::optional<Attrs> attrs = edits_.attrs ? edits_.attrs(op, call.attrs) : std::nullopt;
          return make_call(op, std::move(args), attrs ? *std::move(attrs) : call.attrs);
        },
        [&](const GlobalRef& global) -> Result<ExprPtr> {
          const auto found = function_types_.find(global.name);
          if (found == function_types_.end()) return Error{"rebuild.unbound", global.name + ": no such function"};
          return call_global(global.name, found->second, std::move(args));
        },
        [&](const ExprPtr& callee) -> Result<ExprPtr> {
          return call_function(TRY(rebuild_expr(callee)), std::move(args));
        },
        [&](const ExternFunc& external) -> Result<ExprPtr> {
          return call_extern(external.name, std::move(args), call.type_args);
        });
  }

  Shape map_shape(const Shape& old) const {
    Shape shape;
    for (const Dim& dim : old) shape.push_back(edits_.dim ? edits_.dim(dim) : dim);
    return shape;
  }
  Type map_type(const Type& old) const {
    if (!edits_.dim) return old;
    if (const ShapeType* shape = old.as_shape(); shape != nullptr && shape->values)
      return ShapeType{map_shape(*shape->values), shape->rank};
    return replace_tensors(old, [&](TensorType tensor) {
      if (tensor.shape) tensor.shape = map_shape(*tensor.shape);
      return tensor;
    });
  }

  const Module& old_;
  const Edits& edits_;
  std::unordered_map<const VarNode*, ExprPtr> vars_;
  std::unordered_map<std::string, Type> function_types_;
  std::unordered_set<std::string> begun_;  // the functions that are made or being made
  std::unordered_map<std::string, FunctionPtr> made_;
};

}  // namespace

Result<Module> rebuild(const Module& module, const Edits& edits) {
  return Rebuilder(module, edits).run();
}

}  // namespace passdiff
