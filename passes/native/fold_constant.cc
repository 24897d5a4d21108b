// FoldConstant: replaces calls of ops on constants by their results, and variables that are bound to constants by these, and
// removes bindings that are then unused. Calls are evaluated by the interpreter; a call that is undefined, traps or is too large
// stays.
//
// Where targets differ from TVM's:
// - An If on a constant becomes the branch that it takes; TVM keeps it.
// - Both fold in dataflow blocks only. This pass folds every op; TVM folds those that it lowers to one function, and its compiled
//   floats may differ in the last digits.
// - Results of more than 2^16 elements stay calls. TVM only limits ops without tensor operands, to 1024 elements; that limit
//   holds here, too.
// - A value that is declared on a virtual device is not folded: constants are on none.
#include <algorithm>
#include <limits>

#include "core/eval/interpret.h"
#include "core/ir/rewriter.h"
#include "core/ir/walk.h"
#include "core/ops/known_attrs.h"
#include "core/form/builder.h"
#include "core/tensor/tensor.h"
#include "passes/native/native_pass.h"
#include "passes/native/same_computation.h"
#include "passes/native/splice.h"

namespace passdiff {
namespace native::fold_constant {
namespace {

struct Faults {
  bool else_never_taken = false;
  bool take_mode_ignored = false;
  bool cached_by_operands = false;
  bool cast_copies_bits = false;
  bool wide_integers = false;
  bool broadcast_shape = false;
  bool only_operands_replaced = false;
  bool match_cast_removed = false;
};

constexpr FaultRow<Faults> kFaults[] = {
    {&Faults::else_never_taken, "fold-constant/else-never-taken",
     "an If on a constant becomes its first branch whatever the constant says", "outputs-refine"},
    {&Faults::take_mode_ignored, "fold-constant/take-mode-ignored",
     "a folded take brings all indices into range by clipping (as in apache/tvm issue 17270)",
     "outputs-refine"},
    {&Faults::cached_by_operands, "fold-constant/results-cached-by-operands",
     "a call is given the result of an earlier one of that op on those operands whatever its attributes",
     "outputs-refine"},
    {&Faults::cast_copies_bits, "fold-constant/cast-copies-bits",
     "a folded cast between dtypes of one size keeps the bits", "outputs-refine"},
    {&Faults::wide_integers, "fold-constant/wide-integers",
     "folded integers are int64 whatever the declared dtype", "well-formed"},
    {&Faults::broadcast_shape, "fold-constant/broadcast-shape",
     "the result of a broadcasting call has the shape of its first operand", "well-formed"},
    {&Faults::only_operands_replaced, "fold-constant/only-operands-replaced",
     "a folded variable goes although tuples and results still hold it", "well-formed"},
    {&Faults::match_cast_removed, "fold-constant/match-cast-removed",
     "a match_cast of a constant goes although it defines symbolic dims", "well-formed"},
};

constexpr std::int64_t kMostElements = 1 << 16;
constexpr std::int64_t kMostCreated = 1024;  // as in TVM: zeros are cheaper to compute than to store

// How many elements a value of this type has; nothing if it is no type that constants can have.
std::optional<std::int64_t> elements_of(const Type& type) {
  std::int64_t total = 0;
  if (const TupleType* tuple = type.as_tuple()) {
    for (const Type& field : tuple->fields) {
      const auto elements = elements_of(field);
      if (!elements || *elements > kMostElements) return std::nullopt;
      total += *elements;
    }
    return total;
  }
  const TensorType* tensor = type.as_tensor();
  if (tensor == nullptr || !tensor->shape || !tensor->dtype || tensor->vdevice || tensor->sharding) return std::nullopt;
  total = 1;
  for (const Dim& dim : *tensor->shape) {
    if (!dim.is_static() || dim.value() < 0 || __builtin_mul_overflow(total, dim.value(), &total))
      return std::nullopt;
  }
  return total;
}

bool holds_tensor(const ExprPtr& operand) {
  const auto* tuple = as<Tuple>(operand);
  return as<Constant>(operand) != nullptr ||
         (tuple != nullptr && std::any_of(tuple->fields.begin(), tuple->fields.end(), holds_tensor));
}

const OpDef* op_of(const ExprPtr& expr) {
  const auto* call = as<Call>(expr);
  const OpDef* op = call == nullptr ? nullptr : called_op(*call);
  return op;
}

// Whether calls of the op may be folded. Not those that name a device: they say where a value is to be. Not ops that only passes
// emit, which belong to lowered modules.
bool is_foldable(const OpDef& op) {
  const auto names_device = [](const Param& param) {
    return param.kind == ParamKind::attr_device || param.kind == ParamKind::attr_vdevice;
  };
  return !op.pass_made && std::ranges::none_of(op.params, names_device);
}

// The value of a call on constants; nothing if it is not fully defined.
std::optional<Value> evaluate(const ExprPtr& call) {
  const Var result = make_var("folded", call->type);
  SeqExpr body{{{false, {{result, call, std::nullopt}}}}, var_expr(result)};
  const Module module{{{"main", make_function({}, std::move(body)), true}}, {}, {}};
  const InterpretOptions options{.rounding = {}, .limits = {.elements = kMostElements}, .host_functions = {}};
  Outcome outcome = interpret(module, "main", {}, options);
  auto* returned = std::get_if<Returned>(&outcome);
  if (returned == nullptr || !returned->overflows.empty()) return std::nullopt;
  return std::move(returned->value);
}

ExprPtr constant_expr(const Value& value) {
  if (const TupleValue* tuple = value.as_tuple()) {
    std::vector<ExprPtr> fields;
    for (const Value& field : tuple->fields) {
      fields.push_back(constant_expr(field));
      if (fields.back() == nullptr) return nullptr;
    }
    return make_tuple(std::move(fields));
  }
  const TensorPtr* tensor = value.as_tensor();
  return tensor == nullptr ? nullptr : make_constant(**tensor);
}

// The first elements of a constant, read as elements of another dtype in another shape.
ExprPtr reread(const Tensor& tensor, DType dtype, const std::vector<std::int64_t>& shape, const Type& type) {
  std::vector<std::uint8_t> bytes = to_bytes(tensor);
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) elements *= size;
  bytes.resize(static_cast<std::size_t>(data_bytes(dtype, elements)));
  Result<Tensor> read = from_bytes(dtype, shape, bytes);
  return read ? make_expr(Constant{make_tensor(*std::move(read))}, type) : nullptr;
}

class Folder : public BodyCopier {
 public:
  Folder(const Module& module, const Faults& faults) : BodyCopier(module), faults_(faults) {}

