// Expressions.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "core/eval/tir/machine.h"
#include "core/ops/elementwise.h"
#include "core/ops/numeric.h"
#include "core/ops/op.h"

namespace passdiff::tir {
namespace {

bool is_wide_unsigned(DType dtype) {
  return dtype == DType::uint64;
}

template <class T>
bool compare(BinaryOp op, T a, T b) {
  switch (op) {
    case BinaryOp::equal:
      return a == b;
    case BinaryOp::not_equal:
      return a != b;
    case BinaryOp::less:
      return a < b;
    case BinaryOp::less_equal:
      return a <= b;
    case BinaryOp::greater:
      return a > b;
    default:
      return a >= b;
  }
}

template <class Int>
Int floor_divide(Int a, Int b) {
  return a / b - Int{a % b != 0 && (a < 0) != (b < 0)};
}

// Of the divisor's sign. The product of quotient and divisor may overflow where this does not: 1 modulo the smallest integer.
template <class Int>
Int floor_modulo(Int a, Int b) {
  const Int rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

template <class Int>
Int quotient_or_remainder(Code code, Int a, Int b) {
  switch (code) {
    case Code::divide_int:
      return a / b;
    case Code::modulo_int:
      return a % b;
    case Code::floor_divide_int:
      return floor_divide(a, b);
    default:
      return floor_modulo(a, b);
  }
}

}  // namespace

void Machine::undefined(UndefinedRule rule, std::string detail) {
  context_.log.report(rule, std::move(detail));
  locate();
}

double Machine::rounded(DType dtype, double value) {
  const Steps steps(dtype, context_.rounding);
  return steps(value);
}

std::int64_t Machine::in_range(const Node& node, std::int64_t value, bool overflowed) {
  // Almost all results are indices that fit.
  const bool fits = node.dtype == DType::int64 || (node.dtype == DType::int32 && value == static_cast<std::int32_t>(value));
  if (fits && !overflowed) return value;
  if (overflow_is_undefined(node.dtype)) {
    if (overflowed || value < int_min(node.dtype) || value > scalar_max(node.dtype))
      undefined(UndefinedRule::signed_overflow, "result outside " + std::string(dtype_name(node.dtype)));
  }
  return wrap_int(node.dtype, static_cast<std::uint64_t>(value));
}

std::int64_t Machine::divided(const Node& node, std::int64_t a, std::int64_t b) {
  if (b == 0) {
    undefined(UndefinedRule::division_by_zero, fmt::format("{} divided by 0", a));
    return 0;
  }
  if (is_wide_unsigned(node.dtype)) {
    return static_cast<std::int64_t>(
        quotient_or_remainder(node.code, static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
  }
  if (b == -1 && a == int_min(node.dtype)) {
    undefined(UndefinedRule::division_overflow, fmt::format("{} divided by -1", a));
    return 0;
  }
  return quotient_or_remainder(node.code, a, b);
}

std::int64_t Machine::arithmetic(const Node& node, int lane) {
  const std::int64_t a = integer(node.a, lane);
  const std::int64_t b = integer(node.b, lane);
  std::int64_t result = 0;
  switch (node.code) {
    case Code::add_int: {
      const bool overflowed = __builtin_add_overflow(a, b, &result);
      return in_range(node, result, overflowed);
    }
    case Code::subtract_int: {
      const bool overflowed = __builtin_sub_overflow(a, b, &result);
      return in_range(node, result, overflowed);
    }
    case Code::multiply_int: {
      const bool overflowed = __builtin_mul_overflow(a, b, &result);
      return in_range(node, result, overflowed);
    }
    case Code::minimum_int:
      return is_wide_unsigned(node.dtype) ? (static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b) ? a : b)
                                          : std::min(a, b);
    case Code::maximum_int:
      return is_wide_unsigned(node.dtype) ? (static_cast<std::uint64_t>(a) > static_cast<std::uint64_t>(b) ? a : b)
                                          : std::max(a, b);
    default:
      return divided(node, a, b);
  }
}

std::int64_t Machine::compared_integers(const Node& node, int lane) {
  const std::int64_t a = integer(node.a, lane);
  const std::int64_t b = integer(node.b, lane);
  const auto op = static_cast<BinaryOp>(node.detail);
  if (is_wide_unsigned(program_.nodes[static_cast<std::size_t>(node.a)].dtype))
    return compare(op, static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)) ? 1 : 0;
  return compare(op, a, b) ? 1 : 0;
}

// Comparisons are ordered, that for inequality among them: beside NaN they are false (CreateFCmpONE in codegen_llvm.cc).
std::int64_t Machine::compared_reals(const Node& node, int lane) {
  const double a = real(node.a, lane);
  const double b = real(node.b, lane);
  const auto op = static_cast<BinaryOp>(node.detail);
  if (op == BinaryOp::not_equal) return a < b || a > b ? 1 : 0;
  return compare(op, a, b) ? 1 : 0;
}

std::int64_t Machine::shifted(const Node& node, int lane) {
  const std::int64_t value = integer(node.a, lane);
  const std::int64_t amount = integer(node.b, lane);
  const int bits = row_of(node.dtype).bits;
  if (amount < 0 || amount >= bits) {
    undefined(UndefinedRule::shift_amount, fmt::format("a shift by {} of {} bits", amount, bits));
    return 0;
  }
  if (node.code == Code::shift_left) return wrap_int(node.dtype, static_cast<std::uint64_t>(value) << amount);
  if (is_unsigned_int(node.dtype)) return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) >> amount);
  return value >> amount;
}

