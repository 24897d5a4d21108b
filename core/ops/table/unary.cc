// negative abs sign floor ceil round trunc nn.relu bitwise_not square clip, exp log sqrt rsqrt, and isfinite
// isinf isnan. Meaning measured on TVM 0.27 compiled for llvm; inference follows src/relax/op/tensor/unary.cc
// and op_common.h.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/ops/arithmetic.h"
#include "core/ops/literal.h"
#include "core/ops/unary.h"

namespace passdiff {
namespace {

Type infer_clip(const AnyTensor& x, const PrimType&, const PrimType&) {
  return x.type;
}

struct Negative {
  static double floats(double x) { return -x; }
  static std::uint64_t ints(auto x) { return 0 - static_cast<std::uint64_t>(x); }
};
struct Abs {
  static double floats(double x) { return std::fabs(x); }
  static std::uint64_t ints(auto x) {
    return x < 0 ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
  }
};
struct Sign {
  // Two compares and selects: the sign of NaN is 0.
  static double floats(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
  static std::uint64_t ints(auto x) { return static_cast<std::uint64_t>(x > 0 ? 1 : x < 0 ? -1 : 0); }
};
struct Relu {
  // max(x, 0) as a compare and a select: NaN becomes 0, and so does -0.
  static double floats(double x) { return x > 0 ? x : 0; }
  static std::uint64_t ints(auto x) { return x > 0 ? static_cast<std::uint64_t>(x) : 0; }
};
struct Unchanged {
  static std::uint64_t ints(auto x) { return static_cast<std::uint64_t>(x); }
};
struct Floor : Unchanged {
  static double floats(double x) { return std::floor(x); }
};
struct Ceil : Unchanged {
  static double floats(double x) { return std::ceil(x); }
};
struct Round : Unchanged {
  static double floats(double x) { return std::nearbyint(x); }  // ties to even
};
struct Trunc : Unchanged {
  static double floats(double x) { return std::trunc(x); }
};

struct Exp {
  static double floats(double x) { return std::exp(x); }
};
struct Log {
  static double floats(double x) { return std::log(x); }
};
struct Sqrt {
  static double floats(double x) { return std::sqrt(x); }
};
struct Rsqrt {
  static double floats(double x, const Steps& rounded) { return 1 / rounded(std::sqrt(x)); }
};

// The bits of floats cannot be told; TVM compiles no such call.
std::optional<Tensor> eval_bitwise_not(const Tensor& x) {
  if (is_float(x.dtype)) return std::nullopt;
  if (x.dtype == DType::boolean) return map_ints(x, [](auto v) { return v == 0; });
  return map_ints(x, [](auto v) { return ~v; });
}

// x * x.
Tensor eval_square(const Tensor& x, EvalContext& context) {
  return arithmetic<std::multiplies<>>(extents_of(x), context, x, x);
}

TensorType infer_test(const TensorType& x) {
  return make_tensor_type(x.shape, x.rank, DType::boolean, x.vdevice);
}

// Whether a predicate of doubles holds; integers are finite numbers.
template <class Holds>
Tensor eval_test(const Tensor& x) {
  const auto holds = [](auto v) -> std::int64_t { return Holds()(static_cast<double>(v)); };
  return std::visit(
      [&](const auto& values) { return Tensor{DType::boolean, map<std::int64_t>(values, holds)}; }, x.values);
}
struct IsFinite {
  bool operator()(double x) const { return std::isfinite(x); }
};
struct IsInf {
  bool operator()(double x) const { return std::isinf(x); }
};
struct IsNan {
  bool operator()(double x) const { return std::isnan(x); }
};

// negative and abs of the least value leave the range: they are `0 - x`, with nsw from 32 bits on.
template <class Op>
Tensor eval_negation(const Tensor& x, EvalContext& context) {
  if (overflow_is_undefined(x.dtype) && std::count(x.ints().begin(), x.ints().end(), int_min(x.dtype)) != 0)
    context.log.report(UndefinedRule::signed_overflow, "negation of the least " + std::string(dtype_name(x.dtype)));
  return eval_any<Op>(x);
}

double bound_as_double(const ScalarValue& bound) {
  if (const double* real = std::get_if<double>(&bound.value)) return *real;
  return static_cast<double>(*std::get_if<std::int64_t>(&bound.value));
}

// Bounds are cast to the tensor's dtype first: those of integers lose their fraction. `Int` is what elements are stored as.
template <class Int>
Int bound_as(const ScalarValue& bound, DType dtype) {
  const auto least = static_cast<Int>(int_min(dtype));
  const auto greatest = static_cast<Int>(int_max(dtype));
  if (const auto* integer = std::get_if<std::int64_t>(&bound.value)) {
    if (std::cmp_less(*integer, least)) return least;
    return std::cmp_greater(*integer, greatest) ? greatest : static_cast<Int>(*integer);
  }
  const double truncated = std::trunc(*std::get_if<double>(&bound.value));
  if (!(truncated > static_cast<double>(least))) return least;
  return truncated < static_cast<double>(greatest) ? static_cast<Int>(truncated) : greatest;
}

// max(min(x, high), low), each a compare and a select: NaN becomes `high`, and `low` wins if the bounds are
// reversed.
template <class T>
T clipped(T x, T low, T high) {
  const T capped = x < high ? x : high;
  return capped > low ? capped : low;
}

Tensor eval_clip(const Tensor& x, const ScalarValue& min, const ScalarValue& max, EvalContext& context) {
  if (is_float(x.dtype)) {
    const double low = round_float(x.dtype, bound_as_double(min), context.rounding);
    const double high = round_float(x.dtype, bound_as_double(max), context.rounding);
    return {x.dtype, map<double>(x.floats(), [=](double v) { return clipped(v, low, high); })};
  }
  return map_ints(x, [&]<class Int>(Int v) {
    return clipped(v, bound_as<Int>(min, x.dtype), bound_as<Int>(max, x.dtype));
  });
}

std::optional<CallDraft> generate_signed(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) {
    const DType dtype = choices.flip() ? DType::int64 : DType::int32;
    return CallDraft({full_constant(scope, dtype, {2}, int_min(dtype))});
  }
  // draw_any_tensor would bring least values by accident.
  const auto x = draw_tensor(choices, scope, kSignedDTypes);
  if (!x) return std::nullopt;
  return CallDraft({x->expr});
}

constexpr FillSpec kSmallFill;

std::optional<CallDraft> generate_square(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) {
    const DType dtype = choices.flip() ? DType::int64 : DType::int32;
    return CallDraft({full_constant(scope, dtype, {2}, scalar_max(dtype))});
  }
  return generate_filled<kSmallFill, kNumericDTypes>(choices, scope);
}

// TVM refuses negative bounds for unsigned tensors; fractional ones are cast to an integer tensor's dtype.
std::optional<CallDraft> generate_clip(Choices& choices, Scope& scope) {
  const auto x = draw_any_tensor(choices, scope, kNumericDTypes);
  if (!x) return std::nullopt;
  const bool is_unsigned = is_unsigned_int(*tensor_type_of(*x).dtype);
  const std::int64_t low = is_unsigned ? choices.integer(0, 3) : choices.integer(0, 8) - 4;
  const std::int64_t high = low + choices.integer(0, 5);
  if (!choices.one_in(3)) return CallDraft({x->expr, make_prim(low), make_prim(high)});
  const double fraction = choices.flip() ? 0.5 : 0.25;
  const double upper = static_cast<double>(high) + fraction;
  return CallDraft({x->expr, make_prim(static_cast<double>(low)), make_prim(upper)});
}

// The tests of bool and bfloat16 do not compile ("not supported for finiteness ops"), nor does the negation
// of floats' bits.
constexpr DTypes kTestedDTypes([](DType d) { return kNumericDTypes.has(d) && d != DType::bfloat16; });
constexpr DTypes kBitDTypes([](DType d) { return !is_float(d); });

}  // namespace

