// hint_on_device to_vdevice: an annotation and a copy, which change no value. Inference follows
// src/relax/op/op.cc.
#include "core/ops/draw.h"
#include "core/ops/known_attrs.h"
#include "core/ops/row.h"

namespace passdiff {
namespace {

// A hint leaves the type alone: RealizeVDevice is what writes it into types.
Type infer_hint(const AnyTensor& data, const HintOnDeviceAttrs&) {
  return data.type;
}

struct ToVDeviceAttrs {
  VDeviceRef dst_vdevice;
  static constexpr auto fields() { return std::tuple(required("dst_vdevice", &ToVDeviceAttrs::dst_vdevice)); }
};

TensorType infer_to_vdevice(const TensorType& data, const ToVDeviceAttrs& attrs) {
  return make_tensor_type(data.shape, data.rank, data.dtype, attrs.dst_vdevice.index);
}

// Where the operand is on the device already, RealizeVDevice takes the hint out: its result may be the very operand, and who writes to it
// writes to both.
Value eval_hint(const Value& data) {
  return data;
}

// vm.builtin.to_device copies to the same device, too (Tensor::CopyTo): passes may write to the result, and leave the operand as it is.
Tensor eval_copied(const Tensor& data) {
  return data;
}

// To any vdevice of the module, if there are some.
template <class PlacingAttrs>
std::optional<CallDraft> generate_placed(Choices& choices, Scope& scope) {
  const auto count = static_cast<std::size_t>(scope.vdevice_count());
  if (count == 0) return std::nullopt;
  const auto data = draw_any_tensor(choices, scope, kAllDTypes);
  if (!data) return std::nullopt;
  const VDeviceRef vdevice{static_cast<int>(choices.index(count))};
  return CallDraft({data->expr}, PlacingAttrs{{vdevice}});
}

constexpr Claims kUnchanged{.elementwise = true};

}  // namespace

std::vector<OpDef> device_rows() {
  return {
      op<infer_hint, eval_hint, generate_placed<HintOnDeviceAttrs>>("relax.hint_on_device", {"data"},
                                                                         kUnchanged),
      op<infer_to_vdevice, eval_copied, generate_placed<ToVDeviceAttrs>>("relax.to_vdevice", {"data"},
                                                                         kUnchanged),
  };
}

}  // namespace passdiff
