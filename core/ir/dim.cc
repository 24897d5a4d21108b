#include "core/ir/dim.h"

#include <limits>

#include "core/check.h"

namespace passdiff {
namespace {

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// The result of the operator; nothing if it overflows int64 or divides by zero.
std::optional<std::int64_t> apply(DimOp op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (op) {
    case DimOp::add:
      if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
      return result;
    case DimOp::subtract:
      if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
      return result;
    case DimOp::multiply:
      if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
      return result;
    case DimOp::floor_divide:
    case DimOp::floor_mod:
      if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min())) return std::nullopt;
      return op == DimOp::floor_divide ? floor_divide(a, b) : a - floor_divide(a, b) * b;
    case DimOp::minimum:
      return a < b ? a : b;
    case DimOp::maximum:
      return a < b ? b : a;
    case DimOp::equal:
      return a == b ? 1 : 0;
    case DimOp::not_equal:
      return a != b ? 1 : 0;
    case DimOp::less:
      return a < b ? 1 : 0;
    case DimOp::less_equal:
      return a <= b ? 1 : 0;
    case DimOp::greater:
      return a > b ? 1 : 0;
    case DimOp::greater_equal:
      return a >= b ? 1 : 0;
  }
  return std::nullopt;
}

// The precedence of Python's operators; calls and leaves have the highest.
constexpr int kCallPrecedence = 3;

int precedence(DimOp op) {
  if (is_comparison(op)) return 0;
  switch (op) {
    case DimOp::add:
    case DimOp::subtract:
      return 1;
    case DimOp::multiply:
    case DimOp::floor_divide:
    case DimOp::floor_mod:
      return 2;
    case DimOp::minimum:
    case DimOp::maximum:
    default:
      break;
  }
  return kCallPrecedence;
}

int precedence(const Dim& dim) {
  if (dim.is_static()) return dim.value() < 0 ? 0 : kCallPrecedence;
  const auto* binary = std::get_if<DimBinary>(&dim.node()->node);
  return binary == nullptr ? kCallPrecedence : precedence(binary->op);
}

std::string parenthesised(const Dim& dim, int minimum) {
  std::string text = to_string(dim);
  return precedence(dim) < minimum ? "(" + text + ")" : text;
}

std::string binary_to_string(const DimBinary& binary) {
  const std::string name(dim_op_name(binary.op));
  const int strength = precedence(binary.op);
  if (strength == kCallPrecedence)
    return "T." + name + "(" + to_string(binary.lhs) + ", " + to_string(binary.rhs) + ")";
  return parenthesised(binary.lhs, strength) + " " + name + " " + parenthesised(binary.rhs, strength + 1);
}

}  // namespace

SymVar make_sym_var(std::string name) {
  return std::make_shared<const SymVarNode>(SymVarNode{std::move(name)});
}

Dim::Dim(SymVar var) {
  CHECK(var != nullptr) << "a symbolic dimension needs a variable";
  node_ = std::make_shared<const DimNode>(DimNode{std::move(var)});
}

namespace {

bool is(const Dim& dim, std::int64_t value) {
  return dim.is_static() && dim.value() == value;
}

// Folds n + 0, n * 1 and the like, as TVM does wherever it makes an expression (arith/const_fold.h); neither its text nor its
// modules ever show these.
std::optional<Dim> fold_neutral(DimOp op, const Dim& lhs, const Dim& rhs) {
  if (op == DimOp::add && is(lhs, 0)) return rhs;
  if ((op == DimOp::add || op == DimOp::subtract) && is(rhs, 0)) return lhs;
  if (op == DimOp::multiply && (is(lhs, 0) || is(rhs, 0))) return Dim(0);
  if (op == DimOp::multiply && is(lhs, 1)) return rhs;
  if ((op == DimOp::multiply || op == DimOp::floor_divide) && is(rhs, 1)) return lhs;
  if (op == DimOp::floor_mod && is(rhs, 1)) return Dim(0);
  return std::nullopt;
}

}  // namespace

Dim Dim::binary(DimOp op, const Dim& lhs, const Dim& rhs) {
  if (lhs.is_static() && rhs.is_static()) {
    if (const auto value = apply(op, lhs.value(), rhs.value())) return Dim(*value);
  }
  if (const auto folded = fold_neutral(op, lhs, rhs)) return *folded;
  Dim result;
  result.node_ = std::make_shared<const DimNode>(DimNode{DimBinary{op, lhs, rhs}});
  return result;
}

const SymVar* Dim::as_var() const {
  return node_ == nullptr ? nullptr : std::get_if<SymVar>(&node_->node);
}

std::optional<std::int64_t> evaluate(
    const Dim& dim, const std::function<std::optional<std::int64_t>(const SymVar&)>& lookup) {
  if (dim.is_static()) return dim.value();
  if (const SymVar* var = dim.as_var()) return lookup(*var);
  const auto& binary = std::get<DimBinary>(dim.node()->node);
  const auto lhs = evaluate(binary.lhs, lookup);
  if (!lhs) return std::nullopt;
  const auto rhs = evaluate(binary.rhs, lookup);
  if (!rhs) return std::nullopt;
  return apply(binary.op, *lhs, *rhs);
}

Dim substitute(const Dim& dim, const std::function<std::optional<Dim>(const SymVar&)>& replace) {
  if (dim.is_static()) return dim;
  if (const SymVar* var = dim.as_var()) return replace(*var).value_or(dim);
  const auto& binary = std::get<DimBinary>(dim.node()->node);
  return Dim::binary(binary.op, substitute(binary.lhs, replace), substitute(binary.rhs, replace));
}

void for_each_sym_var(const Dim& dim, const std::function<void(const SymVar&)>& visit) {
  if (dim.is_static()) return;
  if (const SymVar* var = dim.as_var()) return visit(*var);
  const auto& binary = std::get<DimBinary>(dim.node()->node);
  for_each_sym_var(binary.lhs, visit);
  for_each_sym_var(binary.rhs, visit);
}

bool is_static(const Shape& shape) {
  for (const Dim& dim : shape) {
    if (!dim.is_static()) return false;
  }
  return true;
}

std::string to_string(const Dim& dim) {
  if (dim.is_static()) return std::to_string(dim.value());
  if (const SymVar* var = dim.as_var()) return (*var)->name;
  return binary_to_string(std::get<DimBinary>(dim.node()->node));
}

}  // namespace passdiff
