#include "core/eval/tir/scalar_functions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace passdiff::tir {
namespace {

using Word = std::uint64_t;

template <double (*function)(double)>
double plain(double x, const Steps&) {
  return function(x);
}
template <double (*function)(double)>
constexpr ScalarFunction libm(std::string_view name, double ulps) {
  return {.name = name, .unary = plain<function>, .ulps = ulps};
}

// The powers of 10 and the quotients that LLVM's rules write out (intrin_rule_llvm.cc); steps round one by one.
double exp10_steps(double x, const Steps& rounded) {
  return rounded.library(std::exp(rounded(x * rounded(2.302585093))), kExpUlps);
}
double tan_steps(double x, const Steps& rounded) {
  return rounded.library(std::sin(x), kLibmUlps) / rounded.library(std::cos(x), kLibmUlps);
}
double atanh_steps(double x, const Steps& rounded) {
  const double above = rounded.library(std::log(rounded(1 + x)), kExpUlps);
  const double below = rounded.library(std::log(rounded(1 - x)), kExpUlps);
  return rounded(above - below) * 0.5;
}
double rsqrt_steps(double x, const Steps& rounded) {
  return 1 / rounded(std::sqrt(x));
}

double fmod_of(double x, double y) {
  return std::fmod(x, y);
}
double pow_of(double x, double y) {
  return std::pow(x, y);
}

std::int64_t is_nan(double x) {
  return std::isnan(x) ? 1 : 0;
}
std::int64_t is_inf(double x) {
  return std::isinf(x) ? 1 : 0;
}
std::int64_t is_finite(double x) {
  return std::isfinite(x) ? 1 : 0;
}

Word low_bits(Word x, int bits) {
  return bits == 64 ? x : x & ((Word{1} << bits) - 1);
}
Word bitwise_and(Word x, Word y, int) {
  return x & y;
}
Word bitwise_or(Word x, Word y, int) {
  return x | y;
}
Word bitwise_xor(Word x, Word y, int) {
  return x ^ y;
}
Word bitwise_not(Word x, Word, int) {
  return ~x;
}
Word popcount(Word x, Word, int bits) {
  return static_cast<Word>(std::popcount(low_bits(x, bits)));
}
Word leading_zeros(Word x, Word, int bits) {
  return static_cast<Word>(std::countl_zero(low_bits(x, bits)) - (64 - bits));
}

// Accuracy as measured for the ops of core/ops/table that become these.
constexpr double kExact = 0;
constexpr double kStepsUlps = 4;

constexpr std::array kScalarFunctions = {
    libm<std::exp>("exp", kExpUlps),
    libm<std::exp2>("exp2", kExpUlps),
    ScalarFunction{.name = "exp10", .unary = exp10_steps, .ulps = kStepsUlps},
    libm<std::log>("log", kExpUlps),
    libm<std::log2>("log2", kExpUlps),
    libm<std::log10>("log10", kExpUlps),
    libm<std::log1p>("log1p", kLibmUlps),
    libm<std::sqrt>("sqrt", kExact),
    ScalarFunction{.name = "rsqrt", .unary = rsqrt_steps},
    ScalarFunction{.name = "sigmoid", .unary = sigmoid, .ulps = kStepsUlps},
    ScalarFunction{.name = "tanh", .unary = stable_tanh, .ulps = kStepsUlps},
    ScalarFunction{.name = "tan", .unary = tan_steps, .ulps = kStepsUlps},
    ScalarFunction{.name = "atanh", .unary = atanh_steps, .ulps = kStepsUlps},
    libm<std::sin>("sin", kLibmUlps),
    libm<std::cos>("cos", kLibmUlps),
    libm<std::asin>("asin", kLibmUlps),
    libm<std::acos>("acos", kLibmUlps),
    libm<std::atan>("atan", kLibmUlps),
    libm<std::sinh>("sinh", kLibmUlps),
    libm<std::cosh>("cosh", kLibmUlps),
    libm<std::asinh>("asinh", kLibmUlps),
    libm<std::acosh>("acosh", kLibmUlps),
    libm<std::erf>("erf", kLibmUlps),
    libm<std::floor>("floor", kExact),
    libm<std::ceil>("ceil", kExact),
    libm<std::trunc>("trunc", kExact),
    libm<std::nearbyint>("round", kExact),
    libm<std::nearbyint>("nearbyint", kExact),
    libm<std::fabs>("fabs", kExact),
    ScalarFunction{.name = "pow", .arity = 2, .binary = pow_of, .ulps = kLibmUlps},
    ScalarFunction{.name = "fmod", .arity = 2, .binary = fmod_of},
    ScalarFunction{.name = "atan2", .arity = 2, .binary = std::atan2, .ulps = kLibmUlps},
    ScalarFunction{.name = "hypot", .arity = 2, .binary = std::hypot, .ulps = kLibmUlps},
    ScalarFunction{.name = "copysign", .arity = 2, .binary = std::copysign},
    ScalarFunction{.name = "fma", .arity = 3, .ternary = std::fma},
    ScalarFunction{.name = "isnan", .test = is_nan},
    ScalarFunction{.name = "isinf", .test = is_inf},
    ScalarFunction{.name = "isfinite", .test = is_finite},
    ScalarFunction{.name = "bitwise_and", .arity = 2, .ints = bitwise_and},
    ScalarFunction{.name = "bitwise_or", .arity = 2, .ints = bitwise_or},
    ScalarFunction{.name = "bitwise_xor", .arity = 2, .ints = bitwise_xor},
    ScalarFunction{.name = "bitwise_not", .ints = bitwise_not},
    ScalarFunction{.name = "popcount", .ints = popcount},
    ScalarFunction{.name = "clz", .ints = leading_zeros},
};

}  // namespace

const ScalarFunction* find_scalar_function(std::string_view name) {
  const auto found = std::find_if(kScalarFunctions.begin(), kScalarFunctions.end(),
                                  [name](const ScalarFunction& row) { return row.name == name; });
  return found == kScalarFunctions.end() ? nullptr : &*found;
}

}  // namespace passdiff::tir
