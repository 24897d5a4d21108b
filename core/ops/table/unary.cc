// negative abs exp log sqrt tanh sigmoid erf floor ceil round sign nn.relu clip.
// Meaning measured on TVM 0.27 compiled for llvm; inference follows src/relax/op/tensor/unary.cc and
// op_common.h.
#include <algorithm>
#include <cmath>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/literal.h"
#include "core/ops/row.h"

namespace passdiff {
namespace {

Type infer_same(const AnyTensor& x) {
  return x.type;
}

Result<Type> infer_float(const AnyTensor& x) {
  if (x.tensor.dtype && !is_float(*x.tensor.dtype)) {
    return Error{"type.dtype", std::string(dtype_name(*x.tensor.dtype)) + " is no float dtype"};
  }
  return x.type;
}

Type infer_clip(const AnyTensor& x, const PrimType&, const PrimType&) {
  return x.type;
}

struct Negative {
  static double floats(double x) { return -x; }
  static std::uint64_t ints(std::int64_t x) { return 0 - static_cast<std::uint64_t>(x); }
};
struct Abs {
  static double floats(double x) { return std::fabs(x); }
  static std::uint64_t ints(std::int64_t x) {
    return x < 0 ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
  }
};
struct Sign {
  // Two compares and selects: the sign of NaN is 0.
  static double floats(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
  static std::uint64_t ints(std::int64_t x) { return static_cast<std::uint64_t>(x > 0 ? 1 : x < 0 ? -1 : 0); }
};
struct Relu {
  // max(x, 0) as a compare and a select: NaN becomes 0, and so does -0.
  static double floats(double x) { return x > 0 ? x : 0; }
  static std::uint64_t ints(std::int64_t x) { return x > 0 ? static_cast<std::uint64_t>(x) : 0; }
};
struct Unchanged {
  static std::uint64_t ints(std::int64_t x) { return static_cast<std::uint64_t>(x); }
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

struct Exp {
  static double floats(double x) { return std::exp(x); }
};
struct Log {
  static double floats(double x) { return std::log(x); }
};
struct Sqrt {
  static double floats(double x) { return std::sqrt(x); }
};
struct Tanh {
  // A quotient of exponentials in TVM (DispatchNumericalStableTanh): the sign of zero is lost.
  static double floats(double x) { return x == 0 ? 0 : std::tanh(x); }
};
struct Sigmoid {
  static double floats(double x) { return 1 / (1 + std::exp(-x)); }
};

struct Erf {
  static double floats(double x) { return std::erf(x); }
};

template <class Op>
Tensor eval_float(const Tensor& x, EvalContext& context) {
  CHECK(is_float(x.dtype)) << dtype_name(x.dtype);
  return round_floats(x.dtype, map<double>(x.floats(), Op::floats), context.rounding);
}

template <class Op>
Tensor eval_any(const Tensor& x) {
  if (is_float(x.dtype)) return {x.dtype, map<double>(x.floats(), Op::floats)};
  return map_ints(x, Op::ints);
}

// negative and abs of the least value leave the range: they are `0 - x`, with nsw from 32 bits on.
template <class Op>
Tensor eval_negation(const Tensor& x, EvalContext& context) {
  const bool undefined = x.dtype == DType::int32 || x.dtype == DType::int64;
  const auto is_least = [&](std::int64_t v) { return v == int_min(x.dtype); };
  if (undefined && std::any_of(x.ints().data(), x.ints().data() + x.size(), is_least)) {
    context.log.report(UndefinedRule::signed_overflow,
                       "negation of the least " + std::string(dtype_name(x.dtype)));
  }
  return eval_any<Op>(x);
}

double bound_as_double(const ScalarValue& bound) {
  if (const double* real = std::get_if<double>(&bound.value)) return *real;
  return static_cast<double>(*std::get_if<std::int64_t>(&bound.value));
}

// Bounds are cast to the tensor's dtype first: those of integers lose their fraction.
std::int64_t bound_as_int(const ScalarValue& bound, DType dtype) {
  const std::int64_t* integer = std::get_if<std::int64_t>(&bound.value);
  if (integer) return std::clamp(*integer, int_min(dtype), scalar_max(dtype));
  const double truncated = std::trunc(*std::get_if<double>(&bound.value));
  if (!(truncated > static_cast<double>(int_min(dtype)))) return int_min(dtype);
  return truncated < static_cast<double>(scalar_max(dtype)) ? static_cast<std::int64_t>(truncated)
                                                            : scalar_max(dtype);
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
  const std::int64_t low = bound_as_int(min, x.dtype);
  const std::int64_t high = bound_as_int(max, x.dtype);
  return map_ints(x, [=](std::int64_t v) { return clipped(v, low, high); });
}

template <DTypes dtypes>
std::optional<CallDraft> generate_any(Choices& choices, Scope& scope) {
  const auto x = draw_any_tensor(choices, scope, dtypes);
  if (!x) return std::nullopt;
  return CallDraft({x->expr});
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

// Within this magnitude exp keeps every float dtype in range, and sigmoid keeps its digits in float16.
constexpr FillSpec kModest{.magnitude = 8};
constexpr FillSpec kPositive{.fill = Fill::positive};

template <const FillSpec& fill>
std::optional<CallDraft> generate_float(Choices& choices, Scope& scope) {
  const auto x = draw_tensor(choices, scope, kFloatDTypes, fill);
  if (!x) return std::nullopt;
  return CallDraft({x->expr});
}

// TVM refuses negative bounds for unsigned tensors; fractional ones are cast to an integer tensor's dtype.
std::optional<CallDraft> generate_clip(Choices& choices, Scope& scope) {
  const auto x = draw_any_tensor(choices, scope, kNumericDTypes);
  if (!x) return std::nullopt;
  const bool is_unsigned = is_unsigned_int(*tensor_type_of(*x).dtype);
  const std::int64_t low = is_unsigned ? choices.integer(0, 3) : choices.integer(0, 8) - 4;
  const std::int64_t high = low + choices.integer(0, 5);
  if (!choices.one_in(3)) return CallDraft({x->expr, prim_literal(low), prim_literal(high)});
  const double fraction = choices.flip() ? 0.5 : 0.25;
  const double upper = static_cast<double>(high) + fraction;
  return CallDraft({x->expr, prim_literal(static_cast<double>(low)), prim_literal(upper)});
}

constexpr UndefinedRule kOverflow[] = {UndefinedRule::signed_overflow};

// TVM's accuracy in ulps, from the largest errors measured over 16,000 values per float dtype: exp, log and erf 0.55; sigmoid 2.3
// for |x| <= 8; tanh loses about one ulp of 1 (267 ulps at 4e-4, 3 above 0.25).
constexpr double kExpUlps = 2;
constexpr double kSigmoidUlps = 4;
constexpr double kTanhUlps = 512;

}  // namespace

std::vector<OpDef> unary_rows() {
  constexpr Claims kExact{.elementwise = true};
  const auto of_ulps = [](double ulps) { return Claims{.elementwise = true, .ulps = ulps}; };
  return {
      op<infer_same, eval_negation<Abs>, generate_signed>("relax.abs", {"x"},
                                                          {.elementwise = true, .undefined = kOverflow}),
      op<infer_same, eval_negation<Negative>, generate_signed>(
          "relax.negative", {"x"}, {.elementwise = true, .undefined = kOverflow}),
      op<infer_same, eval_any<Ceil>, generate_any<kAllDTypes>>("relax.ceil", {"x"}, kExact),
      op<infer_same, eval_any<Floor>, generate_any<kAllDTypes>>("relax.floor", {"x"}, kExact),
      op<infer_same, eval_any<Round>, generate_any<kAllDTypes>>("relax.round", {"x"}, kExact),
      op<infer_same, eval_any<Sign>, generate_any<kSignedDTypes>>("relax.sign", {"x"}, kExact),
      op<infer_same, eval_any<Relu>, generate_any<kNumericDTypes>>("relax.nn.relu", {"data"}, kExact),
      op<infer_clip, eval_clip, generate_clip>("relax.clip", {"x", "min", "max"}, kExact),
      op<infer_float, eval_float<Exp>, generate_float<kModest>>("relax.exp", {"x"}, of_ulps(kExpUlps)),
      op<infer_float, eval_float<Erf>, generate_any<kFloatDTypes>>("relax.erf", {"x"}, of_ulps(kExpUlps)),
      op<infer_float, eval_float<Log>, generate_float<kPositive>>("relax.log", {"x"}, of_ulps(kExpUlps)),
      op<infer_float, eval_float<Sqrt>, generate_float<kPositive>>("relax.sqrt", {"x"}, of_ulps(0)),
      op<infer_float, eval_float<Sigmoid>, generate_float<kModest>>("relax.sigmoid", {"x"},
                                                                    of_ulps(kSigmoidUlps)),
      op<infer_float, eval_float<Tanh>, generate_float<kModest>>("relax.tanh", {"x"}, of_ulps(kTanhUlps)),
  };
}

}  // namespace passdiff
