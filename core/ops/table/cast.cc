// astype. Inference follows src/relax/op/tensor/datatype.cc; conversion is `convert` in elementwise.h.
#include <algorithm>
#include <limits>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/row.h"

namespace passdiff {
namespace {

struct AstypeAttrs {
  DType dtype = DType::float32;
  static constexpr auto fields() { return std::tuple(required("dtype", &AstypeAttrs::dtype)); }
};

TensorType infer_astype(const TensorType& x, const AstypeAttrs& attrs) {
  return make_tensor_type(x.shape, x.rank, attrs.dtype, x.vdevice);
}

Value eval_astype(const Value& x, const AstypeAttrs& attrs, EvalContext& context) {
  if (x.tensor().dtype == attrs.dtype) return make_tensor(Tensor(x.tensor()));  // what is written to it does not reach x
  return make_tensor(convert(x.tensor(), attrs.dtype, context));
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
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kValues[] = {std::numeric_limits<double>::quiet_NaN(), kInfinity, -0x1p64, 0x1p100};
  const ExprPtr x = full_constant(scope, DType::float32, {2}, choices.pick(kValues));
  return {{x}, AstypeAttrs{choices.pick(kTargets)}};
}

std::optional<CallDraft> generate_astype(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) return draw_out_of_range(choices, scope);
  const auto x = draw_any_tensor(choices, scope, kAllDTypes);
  if (!x) return std::nullopt;
  DType dtype = choices.one_in(3) ? drawn_dtypes()[choices.index(drawn_dtypes().size())] : scope.dtype(choices);
  if (is_minifloat(dtype)) dtype = DType::int16;
  // To bool anything converts; a cast to the same dtype is worth having, too.
  if (!all_convert(x->value.tensor(), dtype))
    dtype = choices.flip() ? DType::boolean : scope.float_dtype(choices);
  return CallDraft({x->expr}, AstypeAttrs{dtype});
}

}  // namespace

std::vector<OpDef> cast_rows() {
  return {op<infer_astype, eval_astype, generate_astype>(
      "relax.astype", {"x"}, {.elementwise = true, .undefined = kFloatToInt})};
}

}  // namespace passdiff
