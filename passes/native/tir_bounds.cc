#include "passes/native/tir_bounds.h"

#include <algorithm>

#include "passes/native/tir_passes.h"

namespace passdiff {
namespace {

using tir::BinaryOp;

// Larger bounds count as none, so that arithmetic on bounds never overflows.
constexpr std::int64_t kLimit = std::int64_t{1} << 30;

std::optional<Interval> limited(Interval interval) {
  if (interval.low < -kLimit || interval.high > kLimit) return std::nullopt;
  return interval;
}

std::optional<Interval> product(const Interval& a, const Interval& b) {
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return limited({low, high});
}

std::optional<Interval> binary_bounds(const tir::Binary& node, const VariableBounds& variables) {
  const auto b = bounds_of(node.rhs, variables);
  // Whatever is divided: the remainder of a positive divisor is less than it.
  if (node.op == BinaryOp::floor_mod && b && b->low == b->high && b->low > 0) return Interval{0, b->low - 1};
  const auto a = bounds_of(node.lhs, variables);
  // One operand is enough to bound an extreme on one side, but intervals have two.
  if (!a || !b) return std::nullopt;
  switch (node.op) {
    case BinaryOp::add:
      return limited({a->low + b->low, a->high + b->high});
    case BinaryOp::subtract:
      return limited({a->low - b->high, a->high - b->low});
    case BinaryOp::multiply:
      return product(*a, *b);
    case BinaryOp::minimum:
      return Interval{std::min(a->low, b->low), std::min(a->high, b->high)};
    case BinaryOp::maximum:
      return Interval{std::max(a->low, b->low), std::max(a->high, b->high)};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Interval> bounds_of(const tir::Expr& expr, const VariableBounds& variables) {
  if (const auto value = literal(expr)) return limited({*value, *value});
  if (const tir::Var* var = tir::as<tir::Var>(expr)) {
    const auto known = variables.find(var->get());
    return known == variables.end() ? std::nullopt : limited(known->second);
  }
  const auto* binary = tir::as<tir::Binary>(expr);
  return binary == nullptr ? std::nullopt : binary_bounds(*binary, variables);
}

}  // namespace passdiff
