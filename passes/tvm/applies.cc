#include "passes/tvm/applies.h"

#include <algorithm>

#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "passes/tvm/options.h"

namespace passdiff {
namespace {

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

bool has_call_of(
    const Module& module, std::string_view name, bool (*is_meant)(const Call&) = [](const Call&) { return true; }) {
  return std::any_of(module.functions.begin(), module.functions.end(), [&](const GlobalFunction& f) {
    return any_binding(f.function->body, [&](const Binding& binding) {
      const OpDef* op = called_op(binding.value);
      return op != nullptr && op->name == name && is_meant(*as<Call>(binding.value));
    });
  });
}

}  // namespace

bool has_weights(const Module& module) {
  return std::any_of(module.functions.begin(), module.functions.end(), [](const GlobalFunction& f) {
    return f.is_public && f.function->attrs.contains("num_input");
  });
}

bool has_weights_to_lift(const Module& module) {
  return has_weights(module) && std::none_of(module.functions.begin(), module.functions.end(), [](const GlobalFunction& f) {
           return std::string_view(f.name).ends_with("transform_params");
         });
}

bool returns_loss(const Module& module) {
  const GlobalFunction* entry = entry_of(module);
  if (entry == nullptr || entry->function->body.blocks.size() != 1) return false;
  return entry->function->body.blocks[0].dataflow && !scalar_results(*entry->function).empty();
}

bool has_vdevices(const Module& module) { return !module.vdevices.empty(); }
bool has_meshes(const Module& module) { return !module.meshes.empty(); }

bool has_tensor_params(const Module& module) {
  const GlobalFunction* entry = entry_of(module);
  return entry != nullptr &&
         std::ranges::any_of(entry->function->params, [](const Var& param) { return param->type.as_tensor() != nullptr; });
}

bool has_symbolic_params(const Module& module) {
  const GlobalFunction* entry = entry_of(module);
  return entry != nullptr && std::ranges::any_of(entry->function->params, [](const Var& param) { return has_symbolic_dims(param->type); });
}

bool has_static_params(const Module& module) {
  return std::all_of(module.functions.begin(), module.functions.end(), [](const GlobalFunction& f) {
    return std::none_of(f.function->params.begin(), f.function->params.end(),
                        [](const Var& param) { return has_symbolic_dims(param->type); });
  });
}

bool is_for_inference(const Module& module) { return !has_training(module, true); }

bool is_for_training(const Module& module) { return !has_training(module, false); }

bool has_matmul_by_vector(const Module& module) {
  return has_call_of(module, "relax.matmul", [](const Call& call) {
    const TensorType* rhs = call.args[1]->type.as_tensor();
    return rhs != nullptr && rhs->shape && rhs->shape->size() == 1;
  });
}

bool has_symbolic_matmul(const Module& module) {
  return has_call_of(module, "relax.matmul", [](const Call& call) {
    return has_symbolic_dims(call.args[0]->type) || has_symbolic_dims(call.args[1]->type);
  });
}

bool has_permute_dims(const Module& module) {
  return has_call_of(module, "relax.permute_dims");
}

bool has_rms_norm(const Module& module) {
  return has_call_of(module, "relax.nn.rms_norm");
}

}  // namespace passdiff
