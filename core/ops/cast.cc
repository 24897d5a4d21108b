// astype. Inference follows src/relax/op/tensor/datatype.cc; conversion is `convert` in elementwise.h.
#include <algorithm>
#include <limits>

#include "core/ops/choices.h"
#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/family.h"
#include "core/ops/infer.h"

namespace passdiff {
namespace {

constexpr Param kParams[] = {{"x", ParamKind::tensor}, {"dtype", ParamKind::attr_dtype}};

Result<Type> infer_astype(std::span<const ExprPtr> args, const Attrs& attrs) {
  Result<const TensorType*> x = tensor_operand(args, 0);
  if (!x) return x.error();
  TensorType type = **x;
  type.dtype = std::get<DType>(attrs[0]);
  return Type(std::move(type));
}

Value eval_astype(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const DType dtype = std::get<DType>(attrs[0]);
  if (args[0].tensor().dtype == dtype) return args[0];
  return make_tensor(convert(args[0].tensor(), dtype, context));
}

// Half a unit inside of what truncation allows: a value that hangs on libm's last bit must not decide.
bool all_convert(const Tensor& x, DType dtype) {
  if (!is_float(x.dtype) || is_float(dtype) || dtype == DType::boolean) return true;
  const double low = static_cast<double>(int_min(dtype)) - 0.5;
  const double high = std::min(static_cast<double>(int_max(dtype)) + 0.5, 0x1p62);
  const double* data = x.floats().data();
  return std::all_of(data, data + x.size(), [=](double v) { return v > low && v < high; });
}

// NaN, an infinity, or a finite number beyond the target's range.
CallDraft draw_out_of_range(Choices& choices, Scope& scope) {
  constexpr DType kTargets[] = {DType::int32, DType::int8, DType::uint8, DType::int64};
  constexpr double kValues[] = {std::numeric_limits<double>::quiet_NaN(),
                                std::numeric_limits<double>::infinity(), -0x1p64, 0x1p100};
  const ExprPtr x = full_constant(scope, DType::float32, {2}, choices.pick(kValues));
  return {{x}, {choices.pick(kTargets)}};
}

std::optional<CallDraft> generate_astype(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) return draw_out_of_range(choices, scope);
  const auto x = draw_any_tensor(choices, scope, kAllDTypes);
  if (!x) return std::nullopt;
  DType dtype = choices.one_in(3) ? all_dtypes()[choices.index(all_dtypes().size())] : scope.dtype(choices);
  // To bool anything converts; a cast to the same dtype is worth having, too.
  if (!all_convert(x->value.tensor(), dtype))
    dtype = choices.flip() ? DType::boolean : scope.float_dtype(choices);
  return CallDraft{{x->expr}, {dtype}};
}

constexpr UndefinedRule kUndefined[] = {UndefinedRule::float_to_int};

constexpr OpDef kOps[] = {
    {{"relax.astype"},
     .params = kParams,
     .traits = Trait::elementwise | Trait::idempotent,
     .undefined = kUndefined,
     .infer = infer_astype,
     .eval = eval_astype,
     .generate = generate_astype},
};

}  // namespace

std::span<const OpDef> cast_ops() {
  return kOps;
}

}  // namespace passdiff