std::int64_t Machine::truncated(DType dtype, double value) {
  const double whole = std::trunc(value);
  const double low = static_cast<double>(int_min(dtype));
  const double high = std::ldexp(1.0, is_unsigned_int(dtype) ? row_of(dtype).bits : row_of(dtype).bits - 1);
  if (!(whole >= low && whole < high)) {
    undefined(UndefinedRule::float_to_int, fmt::format("{} is no {}", value, dtype_name(dtype)));
    return 0;
  }
  if (is_wide_unsigned(dtype)) return static_cast<std::int64_t>(static_cast<std::uint64_t>(whole));
  return static_cast<std::int64_t>(whole);
}

bool Machine::chosen(const Node& node, int lane, Index& branch) {
  const int condition_lane = program_.nodes[static_cast<std::size_t>(node.a)].lanes > 1 ? lane : 0;
  const bool holds = integer(node.a, condition_lane) != 0;
  branch = holds ? node.b : node.c;
  return holds;
}

void Machine::bind_let(const Node& node) {
  const Node& value = program_.nodes[static_cast<std::size_t>(node.b)];
  for (int lane = 0; lane < value.lanes; ++lane) {
    Slot slot;
    if (is_float(value.dtype)) {
      slot.real = real(node.b, lane);
    } else {
      slot.integer = integer(node.b, lane);
    }
    set_slot(node.a, slot, lane);
  }
}

Index Machine::shuffled(const Node& node, int lane, int& source_lane) {
  const auto list = [&](Index i) { return program_.lists[static_cast<std::size_t>(node.a + i)]; };
  std::int64_t at = lane < node.c ? integer(list(node.b + lane)) : -1;
  for (Index i = 0; i < node.b && at >= 0; ++i) {
    const int lanes = program_.nodes[static_cast<std::size_t>(list(i))].lanes;
    if (at < lanes) {
      source_lane = static_cast<int>(at);
      return list(i);
    }
    at -= lanes;
  }
  undefined(UndefinedRule::index_out_of_bounds, "a shuffle of a lane that its vectors lack");
  source_lane = 0;
  return list(0);
}

