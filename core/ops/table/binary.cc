// add subtract multiply divide floor_divide mod floor_mod power maximum minimum.
// Meaning measured on TVM 0.27 compiled for llvm; inference follows src/relax/op/tensor/binary.cc.
#include <cmath>
#include <functional>
#include <string>

#include "core/ops/arithmetic.h"
#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/steps.h"

namespace passdiff {
namespace {

template <class F>
Tensor pairwise(const Tensor& a, const Tensor& b, const Extents& extents, EvalContext& context) {
  return arithmetic<F>(extents, context, a, b);
}

// TVM has no code for powers of integers ("power only applies to float"); ours wrap, and 1 / x truncates.
struct Power {
  double operator()(double a, double b) const { return std::pow(a, b); }
  std::uint64_t operator()(std::uint64_t base, std::uint64_t exponent) const {
    std::uint64_t result = 1;
    for (; exponent != 0; exponent >>= 1, base *= base) {
      if ((exponent & 1) != 0) result *= base;
    }
    return result;
  }
  Int128 operator()(Int128 a, Int128 b) const {
    if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
    return static_cast<std::int64_t>((*this)(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
  }
};

// Max and Min are a compare and a select (codegen_llvm.cc): beside a NaN, or between zeros, the right operand is taken.
struct Maximum {
  auto operator()(auto a, auto b) const { return a > b ? a : b; }
};
struct Minimum {
  auto operator()(auto a, auto b) const { return a < b ? a : b; }
};

// relax.divide of integers truncates: topi.divide becomes LLVM's sdiv.
struct Divide {
  static double floats(double a, double b, const Steps&) { return a / b; }
  static auto ints(auto a, auto b) { return a / b; }
};

struct FloorDivide {
  static double floats(double a, double b, const Steps& rounded) { return std::floor(rounded(a / b)); }
  template <class Int>
  static Int ints(Int a, Int b) {
    return a / b - Int{a % b != 0 && (a < 0) != (b < 0)};
  }
};

// relax.mod has the sign of the dividend, as C's % and fmod; floor_mod that of the divisor.
struct Mod {
  static double floats(double a, double b, const Steps&) { return std::fmod(a, b); }
  static auto ints(auto a, auto b) { return a % b; }
};

struct FloorMod {
  // Lowered to a - floor(a / b) * b, so 5 floor_mod inf is NaN and not 5.
  static double floats(double a, double b, const Steps& rounded) {
    return a - rounded(std::floor(rounded(a / b)) * b);
  }
  template <class Int>
  static Int ints(Int a, Int b) {
    const Int remainder = a % b;
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
  }
};

// LLVM's sdiv and srem of any width are undefined for a zero divisor and for the least value divided by -1.
template <class Op>
Tensor division(const Tensor& a, const Tensor& b, const Extents& extents, EvalContext& context) {
  const DType dtype = a.dtype;
  if (is_float(dtype)) return zip_floats<Op>(a, b, extents, context);
  bool any_by_zero = false;
  bool any_overflow = false;
  const auto element = [&, least = int_min(dtype)]<class Int>(Int x, Int y) -> Int {
    const bool by_zero = y == 0;
    const bool overflow = std::cmp_equal(y, -1) && std::cmp_equal(x, least);
    any_by_zero |= by_zero;
    any_overflow |= overflow;
    return by_zero || overflow ? 0 : Op::ints(x, y);
  };
  Tensor result{dtype, {}};
  if (storage_of(dtype) == Storage::ints) {
    result.values = zip<std::int64_t>(extents, element, a.ints(), b.ints());
  } else {
    result.values = zip<std::uint64_t>(extents, element, a.uints(), b.uints());
  }
  if (any_by_zero) context.log.report(UndefinedRule::division_by_zero, "divisor 0");
  if (any_overflow) {
    context.log.report(UndefinedRule::division_overflow,
                       "least " + std::string(dtype_name(dtype)) + " divided by -1");
  }
  return result;
}

template <auto compute>
TensorPtr eval_pair(const Tensor& x1, const Tensor& x2, const Type& result, EvalContext& context) {
  return compute_pair(x1, x2, result, context, [&](const Tensor& a, const Tensor& b, const Extents& extents) {
    return compute(a, b, extents, context);
  });
}

// The extreme value of int32 or int64 and an operand that drives the result beyond it.
template <bool at_maximum, int partner>
CallDraft draw_overflow(Choices& choices, Scope& scope) {
  const DType dtype = choices.flip() ? DType::int64 : DType::int32;
  const std::int64_t extreme = at_maximum ? scalar_max(dtype) : int_min(dtype);
  return {
      {full_constant(scope, dtype, {2}, extreme), full_constant(scope, dtype, {2}, std::int64_t{partner})}};
}

template <bool at_maximum, int partner>
std::optional<CallDraft> generate_wrapping(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) return draw_overflow<at_maximum, partner>(choices, scope);
  return draw_pair(choices, scope, {});
}

template <DTypes dtypes>
std::optional<CallDraft> generate_division(Choices& choices, Scope& scope) {
  if (!scope.allow_undefined(choices))
    return draw_pair(choices, scope, {.dtypes = dtypes, .right = Fill::nonzero});
  if (choices.flip()) return draw_overflow<false, -1>(choices, scope);
  const auto dividend = draw_tensor(choices, scope, kIntDTypes);
  if (!dividend || dividend->value.tensor().size() == 0) return std::nullopt;
  const DType dtype = *tensor_type_of(*dividend).dtype;
  return CallDraft({dividend->expr, full_constant(scope, dtype, {}, std::int64_t{0})});
}

// mod of bfloat16 does not compile: its lowering leaves a bfloat16 value in a uint16 buffer.
constexpr DTypes kModDTypes([](DType d) { return kNumericDTypes.has(d) && d != DType::bfloat16; });
// Powers compile for these dtypes alone. Small operands: 3 ** 3 is exact and in range in all of them.
constexpr PairRule kPowerRule{
    .dtypes = {DType::float16, DType::float32, DType::float64}, .left = Fill::positive, .magnitude = 4};
constexpr PairRule kExtremumRule{.any_values = true};

constexpr UndefinedRule kByZero[] = {UndefinedRule::division_by_zero, UndefinedRule::division_overflow};
constexpr Claims kRing{.elementwise = true, .undefined = kOverflow, .weight = 3};
constexpr Claims kDivision{.elementwise = true, .undefined = kByZero};
constexpr Claims kExtremum{.elementwise = true};

template <auto compute, auto generate>
OpDef row(std::string_view name, const Claims& claims) {
  return op<infer_elementwise, eval_pair<compute>, generate>(name, {"x1", "x2"}, claims);
}

}  // namespace

std::vector<OpDef> binary_rows() {
  return {
      row<pairwise<std::plus<>>, generate_wrapping<true, 1>>("relax.add", kRing),
      row<pairwise<std::minus<>>, generate_wrapping<false, 1>>("relax.subtract", kRing),
      row<pairwise<std::multiplies<>>, generate_wrapping<true, 2>>("relax.multiply", kRing),
      // pow of libm: 0.5 ulp measured over (0.1, 10) to the power of (-3, 3).
      row<pairwise<Power>, generate_pair<kPowerRule>>("relax.power", {.elementwise = true, .ulps = 2}),
      row<pairwise<Maximum>, generate_pair<kExtremumRule>>("relax.maximum", kExtremum),
      row<pairwise<Minimum>, generate_pair<kExtremumRule>>("relax.minimum", kExtremum),
      row<division<Divide>, generate_division<kNumericDTypes>>("relax.divide", kDivision),
      row<division<FloorDivide>, generate_division<kNumericDTypes>>("relax.floor_divide", kDivision),
      row<division<Mod>, generate_division<kModDTypes>>("relax.mod", kDivision),
      row<division<FloorMod>, generate_division<kNumericDTypes>>("relax.floor_mod", kDivision),
  };
}

}  // namespace passdiff
