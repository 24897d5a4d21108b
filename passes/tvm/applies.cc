#include "passes/tvm/applies.h"

#include <algorithm>

#include "core/ir/walk.h"
#include "core/ops/op.h"

namespace passdiff {
namespace {

bool is_float32(const Type& type) {
  if (const TensorType* tensor = type.as_tensor()) return tensor->dtype == DType::float32;
  if (const TupleType* tuple = type.as_tuple()) return std::all_of(tuple->fields.begin(), tuple->fields.end(), is_float32);
  return true;
}

// Whether all tensors in an expression's type are float32, and in those of its arguments: constants among them have types of
// their own.
bool is_float32(const ExprPtr& value) {
  const auto is_argument_float32 = [](const ExprPtr& arg) { return is_float32(arg->type); };
  const Call* call = as<Call>(value);
  return is_float32(value->type) &&
         (call == nullptr || std::all_of(call->args.begin(), call->args.end(), is_argument_float32));
}

bool is_float32(const SeqExpr& seq) {
  return is_float32(seq.result->type) &&
         !any_binding(seq, [](const Binding& binding) { return !is_float32(binding.value); });
}

bool has_training(const ExprPtr& expr, bool value) {
  const OpDef* op = called_op(expr);
  if (op == nullptr) return false;
  const Attrs& attrs = as<Call>(expr)->attrs;
  const auto params = op->attributes();
  for (std::size_t i = 0; i < params.size() && i < attrs.size(); ++i) {
    if (params[i].name == "training") return attrs[i] == AttrValue(value);
  }
  return false;
}

bool has_training(const Module& module, bool value) {
  return std::any_of(module.functions.begin(), module.functions.end(), [&](const GlobalFunction& f) {
    return any_binding(f.function->body, [&](const Binding& binding) { return has_training(binding.value, value); });
  });
}

}  // namespace

bool has_weights(const Module& module) {
  return std::any_of(module.functions.begin(), module.functions.end(), [](const GlobalFunction& f) {
    return f.is_public && f.function->attrs.contains("num_input");
  });
}

bool has_vdevices(const Module& module) { return !module.vdevices.empty(); }

bool is_for_inference(const Module& module) { return !has_training(module, true); }

bool is_for_training(const Module& module) { return !has_training(module, false); }

bool is_pure_float32(const Module& module) {
  return std::all_of(module.functions.begin(), module.functions.end(), [](const GlobalFunction& f) {
    const auto& params = f.function->params;
    return is_float32(f.function->body) &&
           std::all_of(params.begin(), params.end(), [](const Var& param) { return is_float32(param->type); });
  });
}

}  // namespace passdiff