  FunctionPtr fold(const FunctionPtr& function) {
    reserve_names(*function);
    FunctionPtr result = BodyCopier::function(function);
    return changed_ && result != nullptr ? result : function;
  }

  ExprPtr expr(const ExprPtr& old) override {
    const ExprPtr copy = BodyCopier::expr(old);
    if (copy == nullptr || op_of(copy) == nullptr) return copy;
    const ExprPtr literal = with_literals(copy);
    const ExprPtr folded = in_dataflow_ ? fold_call(literal) : nullptr;
    return folded != nullptr ? folded : literal;
  }

 protected:
  bool binding(const Binding& old, BlockSink& to) override {
    if (const auto* branches = as<If>(old.value)) {
      const std::optional<bool> taken = constant_condition(expr(branches->condition));
      if (taken) return take_branch(*taken ? *branches->then_branch : *branches->else_branch, old, to);
    }
    in_dataflow_ = to.in_dataflow();
    if (!BodyCopier::binding(old, to)) return false;
    note(old, to.current().back(), to);
    return true;
  }

 private:
  // Notes what the variable of a binding stands for in the bindings after it.
  void note(const Binding& old, const Binding& written, BlockSink& to) {
    const ExprPtr value = written.value;
    const Var var = written.var;
    // Branches and local functions are always copied: what changed inside was noted there.
    const bool nested = as<If>(value) != nullptr || as<FunctionPtr>(value) != nullptr;
    changed_ = changed_ || (value != old.value && !nested);
    if (as<Constant>(value) == nullptr) {
      if (!written.match_cast && (as<Tuple>(value) != nullptr || as<ShapeExpr>(value) != nullptr))
        literals_.set(var.get(), value);
      return;
    }
    if (written.match_cast && !faults_.match_cast_removed) return;
    if (!written.match_cast && !equal(var->type, value->type)) return;
    changed_ = true;
    if (faults_.only_operands_replaced) {
      literals_.set(var.get(), value);
      to.current().pop_back();
      return;
    }
    if (written.match_cast) to.current().pop_back();
    scope().by.vars.set(old.var.get(), value);
  }

