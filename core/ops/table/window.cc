// hamming_window: alpha - beta * cos(2 pi i / (n - 1)).
#include <cmath>
#include <numbers>

#include "core/ops/draw.h"
#include "core/ops/literal.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/steps.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct WindowAttrs {
  DType dtype = DType::float32;
  static constexpr auto fields() { return std::tuple(required("dtype", &WindowAttrs::dtype)); }
};

Result<TensorType> infer_window(const PrimValue& size, const PrimType&, const PrimType&, const PrimType&,
                                const WindowAttrs& attrs) {
  const Dim* dim = std::get_if<Dim>(&size.value);
  if (is_integer(attrs.dtype) || dim == nullptr || (dim->is_static() && dim->value() < 1))
    return Error{"type.value", "hamming_window: no float dtype, or no size"};
  return make_tensor_type(Shape{*dim}, 1, attrs.dtype, std::nullopt);
}

double real(const ScalarValue& scalar) {
  return std::visit([](auto number) { return static_cast<double>(number); }, scalar.value);
}

// A periodic window is a symmetric one without its last element. Indices have the dtype of the result, angle and cosine are of
// float32 at least; the rest is computed in the dtype of alpha and beta if that is wider (hamming_window in topi/transform.py).
std::optional<Tensor> eval_window(const ScalarValue& size, const ScalarValue& periodic,
                                  const ScalarValue& alpha, const ScalarValue& beta, const WindowAttrs& attrs,
                                  EvalContext& context) {
  const Ints shape{std::get<std::int64_t>(size.value)};
  if (!is_float(attrs.dtype) || !is_affordable(shape)) return std::nullopt;
  const auto index = [&](std::int64_t i) {
    return round_float(attrs.dtype, static_cast<double>(i), context.rounding);
  };
  const Steps single(attrs.dtype == DType::float64 ? DType::float64 : DType::float32, context.rounding);
  const Steps wide(beta.dtype == DType::float64 ? DType::float64 : single.dtype, context.rounding);
  const double steps = single(static_cast<double>(shape[0] + (real(periodic) != 0 ? 0 : -1)));
  Tensor::Floats window = float_array(shape);
  for (std::int64_t i = 0; i < shape[0]; ++i) {
    const double turn = single(single(2 * std::numbers::pi) * index(i));
    const double cosine = single.library(std::cos(single(turn / steps)), kLibmUlps);
    window.data()[i] = shape[0] == 1 ? 1 : wide(real(alpha) - wide(real(beta) * cosine));
  }
  return round_floats(attrs.dtype, std::move(window), context.rounding);
}

std::optional<CallDraft> generate_window(Choices& choices, Scope& scope) {
  constexpr double kAlphas[] = {0.54, 0.5, 0.25, 1};
  constexpr double kBetas[] = {0.46, 0.5, 0.25, 0, -0.5};
  const ExprPtr size = make_prim(choices.integer(1, 12));
  const ExprPtr periodic =
      make_expr(PrimValue{DType::boolean, Dim(choices.flip() ? 1 : 0)}, prim_type(DType::boolean));
  const ExprPtr alpha = make_prim(choices.pick(kAlphas));
  const DType dtype = scope.float_dtype(choices);
  return CallDraft({size, periodic, alpha, make_prim(choices.pick(kBetas))},
                   WindowAttrs{kFloatDTypes.has(dtype) ? dtype : DType::float32});
}

}  // namespace

// A product and a difference, beside the cosine, of which the difference may leave but the last digits.
std::vector<OpDef> window_rows() {
  return {op<infer_window, eval_window, generate_window>(
      "relax.hamming_window", {"window_size", "periodic", "alpha", "beta"}, {.ulps = 4})};
}

}  // namespace passdiff
