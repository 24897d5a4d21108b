// hint_on_device to_vdevice: annotations and copies that change no value. Inference follows
// src/relax/op/op.cc.
#include <string>

#include "core/ops/choices.h"
#include "core/ops/draw.h"
#include "core/ops/family.h"
#include "core/ops/infer.h"

namespace passdiff {
namespace {

// TVM's hint_on_device holds a device and a memory scope (its script shows R.device(...)). We name the
// module's vdevice of that device, which RealizeVDevice looks up.
const Param kHintParams[] = {
    {"data", ParamKind::tensor},
    {"dst_vdevice", ParamKind::attr_vdevice},
    {"memory_scope", ParamKind::attr_string, false, AttrValue(std::string("global"))}};
constexpr Param kCopyParams[] = {{"data", ParamKind::tensor}, {"dst_vdevice", ParamKind::attr_vdevice}};
constexpr Param kKillParams[] = {{"obj", ParamKind::tensor}};

// A hint leaves the type alone: RealizeVDevice is what writes it into types.
Result<Type> infer_hint(std::span<const ExprPtr> args, const Attrs&) {
  Result<const TensorType*> data = tensor_operand(args, 0);
  if (!data) return data.error();
  return Type(**data);
}

Result<Type> infer_copy(std::span<const ExprPtr> args, const Attrs& attrs) {
  Result<const TensorType*> data = tensor_operand(args, 0);
  if (!data) return data.error();
  TensorType type = **data;
  type.vdevice = std::get<VDeviceRef>(attrs[0]).index;
  return Type(std::move(type));
}

Value eval_unchanged(std::span<const Value> args, const Attrs&, const Type&, EvalContext&) {
  return args[0];
}

std::optional<std::pair<ExprPtr, VDeviceRef>> draw_placed(Choices& choices, Scope& scope) {
  const int count = scope.vdevice_count();
  if (count == 0) return std::nullopt;
  const auto data = draw_any_tensor(choices, scope, kAllDTypes);
  if (!data) return std::nullopt;
  return std::pair{data->expr, VDeviceRef{static_cast<int>(choices.index(static_cast<std::size_t>(count)))}};
}

std::optional<CallDraft> generate_hint(Choices& choices, Scope& scope) {
  const auto placed = draw_placed(choices, scope);
  if (!placed) return std::nullopt;
  return CallDraft{{placed->first}, {placed->second, std::string("global")}};
}

std::optional<CallDraft> generate_copy(Choices& choices, Scope& scope) {
  const auto placed = draw_placed(choices, scope);
  if (!placed) return std::nullopt;
  return CallDraft{{placed->first}, {placed->second}};
}

// kill_object ends a value's life: nothing is returned, and a later use would be a bug of the pass that made it.
Result<Type> infer_kill(std::span<const ExprPtr>, const Attrs&) { return tuple_type({}); }
Value eval_kill(std::span<const Value>, const Attrs&, const Type&, EvalContext&) { return Value(TupleValue{}); }
std::optional<CallDraft> generate_nothing(Choices&, Scope&) { return std::nullopt; }

constexpr Trait kUnchanged = Trait::elementwise | Trait::idempotent | Trait::data_movement;

const OpDef kOps[] = {
    {{"relax.hint_on_device"},
     .params = kHintParams,
     .traits = kUnchanged,
     .infer = infer_hint,
     .eval = eval_unchanged,
     .generate = generate_hint},
    {{"relax.to_vdevice"},
     .params = kCopyParams,
     .traits = kUnchanged,
     .infer = infer_copy,
     .eval = eval_unchanged,
     .generate = generate_copy},
    {{"relax.vm.kill_object"},
     .params = kKillParams,
     .traits = Trait::pass_made,
     .infer = infer_kill,
     .eval = eval_kill,
     .generate = generate_nothing},
};

}  // namespace

std::span<const OpDef> device_ops() {
  return kOps;
}

}  // namespace passdiff