  static std::optional<bool> constant_condition_value(const Tensor& tensor) {
    if (tensor.dtype != DType::boolean || tensor.rank() != 0) return std::nullopt;
    return as_int(tensor, 0) != 0;
  }

  std::optional<bool> constant_condition(const ExprPtr& condition) const {
    const auto* constant = as<Constant>(condition);
    if (constant == nullptr) return std::nullopt;
    const auto value = constant_condition_value(*constant->tensor);
    return value && faults_.else_never_taken ? true : value;
  }

  bool take_branch(const SeqExpr& branch, const Binding& binding, BlockSink& to) {
    changed_ = true;
    CopyScope inner;
    inner.by = scope().by;
    const Var home = define(binding.var, type(binding.var->type));
    if (const Var* result = as<Var>(branch.result)) {
      inner.result = result->get();
      inner.result_home = home;
    }
    if (!under(inner, [&] { return blocks(branch, to); })) return false;
    const ExprPtr result = under(inner, [&] { return expr(branch.result); });
    if (result == nullptr) return false;
    if (as<Constant>(result) != nullptr && equal(result->type, home->type)) {
      scope().by.vars.set(binding.var.get(), result);
    } else if (!inner.result_placed) {
      to.add({home, result, std::nullopt});
      note(binding, to.current().back(), to);
    }
    return true;
  }

  // The call with operands written out that are variables bound to shapes or to tuples of constants.
  ExprPtr with_literals(const ExprPtr& expr) const {
    const Call& call = *as<Call>(expr);
    std::vector<ExprPtr> args = call.args;
    bool changed = false;
    for (ExprPtr& arg : args) {
      const Var* var = as<Var>(arg);
      const ExprPtr* literal = var == nullptr ? nullptr : literals_.find(var->get());
      if (literal == nullptr || as<Tuple>(*literal) != nullptr) continue;
      arg = *literal;
      changed = true;
    }
    if (!changed) return expr;
    Result<ExprPtr> made = make_call(*op_of(expr), std::move(args), call.attrs);
    return made ? *made : expr;
  }

  // The operand as an expression of constants alone, or null.
  ExprPtr constant_operand(const ExprPtr& operand) const {
    return match(
        operand, [&](const OneOf<Constant, StringImm> auto&) { return operand; },
        [&](const ShapeExpr& shape) { return is_static(shape.values) ? operand : nullptr; },
        [&](const PrimValue& prim) {
          const auto* dim = std::get_if<Dim>(&prim.value);
          return dim == nullptr || dim->is_static() ? operand : nullptr;
        },
        [&](const Var& var) {
          const ExprPtr* literal = literals_.find(var.get());
          return literal == nullptr ? nullptr : constant_operand(*literal);
        },
        [&](const Tuple& tuple) -> ExprPtr {
          std::vector<ExprPtr> fields;
          for (const ExprPtr& field : tuple.fields) {
            fields.push_back(constant_operand(field));
            if (fields.back() == nullptr) return nullptr;
          }
          return make_tuple(std::move(fields));
        },
        [](const OneOf<Call, TupleGetItem, DataTypeImm, GlobalRef, ExternFunc, If, FunctionPtr> auto&) {
          return ExprPtr();
        });
  }