std::vector<OpDef> unary_rows() {
  constexpr Claims kExact{.elementwise = true};
  const auto of_ulps = [](double ulps) { return Claims{.elementwise = true, .ulps = ulps}; };
  return {
      op<infer_same, eval_negation<Abs>, generate_signed>("relax.abs", {"x"},
                                                          {.elementwise = true, .undefined = kOverflow}),
      op<infer_same, eval_negation<Negative>, generate_signed>("relax.negative", {"x"},
                                                               {.elementwise = true, .undefined = kOverflow}),
      op<infer_same, eval_any<Ceil>, generate_any<kAllDTypes>>("relax.ceil", {"x"}, kExact),
      op<infer_same, eval_any<Floor>, generate_any<kAllDTypes>>("relax.floor", {"x"}, kExact),
      op<infer_same, eval_any<Round>, generate_any<kAllDTypes>>("relax.round", {"x"}, kExact),
      op<infer_same, eval_any<Sign>, generate_any<kSignedDTypes>>("relax.sign", {"x"}, kExact),
      op<infer_same, eval_any<Relu>, generate_any<kNumericDTypes>>("relax.nn.relu", {"data"}, kExact),
      op<infer_clip, eval_clip, generate_clip>("relax.clip", {"x", "min", "max"}, kExact),
      op<infer_same, eval_any<Trunc>, generate_any<kAllDTypes>>("relax.trunc", {"x"}, kExact),
      op<infer_same, eval_bitwise_not, generate_any<kBitDTypes>>("relax.bitwise_not", {"x"}, kExact),
      op<infer_same, eval_square, generate_square>("relax.square", {"x"},
                                                   {.elementwise = true, .undefined = kOverflow}),
      op<infer_float, eval_float<Exp>, generate_filled<kModestFill>>("relax.exp", {"x"}, of_ulps(kExpUlps)),
      op<infer_float, eval_float<Log>, generate_filled<kPositiveFill>>("relax.log", {"x"}, of_ulps(kExpUlps)),
      op<infer_float, eval_float<Sqrt>, generate_filled<kPositiveFill>>("relax.sqrt", {"x"}, of_ulps(0)),
      op<infer_float, eval_float<Rsqrt>, generate_filled<kPositiveFill>>("relax.rsqrt", {"x"}, of_ulps(0)),
      op<infer_test, eval_test<IsFinite>, generate_any<kTestedDTypes>>("relax.isfinite", {"x"}, kExact),
      op<infer_test, eval_test<IsInf>, generate_any<kTestedDTypes>>("relax.isinf", {"x"}, kExact),
      op<infer_test, eval_test<IsNan>, generate_any<kTestedDTypes>>("relax.isnan", {"x"}, kExact),
  };
}

}  // namespace passdiff
