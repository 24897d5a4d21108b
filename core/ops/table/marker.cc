// grad.no_grad, grad.start_checkpoint, grad.end_checkpoint, builtin.stop_lift_params, wrap_param: ops that
// tell passes something. The value is the operand's. Inference follows src/relax/op/op.cc and
// src/relax/op/tensor/{grad,datatype}.cc.
#include "core/ops/unary.h"

namespace passdiff {

namespace {

Type infer_anything(const Type& x) {
  return x;
}

Value eval_unchanged(const Value& x) {
  return x;
}

// TVM's inference refuses checkpoints of anything but variables. Ours cannot: interpreting a call infers from constants.
std::optional<CallDraft> generate_checkpoint(Choices& choices, Scope& scope) {
  const auto x = draw_any_tensor(choices, scope, kAllDTypes);
  if (!x || !as<Var>(x->expr)) return std::nullopt;
  return CallDraft({x->expr});
}

struct WrapParamAttrs {
  DType dtype = DType::float32;
  static constexpr auto fields() { return std::tuple(required("dtype", &WrapParamAttrs::dtype)); }
};

TensorType infer_wrap_param(const TensorType& data, const WrapParamAttrs& attrs) {
  return make_tensor_type(data.shape, data.rank, attrs.dtype, data.vdevice);
}

// The parameter in another dtype, which is how TVM describes it.
Tensor eval_wrap_param(const Tensor& data, const WrapParamAttrs& attrs, EvalContext& context) {
  return convert(data, attrs.dtype, context);
}

constexpr Claims kElementwise{.elementwise = true};

}  // namespace

// TVM compiles neither stop_lift_params nor wrap_param: passes take them away.
std::vector<OpDef> marker_rows() {
  return {
      op<infer_anything, eval_unchanged, generate_any<kAllDTypes>>("relax.grad.no_grad", {"input"},
                                                                   kElementwise),
      op<infer_anything, eval_unchanged, generate_checkpoint>("relax.grad.start_checkpoint", {"input"},
                                                              kElementwise),
      op<infer_anything, eval_unchanged, generate_checkpoint>("relax.grad.end_checkpoint", {"input"},
                                                              kElementwise),
      op<infer_same, eval_unchanged>("relax.builtin.stop_lift_params", {"x"}, kElementwise),
      op<infer_wrap_param, eval_wrap_param>("relax.wrap_param", {"data"}, kElementwise),
  };
}

}  // namespace passdiff
