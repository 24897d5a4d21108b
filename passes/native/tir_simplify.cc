// TirSimplify: folds integer arithmetic on literals and uses identities (x + 0, x * 1, (x * c + d) // c), and
// takes the branch that a literal condition chooses.
//
// Differs from TVM's StmtSimplify, which reasons over the ranges of variables, too. Here operands must be of
// int32, int64 or bool, and what cannot be computed in that dtype stays. Loops of one iteration stay as well.
#include "passes/native/tir_passes.h"
#include "passes/native/trusted.h"

namespace passdiff {
namespace native::tir_simplify {
namespace {

using tir::BinaryOp;
using tir::Expr;

struct Faults {
  bool floor_divide_truncates = false;
  bool floor_mod_of_dividend = false;
  bool quotient_ignores_offset = false;
  bool extremes_swapped = false;
  bool less_than_itself = false;
};

constexpr FaultRow<Faults> kFaults[] = {
    {&Faults::floor_divide_truncates, "tir-simplify/floor-divide-truncates",
     "a floor division of literals is folded as one that rounds towards zero", "outputs-refine"},
    {&Faults::floor_mod_of_dividend, "tir-simplify/floor-mod-of-dividend",
     "a folded floor modulo has the sign of the dividend", "outputs-refine"},
    {&Faults::quotient_ignores_offset, "tir-simplify/quotient-ignores-offset",
     "(x * c + d) // c becomes x although d is not in [0, c)", "outputs-refine"},
    {&Faults::extremes_swapped, "tir-simplify/extremes-swapped",
     "a minimum of literals is folded to the greater one", "outputs-refine"},
    {&Faults::less_than_itself, "tir-simplify/less-than-itself", "x < x is taken for true", "outputs-refine"},
};

bool is_index(const tir::ScalarType& type) {
  const bool known = type.dtype == DType::int32 || type.dtype == DType::int64 || type.dtype == DType::boolean;
  return type.is_number() && type.lanes == 1 && known;
}

// Whether two expressions without calls are the same. Loads never are: the memory may change in between.
bool same(const Expr& a, const Expr& b) {
  if (const tir::Var* var = tir::as<tir::Var>(a)) {
    const tir::Var* other = tir::as<tir::Var>(b);
    return other != nullptr && *var == *other;
  }
  if (const auto number = literal(a)) return literal(b) == number && a->type == b->type;
  const auto* left = tir::as<tir::Binary>(a);
  const auto* right = tir::as<tir::Binary>(b);
  return left != nullptr && right != nullptr && left->op == right->op && same(left->lhs, right->lhs) &&
         same(left->rhs, right->rhs);
}

// Whether the expression may go where its value is not needed: it does nothing but compute. What was
// undefined then no longer is.
bool may_go(const Expr& expr) {
  bool calls = false;
  tir::for_each_nested(expr, [&](const Expr& one) {
    const auto* call = tir::as<tir::Call>(one);
    calls =
        calls || tir::as<tir::FunctionCall>(one) || (call != nullptr && call->intrinsic != "if_then_else");
  });
  return !calls;
}

bool holds(BinaryOp op, std::int64_t a, std::int64_t b) {
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

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

class Simplifier : public tir::Mutator {
 public:
  explicit Simplifier(const Faults& faults) : faults_(faults) {}

  Expr expr(const Expr& old) override {
    const Expr fresh = parts(old);
    if (const auto* node = tir::as<tir::Binary>(fresh); node != nullptr && is_index(node->lhs->type)) {
      const Expr simpler = binary(node->op, node->lhs, node->rhs);
      return simpler == nullptr ? fresh : simpler;
    }
    if (const auto* negation = tir::as<tir::Not>(fresh)) {
      const auto value = literal(negation->operand);
      return value ? boolean(*value == 0) : fresh;
    }
    if (const auto* select = tir::as<tir::Select>(fresh))
      return chosen(fresh, select->condition, select->on_true, select->on_false);
    const auto* call = tir::as<tir::Call>(fresh);
    if (call == nullptr || call->intrinsic != "if_then_else" || call->args.size() != 3) return fresh;
    const auto condition = literal(call->args[0]);
    return condition ? call->args[*condition != 0 ? 1 : 2] : fresh;
  }

  tir::Stmt stmt(const tir::Stmt& old) override {
    const tir::Stmt fresh = parts(old);
    const auto* branches = tir::as<tir::IfThenElse>(fresh);
    const auto condition = branches == nullptr ? std::nullopt : literal(branches->condition);
    if (!condition) return fresh;
    if (*condition != 0) return branches->then_case;
    return branches->else_case == nullptr ? tir::no_op() : branches->else_case;
  }

 protected:
  // Sizes of buffers stay as they are: those of parameters tell what the caller may give.
  tir::Buffer buffer(const tir::Buffer& old) override { return old; }

 private:
  static Expr boolean(bool value) { return tir::int_imm(value ? 1 : 0, DType::boolean); }

  // Both arms of a Select are evaluated, so that the other one may only go if it does nothing else.
  static Expr chosen(const Expr& select, const Expr& condition, const Expr& on_true, const Expr& on_false) {
    const auto value = literal(condition);
    if (!value || !may_go(*value != 0 ? on_false : on_true)) return select;
    return *value != 0 ? on_true : on_false;
  }

  // The simpler form, or null if there is none.
  Expr binary(BinaryOp op, const Expr& lhs, const Expr& rhs) const {
    const auto a = literal(lhs);
    const auto b = literal(rhs);
    if (tir::is_logical(op)) return logical(op, lhs, rhs);
    if (a && b) return folded(op, *a, *b, lhs->type.dtype);
    if (tir::is_comparison(op)) return same(lhs, rhs) ? boolean(of_itself(op)) : nullptr;
    return identity(op, lhs, rhs);
  }

  bool of_itself(BinaryOp op) const {
    return (op == BinaryOp::less && faults_.less_than_itself) || holds(op, 0, 0);
  }

  static Expr logical(BinaryOp op, const Expr& lhs, const Expr& rhs) {
    const bool decides = op == BinaryOp::logical_or;  // `x or True` is True, `x and False` is False
    if (const auto a = literal(lhs)) {
      if ((*a != 0) != decides) return rhs;
      return may_go(rhs) ? boolean(decides) : nullptr;
    }
    const auto b = literal(rhs);
    if (!b) return nullptr;
    if ((*b != 0) != decides) return lhs;
    return may_go(lhs) ? boolean(decides) : nullptr;
  }

  // Null where the dtype does not hold the result, or there is none.
  Expr folded(BinaryOp op, std::int64_t a, std::int64_t b, DType dtype) const {
    if (tir::is_comparison(op)) return boolean(holds(op, a, b));
    if (dtype == DType::boolean) return nullptr;
    std::int64_t value = 0;
    bool overflows = false;
    switch (op) {
      case BinaryOp::add:
        overflows = __builtin_add_overflow(a, b, &value);
        break;
      case BinaryOp::subtract:
        overflows = __builtin_sub_overflow(a, b, &value);
        break;
      case BinaryOp::multiply:
        overflows = __builtin_mul_overflow(a, b, &value);
        break;
      case BinaryOp::minimum:
      case BinaryOp::maximum:
        value = (op == BinaryOp::minimum) != faults_.extremes_swapped ? std::min(a, b) : std::max(a, b);
        break;
      default:
        if (b == 0 || b == -1) return nullptr;
        value = divided(op, a, b);
        break;
    }
    const bool fits = !overflows && value >= int_min(dtype) && value <= scalar_max(dtype);
    return fits ? tir::int_imm(value, dtype) : nullptr;
  }

  std::int64_t divided(BinaryOp op, std::int64_t a, std::int64_t b) const {
    if (op == BinaryOp::floor_divide && !faults_.floor_divide_truncates) return floor_quotient(a, b);
    if (op == BinaryOp::floor_mod && !faults_.floor_mod_of_dividend) return a - floor_quotient(a, b) * b;
    return op == BinaryOp::divide || op == BinaryOp::floor_divide ? a / b : a % b;
  }

  Expr identity(BinaryOp op, const Expr& lhs, const Expr& rhs) const {
    const auto is = [](const Expr& expr, std::int64_t value) { return literal(expr) == value; };
    const bool divides = op == BinaryOp::divide || op == BinaryOp::floor_divide;
    const bool leaves_rest = op == BinaryOp::modulo || op == BinaryOp::floor_mod;
    if (op == BinaryOp::add && is(lhs, 0)) return rhs;
    if ((op == BinaryOp::add || op == BinaryOp::subtract) && is(rhs, 0)) return lhs;
    if (op == BinaryOp::multiply && is(lhs, 1)) return rhs;
    if ((op == BinaryOp::multiply || divides) && is(rhs, 1)) return lhs;
    if (op == BinaryOp::multiply && is(lhs, 0) && may_go(rhs)) return lhs;
    if (op == BinaryOp::multiply && is(rhs, 0) && may_go(lhs)) return rhs;
    if (leaves_rest && is(rhs, 1) && may_go(lhs)) return tir::int_imm(0, lhs->type.dtype);
    if (op == BinaryOp::subtract && same(lhs, rhs)) return tir::int_imm(0, lhs->type.dtype);
    if ((op == BinaryOp::minimum || op == BinaryOp::maximum) && same(lhs, rhs)) return lhs;
    return op == BinaryOp::floor_divide ? quotient(lhs, literal(rhs)) : nullptr;
  }

  // (x * c + d) // c is x + d // c.
  Expr quotient(const Expr& dividend, std::optional<std::int64_t> divisor) const {
    if (!divisor || *divisor < 1) return nullptr;
    const auto* sum = tir::as<tir::Binary>(dividend);
    const auto offset = sum != nullptr && sum->op == BinaryOp::add ? literal(sum->rhs) : std::nullopt;
    const auto* product = offset ? tir::as<tir::Binary>(sum->lhs) : sum;
    if (product == nullptr || product->op != BinaryOp::multiply || literal(product->rhs) != divisor)
      return nullptr;
    const std::int64_t whole =
        offset && !faults_.quotient_ignores_offset ? floor_quotient(*offset, *divisor) : 0;
    if (whole == 0) return product->lhs;
    return tir::binary_expr(BinaryOp::add, product->lhs, tir::int_imm(whole, dividend->type.dtype));
  }

  const Faults& faults_;
};

}  // namespace
}  // namespace native::tir_simplify

tir::Expr simplified(const tir::Expr& expr) {
  using namespace native::tir_simplify;
  const Faults none;
  return Simplifier(none).expr(expr);
}

NativePass tir_simplify() {
  using namespace native::tir_simplify;
  return {.pass = tir_pass("TirSimplify", "passes/native/tir_simplify.cc"),
          .run = rewrite_bodies<Simplifier, kFaults>,
          .faults = listed(kFaults)};
}

}  // namespace passdiff
