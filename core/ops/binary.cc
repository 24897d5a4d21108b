// add subtract multiply divide floor_divide mod floor_mod power maximum minimum.
// Meaning measured on TVM 0.27 compiled for llvm; inference follows src/relax/op/tensor/binary.cc.
#include <cmath>
#include <limits>
#include <string>

#include "core/ops/choices.h"
#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/family.h"
#include "core/ops/infer.h"

namespace passdiff {
namespace {

constexpr Param kParams[] = {{"x1", ParamKind::tensor}, {"x2", ParamKind::tensor}};

Result<Type> infer_arithmetic(std::span<const ExprPtr> args, const Attrs&) {
  Result<const TensorType*> a = tensor_operand(args, 0);
  if (!a) return a.error();
  Result<const TensorType*> b = tensor_operand(args, 1);
  if (!b) return b.error();
  Result<std::optional<DType>> dtype = unify_dtypes((*a)->dtype, (*b)->dtype);
  if (!dtype) return dtype.error();
  Result<std::optional<int>> vdevice = unify_vdevices(**a, **b);
  if (!vdevice) return vdevice.error();
  Result<TensorType> type = broadcast_types(**a, **b, *dtype);
  if (!type) return type.error();
  type->vdevice = *vdevice;
  return Type(std::move(*type));
}

// Ops of several steps round after each one, as TVM's generated code does.
struct Step {
  DType dtype;
  Rounding& rounding;
  double operator()(double value) const { return round_float(dtype, value, rounding); }
};

// What integer elements did beside computing a value. The first fault is described, the rest are of no
// interest.
struct IntFaults {
  bool by_zero = false;
  bool quotient_overflow = false;
  bool overflow = false;  // of int64; narrower dtypes are checked against their range
};

struct Add {
  static double floats(double a, double b, const Step&) { return a + b; }
  static std::int64_t ints(std::int64_t a, std::int64_t b, DType, IntFaults& faults) {
    std::int64_t result = 0;
    faults.overflow |= __builtin_add_overflow(a, b, &result);
    return result;
  }
  static std::uint64_t uints(std::uint64_t a, std::uint64_t b, IntFaults&) { return a + b; }
};

struct Subtract {
  static double floats(double a, double b, const Step&) { return a - b; }
  static std::int64_t ints(std::int64_t a, std::int64_t b, DType, IntFaults& faults) {
    std::int64_t result = 0;
    faults.overflow |= __builtin_sub_overflow(a, b, &result);
    return result;
  }
  static std::uint64_t uints(std::uint64_t a, std::uint64_t b, IntFaults&) { return a - b; }
};

struct Multiply {
  static double floats(double a, double b, const Step&) { return a * b; }
  static std::int64_t ints(std::int64_t a, std::int64_t b, DType, IntFaults& faults) {
    std::int64_t result = 0;
    faults.overflow |= __builtin_mul_overflow(a, b, &result);
    return result;
  }
  static std::uint64_t uints(std::uint64_t a, std::uint64_t b, IntFaults&) { return a * b; }
};

// LLVM's sdiv and srem of any width are undefined for a zero divisor and for the least value divided by -1.
bool is_undefined_division(std::int64_t a, std::int64_t b, DType dtype, IntFaults& faults) {
  const bool zero = b == 0;
  const bool overflow = b == -1 && a == int_min(dtype);
  faults.by_zero |= zero;
  faults.quotient_overflow |= overflow;
  return zero || overflow;
}

// relax.divide of integers truncates: topi.divide becomes LLVM's sdiv.
struct Divide {
  static double floats(double a, double b, const Step&) { return a / b; }
  static std::int64_t ints(std::int64_t a, std::int64_t b, DType dtype, IntFaults& faults) {
    return is_undefined_division(a, b, dtype, faults) ? 0 : a / b;
  }
  static std::uint64_t uints(std::uint64_t a, std::uint64_t b, IntFaults& faults) {
    faults.by_zero |= b == 0;
    return b == 0 ? 0 : a / b;
  }
};

struct FloorDivide {
  static double floats(double a, double b, const Step& step) { return std::floor(step(a / b)); }
  static std::int64_t ints(std::int64_t a, std::int64_t b, DType dtype, IntFaults& faults) {
    if (is_undefined_division(a, b, dtype, faults)) return 0;
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
  }
  static std::uint64_t uints(std::uint64_t a, std::uint64_t b, IntFaults& faults) {
    return Divide::uints(a, b, faults);
  }
};

// relax.mod has the sign of the dividend, as C's % and fmod; floor_mod that of the divisor.
struct Mod {
  static double floats(double a, double b, const Step&) { return std::fmod(a, b); }
  static std::int64_t ints(std::int64_t a, std::int64_t b, DType dtype, IntFaults& faults) {
    return is_undefined_division(a, b, dtype, faults) ? 0 : a % b;
  }
  static std::uint64_t uints(std::uint64_t a, std::uint64_t b, IntFaults& faults) {
    faults.by_zero |= b == 0;
    return b == 0 ? 0 : a % b;
  }
};

struct FloorMod {
  // Lowered to a - floor(a / b) * b, so 5 floor_mod inf is NaN and not 5.
  static double floats(double a, double b, const Step& step) {
    const double quotient = std::floor(step(a / b));
    return a - step(quotient * b);
  }
  static std::int64_t ints(std::int64_t a, std::int64_t b, DType dtype, IntFaults& faults) {
    if (is_undefined_division(a, b, dtype, faults)) return 0;
    const std::int64_t remainder = a % b;
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
  }
  static std::uint64_t uints(std::uint64_t a, std::uint64_t b, IntFaults& faults) {
    return Mod::uints(a, b, faults);
  }
};

// TVM has no code for powers of integers ("power only applies to float"); ours wrap, and 1 / x truncates.
struct Power {
  static double floats(double a, double b, const Step&) { return std::pow(a, b); }
  static std::int64_t ints(std::int64_t a, std::int64_t b, DType, IntFaults&) {
    if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
    return static_cast<std::int64_t>(wrapped(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
  }
  static std::uint64_t uints(std::uint64_t a, std::uint64_t b, IntFaults&) { return wrapped(a, b); }

 private:
  static std::uint64_t wrapped(std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t result = 1;
    for (; exponent != 0; exponent >>= 1, base *= base) {
      if ((exponent & 1) != 0) result *= base;
    }
    return result;
  }
};

// Max and Min are a compare and a select (codegen_llvm.cc): beside a NaN, or between zeros, the right operand
// is taken.
struct Maximum {
  static double floats(double a, double b, const Step&) { return a > b ? a : b; }
  static std::int64_t ints(std::int64_t a, std::int64_t b, DType, IntFaults&) { return a > b ? a : b; }
  static std::uint64_t uints(std::uint64_t a, std::uint64_t b, IntFaults&) { return a > b ? a : b; }
};

struct Minimum {
  static double floats(double a, double b, const Step&) { return a < b ? a : b; }
  static std::int64_t ints(std::int64_t a, std::int64_t b, DType, IntFaults&) { return a < b ? a : b; }
  static std::uint64_t uints(std::uint64_t a, std::uint64_t b, IntFaults&) { return a < b ? a : b; }
};

void report(const IntFaults& faults, DType dtype, EvalContext& context) {
  if (faults.by_zero) context.log.report(UndefinedRule::division_by_zero, "divisor 0");
  if (faults.quotient_overflow) {
    context.log.report(UndefinedRule::division_overflow,
                       "least " + std::string(dtype_name(dtype)) + " divided by -1");
  }
  if (faults.overflow) {
    context.log.report(UndefinedRule::signed_overflow, "result outside " + std::string(dtype_name(dtype)));
  }
}

// From 32 bits on TVM emits `nsw` (DEFINE_CODEGEN_BINARY_OP in codegen_llvm.cc); narrower integers wrap.
bool overflow_is_undefined(DType dtype) {
  return dtype == DType::int32 || dtype == DType::int64;
}

template <class Op>
Tensor compute_ints(const Tensor& a, const Tensor& b, const Extents& extents, EvalContext& context) {
  const DType dtype = a.dtype;
  IntFaults faults;
  bool in_range = true;
  const std::int64_t low = int_min(dtype);
  const std::int64_t high = int_max(dtype);
  Tensor::Ints result = zip<std::int64_t>(a.ints(), b.ints(), extents, [&](std::int64_t x, std::int64_t y) {
    const std::int64_t value = Op::ints(x, y, dtype, faults);
    in_range &= value >= low && value <= high;
    return value;
  });
  faults.overflow = overflow_is_undefined(dtype) && (faults.overflow || !in_range);
  report(faults, dtype, context);
  return wrap_ints(dtype, std::move(result));
}

template <class Op>
Tensor compute(const Tensor& a, const Tensor& b, const Extents& extents, EvalContext& context) {
  const DType dtype = a.dtype;
  if (is_float(dtype)) {
    const Step step{dtype, context.rounding};
    Tensor::Floats result = zip<double>(a.floats(), b.floats(), extents,
                                        [&](double x, double y) { return Op::floats(x, y, step); });
    return round_floats(dtype, std::move(result), context.rounding);
  }
  if (carrier_of(dtype) == Carrier::ints) return compute_ints<Op>(a, b, extents, context);
  IntFaults faults;
  Tensor::UInts result =
      zip<std::uint64_t>(a.uints(), b.uints(), extents,
                         [&](std::uint64_t x, std::uint64_t y) { return Op::uints(x, y, faults); });
  report(faults, dtype, context);
  return wrap_uints(dtype, std::move(result));
}

template <class Op>
Value eval_arithmetic(std::span<const Value> args, const Attrs&, const Type& result, EvalContext& context) {
  const Tensor& a = args[0].tensor();
  const Tensor& b = args[1].tensor();
  const std::optional<Extents> extents = broadcast_extents(extents_of(a), extents_of(b));
  if (!extents) {
    report_broadcast_mismatch(context);
    return any_value(a.dtype);
  }
  if (a.dtype == b.dtype) return make_tensor(compute<Op>(a, b, *extents, context));
  // Inference accepts bool beside another dtype; topi computes in the other one.
  const DType common = a.dtype == DType::boolean ? b.dtype : a.dtype;
  const Tensor value =
      compute<Op>(convert(a, common, context), convert(b, common, context), *extents, context);
  return make_tensor(convert(value, result.as_tensor()->dtype.value_or(common), context));
}

// What a generation rule needs to know of a binary op.
struct DrawRule {
  DTypes dtypes = kNumericDTypes;
  Fill left = Fill::small;
  Fill right = Fill::small;
  double magnitude = 0;
  bool any_values = false;  // NaN, infinities and large numbers do no harm
};

template <DrawRule rule>
std::optional<CallDraft> draw_operands(Choices& choices, Scope& scope) {
  const FillSpec left{.fill = rule.left, .magnitude = rule.magnitude};
  const FillSpec right{.fill = rule.right, .magnitude = rule.magnitude};
  const auto first = rule.any_values ? draw_any_tensor(choices, scope, rule.dtypes)
                                     : draw_tensor(choices, scope, rule.dtypes, left);
  if (!first) return std::nullopt;
  const auto second = draw_partner(choices, scope, *first, *tensor_type_of(*first).dtype, right);
  if (!second) return std::nullopt;
  if (rule.left == rule.right && choices.one_in(3)) return CallDraft{{second->expr, first->expr}, {}};
  return CallDraft{{first->expr, second->expr}, {}};
}

// The extreme value of int32 or int64 and an operand that drives the result beyond it.
template <bool at_maximum, int partner>
CallDraft draw_overflow(Choices& choices, Scope& scope) {
  const DType dtype = choices.flip() ? DType::int64 : DType::int32;
  const std::int64_t extreme = at_maximum ? int_max(dtype) : int_min(dtype);
  return {
      {full_constant(scope, dtype, {2}, extreme), full_constant(scope, dtype, {2}, std::int64_t{partner})},
      {}};
}

template <bool at_maximum, int partner>
std::optional<CallDraft> generate_wrapping(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) return draw_overflow<at_maximum, partner>(choices, scope);
  return draw_operands<DrawRule{}>(choices, scope);
}

// mod of bfloat16 does not compile: its lowering leaves a bfloat16 value in a uint16 buffer.
constexpr DTypes kModDTypes{DType::int8,    DType::int32,   DType::int64,  DType::uint8,
                            DType::float16, DType::float32, DType::float64};

template <DTypes dtypes>
std::optional<CallDraft> generate_division(Choices& choices, Scope& scope) {
  if (!scope.allow_undefined(choices)) {
    return draw_operands<DrawRule{.dtypes = dtypes, .right = Fill::nonzero}>(choices, scope);
  }
  if (choices.flip()) return draw_overflow<false, -1>(choices, scope);
  constexpr DTypes kIntDTypes{DType::int32, DType::int64, DType::int8, DType::uint8};
  const auto dividend = draw_tensor(choices, scope, kIntDTypes);
  if (!dividend || dividend->value.tensor().size() == 0) return std::nullopt;
  const DType dtype = *tensor_type_of(*dividend).dtype;
  return CallDraft{{dividend->expr, full_constant(scope, dtype, {}, std::int64_t{0})}, {}};
}

// Powers compile for these dtypes alone. Small operands: 3 ** 3 is exact and in range in all of them.
constexpr DrawRule kPowerRule{.dtypes = {DType::float16, DType::float32, DType::float64},
                              .left = Fill::positive,
                              .right = Fill::small,
                              .magnitude = 4};
constexpr DrawRule kExtremumRule{.any_values = true};

constexpr UndefinedRule kOverflow[] = {UndefinedRule::signed_overflow};
constexpr UndefinedRule kDivision[] = {UndefinedRule::division_by_zero, UndefinedRule::division_overflow};
constexpr Trait kCommutativeRing = Trait::elementwise | Trait::commutative | Trait::associative;
// Not commutative: NaN and the zeros tell the operands apart.
constexpr Trait kExtremum = Trait::elementwise | Trait::associative | Trait::data_movement;

constexpr OpDef kOps[] = {
    {{"relax.add"},
     .params = kParams,
     .traits = kCommutativeRing,
     .undefined = kOverflow,
     .infer = infer_arithmetic,
     .eval = eval_arithmetic<Add>,
     .generate = generate_wrapping<true, 1>},
    {{"relax.divide"},
     .params = kParams,
     .traits = Trait::elementwise,
     .undefined = kDivision,
     .infer = infer_arithmetic,
     .eval = eval_arithmetic<Divide>,
     .generate = generate_division<kNumericDTypes>},
    {{"relax.floor_divide"},
     .params = kParams,
     .traits = Trait::elementwise,
     .undefined = kDivision,
     .infer = infer_arithmetic,
     .eval = eval_arithmetic<FloorDivide>,
     .generate = generate_division<kNumericDTypes>},
    {{"relax.floor_mod"},
     .params = kParams,
     .traits = Trait::elementwise,
     .undefined = kDivision,
     .infer = infer_arithmetic,
     .eval = eval_arithmetic<FloorMod>,
     .generate = generate_division<kNumericDTypes>},
    {{"relax.maximum"},
     .params = kParams,
     .traits = kExtremum,
     .infer = infer_arithmetic,
     .eval = eval_arithmetic<Maximum>,
     .generate = draw_operands<kExtremumRule>},
    {{"relax.minimum"},
     .params = kParams,
     .traits = kExtremum,
     .infer = infer_arithmetic,
     .eval = eval_arithmetic<Minimum>,
     .generate = draw_operands<kExtremumRule>},
    {{"relax.mod"},
     .params = kParams,
     .traits = Trait::elementwise,
     .undefined = kDivision,
     .infer = infer_arithmetic,
     .eval = eval_arithmetic<Mod>,
     .generate = generate_division<kModDTypes>},
    {{"relax.multiply"},
     .params = kParams,
     .traits = kCommutativeRing,
     .undefined = kOverflow,
     .infer = infer_arithmetic,
     .eval = eval_arithmetic<Multiply>,
     .generate = generate_wrapping<true, 2>},
    // pow of libm: 0.5 ulp measured over (0.1, 10) to the power of (-3, 3).
    {{"relax.power"},
     .params = kParams,
     .traits = Trait::elementwise,
     .ulps = 2,
     .infer = infer_arithmetic,
     .eval = eval_arithmetic<Power>,
     .generate = draw_operands<kPowerRule>},
    {{"relax.subtract"},
     .params = kParams,
     .traits = Trait::elementwise,
     .undefined = kOverflow,
     .infer = infer_arithmetic,
     .eval = eval_arithmetic<Subtract>,
     .generate = generate_wrapping<false, 1>},
};

}  // namespace

std::span<const OpDef> binary_ops() {
  return kOps;
}

}  // namespace passdiff