std::int64_t Machine::computed_integer(const Node& node, int lane) {
  switch (node.code) {
    case Code::constant_int:
      return node.integer;
    case Code::variable_int:
      return frame_[static_cast<std::size_t>(node.a + (node.lanes > 1 ? lane : 0))].integer;
    case Code::add_int:
    case Code::subtract_int:
    case Code::multiply_int:
    case Code::divide_int:
    case Code::modulo_int:
    case Code::floor_divide_int:
    case Code::floor_mod_int:
    case Code::minimum_int:
    case Code::maximum_int:
      return arithmetic(node, lane);
    case Code::compare_int:
      return compared_integers(node, lane);
    case Code::compare_float:
      return compared_reals(node, lane);
    case Code::logical_and: {
      const std::int64_t a = integer(node.a, lane);
      return a & integer(node.b, lane);
    }
    case Code::logical_or: {
      const std::int64_t a = integer(node.a, lane);
      return a | integer(node.b, lane);
    }
    case Code::logical_not:
      return integer(node.a, lane) == 0 ? 1 : 0;
    case Code::select: {
      const std::int64_t on_true = integer(node.b, lane);
      const std::int64_t on_false = integer(node.c, lane);
      Index branch = kNone;
      return chosen(node, lane, branch) ? on_true : on_false;
    }
    case Code::if_then_else: {
      Index branch = kNone;
      chosen(node, lane, branch);
      return integer(branch, lane);
    }
    case Code::int_to_int:
      return wrap_int(node.dtype, static_cast<std::uint64_t>(integer(node.a, lane)));
    case Code::float_to_int:
      return truncated(node.dtype, real(node.a, lane));
    case Code::float_to_bool:
      return real(node.a, lane) != 0 ? 1 : 0;
    case Code::reinterpret: {
      const Node& from = program_.nodes[static_cast<std::size_t>(node.a)];
      const std::uint64_t bits = is_float(from.dtype) ? float_bits(from.dtype, real(node.a, lane))
                                                      : static_cast<std::uint64_t>(integer(node.a, lane));
      return wrap_int(node.dtype, bits);
    }
    case Code::load:
      return load_integer(node, lane);
    case Code::ramp:
      return integer(node.a) + integer(node.b) * lane;
    case Code::broadcast:
      return integer(node.a);
    case Code::shuffle: {
      int source_lane = 0;
      const Index source = shuffled(node, lane, source_lane);
      return integer(source, source_lane);
    }
    case Code::let:
      bind_let(node);
      return integer(node.c, lane);
    case Code::test_float:
      return node.function->test(real(node.a, lane));
    case Code::intrinsic_int: {
      const auto x = static_cast<std::uint64_t>(integer(node.a, lane));
      const std::uint64_t y = node.b == kNone ? 0 : static_cast<std::uint64_t>(integer(node.b, lane));
      if (node.dtype == DType::boolean && node.b == kNone) return x == 0 ? 1 : 0;
      return wrap_int(node.dtype, node.function->ints(x, y, node.detail));
    }
    case Code::shift_left:
    case Code::shift_right:
      return shifted(node, lane);
    case Code::assume:
      if (integer(node.a) == 0) undefined(UndefinedRule::false_assumption, "an assumption does not hold");
      return 0;
    case Code::is_null: {
      const Pointer& pointer = pointers_[static_cast<std::size_t>(node.a)];
      return pointer.tensor == nullptr && pointer.memory == nullptr ? 1 : 0;
    }
    case Code::tensor_field:
      return wrap_int(node.dtype, static_cast<std::uint64_t>(field(pointers_[static_cast<std::size_t>(node.a)],
                                                                   static_cast<TensorField>(node.detail))));
    case Code::packed_call:
      return call_packed(program_.packed_calls[static_cast<std::size_t>(node.a)]);
    default:
      break;
  }
  return 0;
}

double Machine::real_arithmetic(const Node& node, int lane) {
  const double a = real(node.a, lane);
  const double b = real(node.b, lane);
  switch (node.code) {
    case Code::add_float:
      return rounded(node.dtype, a + b);
    case Code::subtract_float:
      return rounded(node.dtype, a - b);
    case Code::multiply_float:
      return rounded(node.dtype, a * b);
    case Code::divide_float:
      return rounded(node.dtype, a / b);
    case Code::modulo_float:
      return rounded(node.dtype, std::fmod(a, b));
    case Code::floor_divide_float:
      return rounded(node.dtype, std::floor(rounded(node.dtype, a / b)));
    case Code::floor_mod_float: {
      const double whole = std::floor(rounded(node.dtype, a / b));
      return rounded(node.dtype, a - rounded(node.dtype, whole * b));
    }
    // A compare and a select: beside a NaN, and between zeros, the right operand.
    case Code::minimum_float:
      return a < b ? a : b;
    default:
      return a > b ? a : b;
  }
}

double Machine::called(const Node& node, int lane) {
  const Steps steps(node.dtype, context_.rounding);
  const ScalarFunction& row = *node.function;
  const double x = real(node.a, lane);
  double value = 0;
  if (node.code == Code::unary_float) {
    value = row.unary(x, steps);
  } else if (node.code == Code::binary_float) {
    value = row.binary(x, real(node.b, lane));
  } else {
    const double y = real(node.b, lane);
    value = row.ternary(x, y, real(node.c, lane));
  }
  return steps.library(value, row.ulps);
}

