#include "core/eval/tir/guard.h"

namespace passdiff::tir {
namespace {

// How the value of an integer expression goes while a variable rises.
enum class Trend : std::uint8_t { constant, rises, falls, unknown };

Trend opposite(Trend trend) {
  if (trend == Trend::rises) return Trend::falls;
  return trend == Trend::falls ? Trend::rises : trend;
}

Trend sum(Trend a, Trend b) {
  if (a == Trend::constant) return b;
  return b == Trend::constant || a == b ? a : Trend::unknown;
}

Trend trend_of(const Expr& expr, const Var& var);

// Of a product or a quotient by a constant.
Trend scaled(const Expr& expr, const Expr& by, const Var& var) {
  const IntImm* const number = as<IntImm>(by);
  if (number == nullptr || number->value == 0) return Trend::unknown;
  const Trend trend = trend_of(expr, var);
  return number->value > 0 ? trend : opposite(trend);
}

Trend trend_of(const Binary& binary, const Var& var) {
  switch (binary.op) {
    case BinaryOp::add:
      return sum(trend_of(binary.lhs, var), trend_of(binary.rhs, var));
    case BinaryOp::subtract:
      return sum(trend_of(binary.lhs, var), opposite(trend_of(binary.rhs, var)));
    case BinaryOp::multiply:
      return as<IntImm>(binary.lhs) != nullptr ? scaled(binary.rhs, binary.lhs, var) : scaled(binary.lhs, binary.rhs, var);
    case BinaryOp::floor_divide:
      return scaled(binary.lhs, binary.rhs, var);
    default:
      return Trend::unknown;
  }
}

// Loads are unknown: what is loaded may change from one iteration to the next.
Trend trend_of(const Expr& expr, const Var& var) {
  if (as<IntImm>(expr) != nullptr) return Trend::constant;
  if (const Var* other = as<Var>(expr)) return *other == var ? Trend::rises : Trend::constant;
  const Binary* binary = as<Binary>(expr);
  return binary == nullptr ? Trend::unknown : trend_of(*binary, var);
}

bool fails_for_good(const Expr& condition, const Var& var) {
  const Binary* binary = as<Binary>(condition);
  if (binary == nullptr) return false;
  if (binary->op == BinaryOp::logical_and) return fails_for_good(binary->lhs, var) && fails_for_good(binary->rhs, var);
  const bool less = binary->op == BinaryOp::less || binary->op == BinaryOp::less_equal;
  if (!less && binary->op != BinaryOp::greater && binary->op != BinaryOp::greater_equal) return false;
  const Trend excess = sum(trend_of(less ? binary->lhs : binary->rhs, var), opposite(trend_of(less ? binary->rhs : binary->lhs, var)));
  return excess == Trend::constant || excess == Trend::rises;
}

}  // namespace

Expr lasting_guard(const For& loop) {
  Expr condition;
  if (const auto* realize = as<SBlockRealize>(loop.body)) condition = realize->predicate;
  if (const auto* branches = as<IfThenElse>(loop.body); branches != nullptr && branches->else_case == nullptr) condition = branches->condition;
  return condition != nullptr && fails_for_good(condition, loop.var) ? condition : nullptr;
}

}  // namespace passdiff::tir
