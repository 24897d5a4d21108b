// negative abs exp log sqrt tanh sigmoid floor ceil round sign nn.relu clip.
// Meaning measured on TVM 0.27 compiled for llvm; inference follows src/relax/op/tensor/unary.cc and
// op_common.h.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/ops/choices.h"
#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/family.h"
#include "core/ops/infer.h"
#include "core/ops/literal.h"

namespace passdiff {
namespace {

constexpr Param kParams[] = {{"x", ParamKind::tensor}};
constexpr Param kReluParams[] = {{"data", ParamKind::tensor}};
constexpr Param kClipParams[] = {
    {"x", ParamKind::tensor}, {"min", ParamKind::prim}, {"max", ParamKind::prim}};

Result<Type> infer_same(std::span<const ExprPtr> args, const Attrs&) {
  Result<const TensorType*> x = tensor_operand(args, 0);
  if (!x) return x.error();
  return Type(**x);
}

Result<Type> infer_float(std::span<const ExprPtr> args, const Attrs&) {
  Result<const TensorType*> x = tensor_operand(args, 0);
  if (!x) return x.error();
  if ((*x)->dtype && !is_float(*(*x)->dtype)) {
    return Error{"type.dtype", std::string(dtype_name(*(*x)->dtype)) + " is no float dtype"};
  }
  return Type(**x);
}

Result<Type> infer_clip(std::span<const ExprPtr> args, const Attrs& attrs) {
  for (std::size_t i = 1; i < 3; ++i) {
    if (!args[i]->type.as_prim()) return Error{"type.operand", "clip: bound is " + to_string(args[i]->type)};
  }
  return infer_same(args, attrs);
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

template <class Op>
Value eval_float(std::span<const Value> args, const Attrs&, const Type&, EvalContext& context) {
  const Tensor& x = args[0].tensor();
  CHECK(is_float(x.dtype)) << dtype_name(x.dtype);
  return make_tensor(round_floats(x.dtype, map<double>(x.floats(), Op::floats), context.rounding));
}

// Every op here but negative and abs of the least value stays in range: those two are `0 - x` with nsw from
// 32 bits on.
void check_least_value(const Tensor& x, EvalContext& context) {
  if (x.dtype != DType::int32 && x.dtype != DType::int64) return;
  const std::int64_t* data = x.ints().data();
  if (std::find(data, data + x.size(), int_min(x.dtype)) == data + x.size()) return;
  context.log.report(UndefinedRule::signed_overflow,
                     "negation of the least " + std::string(dtype_name(x.dtype)));
}

template <class Op>
Value eval_any(std::span<const Value> args, const Attrs&, const Type&, EvalContext& context) {
  const Tensor& x = args[0].tensor();
  if (is_float(x.dtype)) return make_tensor(Tensor{x.dtype, map<double>(x.floats(), Op::floats)});
  if (carrier_of(x.dtype) == Carrier::ints) {
    if constexpr (std::is_same_v<Op, Negative> || std::is_same_v<Op, Abs>) check_least_value(x, context);
    const auto f = [](std::int64_t v) { return static_cast<std::int64_t>(Op::ints(v)); };
    return make_tensor(wrap_ints(x.dtype, map<std::int64_t>(x.ints(), f)));
  }
  const auto f = [](std::uint64_t v) { return Op::ints(static_cast<std::int64_t>(v)); };
  return make_tensor(wrap_uints(x.dtype, map<std::uint64_t>(x.uints(), f)));
}

double bound_as_double(const ScalarValue& bound) {
  if (const double* real = std::get_if<double>(&bound.value)) return *real;
  return static_cast<double>(*std::get_if<std::int64_t>(&bound.value));
}

// Bounds are cast to the tensor's dtype first: those of integers lose their fraction.
std::int64_t bound_as_int(const ScalarValue& bound, DType dtype) {
  const std::int64_t* integer = std::get_if<std::int64_t>(&bound.value);
  if (integer) return std::clamp(*integer, int_min(dtype), int_max(dtype));
  const double truncated = std::trunc(*std::get_if<double>(&bound.value));
  if (!(truncated > static_cast<double>(int_min(dtype)))) return int_min(dtype);
  return truncated < static_cast<double>(int_max(dtype)) ? static_cast<std::int64_t>(truncated)
                                                         : int_max(dtype);
}

// max(min(x, high), low), each a compare and a select: NaN becomes `high`, and `low` wins if the bounds are
// reversed.
template <class T>
T clipped(T x, T low, T high) {
  const T capped = x < high ? x : high;
  return capped > low ? capped : low;
}

Value eval_clip(std::span<const Value> args, const Attrs&, const Type&, EvalContext& context) {
  const Tensor& x = args[0].tensor();
  const ScalarValue& low = args[1].scalar();
  const ScalarValue& high = args[2].scalar();
  if (is_float(x.dtype)) {
    const double least = round_float(x.dtype, bound_as_double(low), context.rounding);
    const double most = round_float(x.dtype, bound_as_double(high), context.rounding);
    const auto f = [=](double v) { return clipped(v, least, most); };
    return make_tensor(Tensor{x.dtype, map<double>(x.floats(), f)});
  }
  const std::int64_t least = bound_as_int(low, x.dtype);
  const std::int64_t most = bound_as_int(high, x.dtype);
  if (carrier_of(x.dtype) == Carrier::ints) {
    const auto f = [=](std::int64_t v) { return clipped(v, least, most); };
    return make_tensor(Tensor{x.dtype, map<std::int64_t>(x.ints(), f)});
  }
  const auto f = [=](std::uint64_t v) {
    return static_cast<std::uint64_t>(clipped(static_cast<std::int64_t>(v), least, most));
  };
  return make_tensor(Tensor{x.dtype, map<std::uint64_t>(x.uints(), f)});
}

template <DTypes dtypes>
std::optional<CallDraft> generate_any(Choices& choices, Scope& scope) {
  const auto x = draw_any_tensor(choices, scope, dtypes);
  if (!x) return std::nullopt;
  return CallDraft{{x->expr}, {}};
}

std::optional<CallDraft> generate_signed(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) {
    const DType dtype = choices.flip() ? DType::int64 : DType::int32;
    return CallDraft{{full_constant(scope, dtype, {2}, int_min(dtype))}, {}};
  }
  // draw_any_tensor would bring least values by accident.
  const auto x = draw_tensor(choices, scope, kSignedDTypes);
  if (!x) return std::nullopt;
  return CallDraft{{x->expr}, {}};
}

// Within this magnitude exp keeps every float dtype in range, and sigmoid keeps its digits in float16.
constexpr FillSpec kModest{.magnitude = 8};
constexpr FillSpec kPositive{.fill = Fill::positive};

template <const FillSpec& fill>
std::optional<CallDraft> generate_float(Choices& choices, Scope& scope) {
  const auto x = draw_tensor(choices, scope, kFloatDTypes, fill);
  if (!x) return std::nullopt;
  return CallDraft{{x->expr}, {}};
}

// TVM refuses negative bounds for unsigned tensors; fractional ones are cast to an integer tensor's dtype.
std::optional<CallDraft> generate_clip(Choices& choices, Scope& scope) {
  const auto x = draw_any_tensor(choices, scope, kNumericDTypes);
  if (!x) return std::nullopt;
  const bool is_unsigned = tensor_type_of(*x).dtype == DType::uint8;
  const std::int64_t low = is_unsigned ? choices.integer(0, 3) : choices.integer(0, 8) - 4;
  const std::int64_t high = low + choices.integer(0, 5);
  if (!choices.one_in(3)) return CallDraft{{x->expr, prim_literal(low), prim_literal(high)}, {}};
  const double fraction = choices.flip() ? 0.5 : 0.25;
  const double upper = static_cast<double>(high) + fraction;
  return CallDraft{{x->expr, prim_literal(static_cast<double>(low)), prim_literal(upper)}, {}};
}

constexpr UndefinedRule kOverflow[] = {UndefinedRule::signed_overflow};
constexpr Trait kIdempotent = Trait::elementwise | Trait::idempotent;

// Largest errors measured over 16,000 values per float dtype: exp and log 0.51 ulp; sigmoid 2.3 for |x| <= 8;
// tanh loses about one ulp of 1 (267 ulps at 4e-4, 3 above 0.25).
constexpr OpDef kOps[] = {
    {{"relax.abs"},
     .params = kParams,
     .traits = kIdempotent,
     .undefined = kOverflow,
     .infer = infer_same,
     .eval = eval_any<Abs>,
     .generate = generate_signed},
    {{"relax.ceil"},
     .params = kParams,
     .traits = kIdempotent,
     .infer = infer_same,
     .eval = eval_any<Ceil>,
     .generate = generate_any<kAllDTypes>},
    {{"relax.clip"},
     .params = kClipParams,
     .traits = kIdempotent,
     .infer = infer_clip,
     .eval = eval_clip,
     .generate = generate_clip},
    {{"relax.exp"},
     .params = kParams,
     .traits = Trait::elementwise,
     .ulps = 2,
     .infer = infer_float,
     .eval = eval_float<Exp>,
     .generate = generate_float<kModest>},
    {{"relax.floor"},
     .params = kParams,
     .traits = kIdempotent,
     .infer = infer_same,
     .eval = eval_any<Floor>,
     .generate = generate_any<kAllDTypes>},
    {{"relax.log"},
     .params = kParams,
     .traits = Trait::elementwise,
     .ulps = 2,
     .infer = infer_float,
     .eval = eval_float<Log>,
     .generate = generate_float<kPositive>},
    {{"relax.negative"},
     .params = kParams,
     .traits = Trait::elementwise,
     .undefined = kOverflow,
     .infer = infer_same,
     .eval = eval_any<Negative>,
     .generate = generate_signed},
    {{"relax.nn.relu"},
     .params = kReluParams,
     .traits = kIdempotent,
     .infer = infer_same,
     .eval = eval_any<Relu>,
     .generate = generate_any<kNumericDTypes>},
    {{"relax.round"},
     .params = kParams,
     .traits = kIdempotent,
     .infer = infer_same,
     .eval = eval_any<Round>,
     .generate = generate_any<kAllDTypes>},
    {{"relax.sigmoid"},
     .params = kParams,
     .traits = Trait::elementwise,
     .ulps = 4,
     .infer = infer_float,
     .eval = eval_float<Sigmoid>,
     .generate = generate_float<kModest>},
    {{"relax.sign"},
     .params = kParams,
     .traits = kIdempotent,
     .infer = infer_same,
     .eval = eval_any<Sign>,
     .generate = generate_any<kSignedDTypes>},
    {{"relax.sqrt"},
     .params = kParams,
     .traits = Trait::elementwise,
     .infer = infer_float,
     .eval = eval_float<Sqrt>,
     .generate = generate_float<kPositive>},
    {{"relax.tanh"},
     .params = kParams,
     .traits = Trait::elementwise,
     .ulps = 512,
     .infer = infer_float,
     .eval = eval_float<Tanh>,
     .generate = generate_float<kModest>},
};

}  // namespace

std::span<const OpDef> unary_ops() {
  return kOps;
}

}  // namespace passdiff
