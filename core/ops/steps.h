// Floats that are computed in several steps, each of which rounds.
#pragma once

#include <cmath>

#include "core/check.h"
#include "core/ops/elementwise.h"
#include "core/tensor/rounding.h"

namespace passdiff {

// What TVM's code of library functions owes, in ulps. The largest errors measured over 16,000 values per float dtype: exp and
// log 0.51, rsqrt and the functions of libm 1.3.
inline constexpr double kExpUlps = 2;
inline constexpr double kLibmUlps = 3;

// Rounds the result of one step as TVM's generated code does: to the operand's dtype, but to float32 for bfloat16 and floats
// of at most 8 bits, which TVM computes in float32 from the first step to the last (BF16ComputeLegalize, FP8ComputeLegalize).
struct Steps {
  DType dtype;
  Rounding& rounding;

  Steps(DType operand, Rounding& how)
      : dtype(operand == DType::bfloat16 || is_minifloat(operand) ? DType::float32 : operand), rounding(how) {}
  double operator()(double value) const { return round_float(dtype, value, rounding); }
  // The same for the result of a library function that owes so many ulps, of which later steps may leave more: 1 + erf(x)
  // cancels digits. A zero keeps its sign: -0.0 + 0.0 would be 0.0.
  double library(double value, double ulps) const {
    const double error = library_error(dtype, value, ulps, rounding);
    return (*this)(error == 0 ? value : value + error);
  }
};

// f(element, rounded) of each element of a tensor of floats, where `rounded` (a Steps) ends each step but the
// last.
template <class F>
Tensor map_floats(const Tensor& x, EvalContext& context, F f) {
  CHECK(is_float(x.dtype)) << dtype_name(x.dtype);
  const Steps rounded(x.dtype, context.rounding);
  return round_floats(x.dtype, map<double>(x.floats(), [&](double v) { return f(v, rounded); }),
                      context.rounding);
}

// Op::floats(x, y, rounded) of each pair of elements of two tensors of one float dtype that broadcast to `extents`.
template <class Op>
Tensor zip_floats(const Tensor& a, const Tensor& b, const Extents& extents, EvalContext& context) {
  const auto element = [rounded = Steps(a.dtype, context.rounding)](double x, double y) { return Op::floats(x, y, rounded); };
  return round_floats(a.dtype, zip<double>(extents, element, a.floats(), b.floats()), context.rounding);
}

// 1 / (1 + exp(-x)), as tirx.sigmoid is lowered (src/target/intrin_rule.cc).
inline double sigmoid(double x, const Steps& rounded) {
  return rounded(1 / rounded(1 + rounded.library(std::exp(-x), kExpUlps)));
}

// A quotient of exponentials, as tirx.tanh is lowered (DispatchNumericalStableTanh): it loses the sign of
// zero, and small operands lose most of their digits.
inline double stable_tanh(double x, const Steps& rounded) {
  const double e = rounded.library(std::exp(rounded(-2 * std::fabs(x))), kExpUlps);
  const double magnitude = rounded(rounded(1 - e) / rounded(1 + e));
  return x < 0 ? -magnitude : magnitude;
}

}  // namespace passdiff
