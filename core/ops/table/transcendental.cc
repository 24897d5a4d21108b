// sin cos tan sinh cosh tanh, their inverses, sigmoid, erf, and atan2 and log_add_exp of pairs. Meaning
// measured on TVM 0.27 compiled for llvm; src/target/llvm/intrin_rule_llvm.cc says what is lowered in several
// steps.
#include <cmath>

#include "core/ops/unary.h"

namespace passdiff {
namespace {

// A function of libm by the struct that rows are made of.
template <double (*function)(double)>
struct Libm {
  static double floats(double x) { return function(x); }
};

struct Tan {
  static double floats(double x, const Steps& rounded) {
    return rounded.library(std::sin(x), kLibmUlps) / rounded.library(std::cos(x), kLibmUlps);
  }
};
// Half of log(1 + x) - log(1 - x): operands below the precision of 1 give 0.
struct Atanh {
  static double floats(double x, const Steps& rounded) {
    const double above = rounded.library(std::log(rounded(1 + x)), kExpUlps);
    const double below = rounded.library(std::log(rounded(1 - x)), kExpUlps);
    return rounded(above - below) * 0.5;
  }
};
struct Tanh {
  static double floats(double x, const Steps& rounded) { return stable_tanh(x, rounded); }
};
struct Sigmoid {
  static double floats(double x, const Steps& rounded) { return sigmoid(x, rounded); }
};

struct Atan2 {
  static double floats(double y, double x, const Steps&) { return std::atan2(y, x); }
};
// log(exp(a) + exp(b)) as it stands (topi.log_add_exp): infinite wherever an exponential is.
struct LogAddExp {
  static double floats(double a, double b, const Steps& rounded) {
    const double x = rounded.library(std::exp(a), kExpUlps);
    return std::log(rounded(x + rounded.library(std::exp(b), kExpUlps)));
  }
};

template <class Op>
TensorPtr eval_float_pair(const Tensor& x1, const Tensor& x2, const Type& result, EvalContext& context) {
  if (!is_float(x1.dtype) && !is_float(x2.dtype)) return nullptr;
  return compute_pair(x1, x2, result, context, [&](const Tensor& a, const Tensor& b, const Extents& extents) {
    return zip_floats<Op>(a, b, extents, context);
  });
}

// TVM has no code for float16 of most functions of libm ("unknown intrinsic"), nor for log_add_exp of
// bfloat16.
constexpr DTypes kLibmDTypes{DType::bfloat16, DType::float32, DType::float64};
constexpr DTypes kNoBfloat16{DType::float16, DType::float32, DType::float64};
// Halves from -1 to 1, where the inverse functions are defined. The area cosine's operands start at 1: some
// results are NaN.
constexpr FillSpec kUnitFill{.magnitude = 1};
constexpr PairRule kAtan2Rule{.dtypes = kLibmDTypes, .any_values = true};
constexpr PairRule kLogAddExpRule{.dtypes = kNoBfloat16, .magnitude = 8};

constexpr Claims kLibm{.elementwise = true, .ulps = kLibmUlps};
// The others owe as much in each step.
constexpr Claims kTwoSteps{.elementwise = true, .ulps = 4};

template <class Op, const FillSpec& fill, DTypes dtypes>
OpDef row(std::string_view name, const Claims& claims) {
  return op<infer_float, eval_float<Op>, generate_filled<fill, dtypes>>(name, {"x"}, claims);
}
template <double (*function)(double), const FillSpec& fill = kModestFill, DTypes dtypes = kLibmDTypes>
OpDef libm_row(std::string_view name) {
  return row<Libm<function>, fill, dtypes>(name, kLibm);
}
template <class Op, const PairRule& rule>
OpDef pair_row(std::string_view name) {
  return op<infer_elementwise, eval_float_pair<Op>, generate_pair<rule>>(name, {"x1", "x2"}, kLibm);
}

}  // namespace

std::vector<OpDef> transcendental_rows() {
  return {
      libm_row<std::acos, kUnitFill>("relax.acos"),
      libm_row<std::acosh, kPositiveFill>("relax.acosh"),
      libm_row<std::asin, kUnitFill>("relax.asin"),
      libm_row<std::asinh>("relax.asinh"),
      libm_row<std::atan>("relax.atan"),
      libm_row<std::cosh>("relax.cosh"),
      libm_row<std::sinh>("relax.sinh"),
      libm_row<std::cos, kModestFill, kFloatDTypes>("relax.cos"),
      libm_row<std::sin, kModestFill, kFloatDTypes>("relax.sin"),
      op<infer_float, eval_float<Libm<std::erf>>, generate_any<kFloatDTypes>>("relax.erf", {"x"}, kLibm),
      row<Atanh, kUnitFill, kFloatDTypes>("relax.atanh", kTwoSteps),
      row<Tan, kModestFill, kFloatDTypes>("relax.tan", kTwoSteps),
      row<Tanh, kModestFill, kFloatDTypes>("relax.tanh", kTwoSteps),
      row<Sigmoid, kModestFill, kFloatDTypes>("relax.sigmoid", kTwoSteps),
      pair_row<Atan2, kAtan2Rule>("relax.atan2"),
      pair_row<LogAddExp, kLogAddExpRule>("relax.log_add_exp"),
  };
}

}  // namespace passdiff