  ExprPtr fold_call(const ExprPtr& expr) const {
    const OpDef& op = *op_of(expr);
    const Call& call = *as<Call>(expr);
    const std::optional<std::int64_t> elements = elements_of(expr->type);
    if (!is_foldable(op) || !elements || *elements > kMostElements) return nullptr;
    std::vector<ExprPtr> args;
    for (const ExprPtr& arg : call.args) {
      args.push_back(constant_operand(arg));
      if (args.back() == nullptr) return nullptr;
    }
    if (*elements > kMostCreated && std::none_of(args.begin(), args.end(), holds_tensor)) return nullptr;
    Attrs attrs = call.attrs;
    if (faults_.take_mode_ignored && op.name == "relax.take") {
      auto take = read_attrs<TakeAttrs>(attrs);
      take.mode = TakeMode::clip;
      attrs = write_attrs(take);
    }
    const Result<ExprPtr> made = make_call(op, std::move(args), std::move(attrs));
    if (!made || !equal((*made)->type, expr->type)) return nullptr;
    return fold_made(*made);
  }

  ExprPtr fold_made(const ExprPtr& call) const {
    if (faults_.cached_by_operands) {
      for (const auto& [known, result] : cache_) {
        if (same_but_for_attributes(known, call)) return result;
      }
    }
    const std::optional<Value> value = evaluate(call);
    const ExprPtr result = value ? constant_expr(*value) : nullptr;
    if (result == nullptr || !equal(result->type, call->type)) return nullptr;
    cache_.emplace_back(call, result);
    const ExprPtr wrong = made_wrong(call, result);
    return wrong != nullptr ? wrong : result;
  }

  static bool same_but_for_attributes(const ExprPtr& a, const ExprPtr& b) {
    Call stripped = *as<Call>(b);
    stripped.attrs = as<Call>(a)->attrs;
    return equal(a->type, b->type) && same_computation(a, make_expr(std::move(stripped), b->type));
  }

  // The wrong result that a fault makes of a right one; null if none applies.
  ExprPtr made_wrong(const ExprPtr& call, const ExprPtr& result) const {
    const auto* constant = as<Constant>(result);
    const ExprPtr& first = as<Call>(call)->args.empty() ? result : as<Call>(call)->args[0];
    const auto* operand = as<Constant>(first);
    if (constant == nullptr) return nullptr;
    const Tensor& tensor = *constant->tensor;
    if (faults_.wide_integers && is_signed_int(tensor.dtype) && tensor.dtype != DType::int64) {
      Tensor wide = tensor;
      wide.dtype = DType::int64;
      return make_expr(Constant{make_tensor(std::move(wide))}, result->type);
    }
    if (operand == nullptr) return nullptr;
    const Tensor& from = *operand->tensor;
    const bool is_cast = op_of(call)->name == "relax.astype" && from.dtype != tensor.dtype;
    if (faults_.cast_copies_bits && is_cast && tensor.dtype != DType::boolean &&
        row_of(from.dtype).bits == row_of(tensor.dtype).bits) {
      return reread(from, tensor.dtype, tensor.shape(), result->type);
    }
    const bool broadcasts = op_of(call)->elementwise && from.size() < tensor.size();
    if (faults_.broadcast_shape && broadcasts)
      return reread(tensor, tensor.dtype, from.shape(), result->type);
    return nullptr;
  }

  const Faults& faults_;
  PointerMap<ExprPtr> literals_;  // the tuple or shape that a variable is bound to
  mutable std::vector<std::pair<ExprPtr, ExprPtr>> cache_;
  bool in_dataflow_ = false;
  bool changed_ = false;
};

Result<Module> run(const Module& module, NativeRun& run) {
  if (run.options != "{}") return Error{"options.unknown", "FoldConstant takes no options"};
  const Faults faults = switched_on(kFaults, run);
  Module result = module;
  for (GlobalFunction& function : result.functions) {
    function.function = remove_unused_bindings(module, Folder(module, faults).fold(function.function));
  }
  return result;
}

}  // namespace
}  // namespace native::fold_constant

NativePass fold_constant() {
  using namespace native::fold_constant;
  return {.pass = {.name = "FoldConstant", .contract = {}, .source = "passes/native/fold_constant.cc"},
          .run = run,
          .faults = listed(kFaults)};
}

}  // namespace passdiff