// A cast is what the program asks for, under every rounding, as that of R.astype is (convert in core/ops/elementwise.h): it takes
// what its operand's dtype can hold to the nearest number. What TVM computes in float32 is narrowed when it is stored, not before
// (BF16ComputeLegalize).
double Machine::cast_real(const Node& node, int lane) {
  const Node& from = program_.nodes[static_cast<std::size_t>(node.a)];
  if (node.code == Code::int_to_float) {
    const std::int64_t value = integer(node.a, lane);
    const double wide = is_wide_unsigned(from.dtype) ? static_cast<double>(static_cast<std::uint64_t>(value))
                                                     : static_cast<double>(value);
    // Through double and then to float32 would round an int64 twice.
    const bool direct = kept_as(node.dtype, context_.rounding) == DType::float32 && context_.rounding.mode == RoundingMode::faithful;
    if (!direct) return rounded(node.dtype, wide);
    return is_wide_unsigned(from.dtype) ? static_cast<float>(static_cast<std::uint64_t>(value)) : static_cast<float>(value);
  }
  const double value = real(node.a, lane);
  Rounding nearest = context_.rounding;
  nearest.mode = RoundingMode::faithful;
  const Steps source(from.dtype, nearest);
  const Steps target(node.dtype, nearest);
  return target(source(value));
}

double Machine::real(Index index, int lane) {
  const Node& node = program_.nodes[static_cast<std::size_t>(index)];
  switch (node.code) {
    case Code::constant_float:
      return rounded(node.dtype, node.real);
    case Code::variable_float:
      return frame_[static_cast<std::size_t>(node.a + (node.lanes > 1 ? lane : 0))].real;
    case Code::add_float:
    case Code::subtract_float:
    case Code::multiply_float:
    case Code::divide_float:
    case Code::modulo_float:
    case Code::floor_divide_float:
    case Code::floor_mod_float:
    case Code::minimum_float:
    case Code::maximum_float:
      return real_arithmetic(node, lane);
    case Code::select: {
      const double on_true = real(node.b, lane);
      const double on_false = real(node.c, lane);
      Index branch = kNone;
      return chosen(node, lane, branch) ? on_true : on_false;
    }
    case Code::if_then_else: {
      Index branch = kNone;
      chosen(node, lane, branch);
      return real(branch, lane);
    }
    case Code::int_to_float:
    case Code::float_to_float:
      return cast_real(node, lane);
    case Code::reinterpret: {
      const Node& from = program_.nodes[static_cast<std::size_t>(node.a)];
      const std::uint64_t bits = is_float(from.dtype) ? float_bits(from.dtype, real(node.a, lane))
                                                      : static_cast<std::uint64_t>(integer(node.a, lane));
      return float_of_bits(node.dtype, bits);
    }
    case Code::load:
      return load_real(node, lane);
    case Code::broadcast:
      return real(node.a);
    case Code::shuffle: {
      int source_lane = 0;
      const Index source = shuffled(node, lane, source_lane);
      return real(source, source_lane);
    }
    case Code::let:
      bind_let(node);
      return real(node.c, lane);
    case Code::unary_float:
    case Code::binary_float:
    case Code::ternary_float:
      return called(node, lane);
    default:
      break;
  }
  return 0;
}

std::int64_t Machine::load_integer(const Node& node, int lane) {
  const Place& place = program_.loads[static_cast<std::size_t>(node.a)];
  if (place.predicate != kNone && integer(place.predicate, lane) == 0) return 0;
  const std::int64_t element = element_of(place, lane, false);
  return element == kNone ? 0 : views_[static_cast<std::size_t>(place.buffer)].memory->int_at(element);
}

double Machine::load_real(const Node& node, int lane) {
  const Place& place = program_.loads[static_cast<std::size_t>(node.a)];
  if (place.predicate != kNone && integer(place.predicate, lane) == 0) return 0;
  const std::int64_t element = element_of(place, lane, false);
  return element == kNone ? 0 : views_[static_cast<std::size_t>(place.buffer)].memory->float_at(element);
}

}  // namespace passdiff::tir
