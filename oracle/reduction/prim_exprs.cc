// Steps for the expressions of functions of TensorIR.
#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "oracle/reduction/prim_funcs.h"

namespace passdiff {
namespace {

using tir::Expr;
using tir::Stmt;

// Replaces an expression, in regions also those that are built alike.
class ExprEditor : public tir::Mutator {
 public:
  ExprEditor(const Expr& from, const Expr& to) : from_(from), to_(to) {}
  Expr expr(const Expr& old) override {
    return old == from_ || (in_region_ && is_same(old, from_)) ? to_ : parts(old);
  }

 protected:
  tir::BufferRegion region(const tir::BufferRegion& old) override {
    in_region_ = tir::as<tir::IntImm>(from_) == nullptr;
    tir::BufferRegion fresh = Mutator::region(old);
    in_region_ = false;
    return fresh;
  }

 private:
  const Expr& from_;
  const Expr& to_;
  bool in_region_ = false;
};

struct ExprChange {
  Expr from;
  Expr to;
};

// 0, 1, and operands of the same type.
void add_changes(const Expr& expr, std::vector<ExprChange>& into) {
  const tir::ScalarType& type = expr->type;
  if (!type.is_number() || type.lanes != 1) return;
  for (const std::int64_t plain : {0, 1}) {
    const Expr to = number(type, plain);
    if (!is_same(to, expr)) into.push_back({expr, to});
  }
  tir::for_each_operand(expr, [&](const Expr& operand) {
    if (operand->type == type && tir::as<tir::BufferLoad>(expr) == nullptr) into.push_back({expr, operand});
  });
}
std::vector<ExprChange> expr_changes(const TestCase& test) {
  std::vector<ExprChange> changes;
  for (const Stmt& stmt : stmts_of(test)) {
    std::unordered_set<const tir::ExprNode*> in_regions;
    if (const auto* realize = tir::as<tir::SBlockRealize>(stmt)) {
      const auto note = [&](const Expr& expr) { in_regions.insert(expr.get()); };
      for (const auto* regions : {&realize->block.reads, &realize->block.writes}) {
        for (const tir::BufferRegion& region : *regions) {
          for (const tir::Range& range : region.region) {
            tir::for_each_nested(range.min, note);
            tir::for_each_nested(range.extent, note);
          }
        }
      }
    }
    tir::for_each_expr(stmt, [&](const Expr& whole) {
      tir::for_each_nested(whole, [&](const Expr& expr) {
        if (!in_regions.contains(expr.get())) add_changes(expr, changes);
      });
    });
  }
  return changes;
}
std::size_t count_expr_changes(const TestCase& test) {
  return expr_changes(test).size();
}
std::optional<TestCase> plain_expr(const TestCase& test, std::size_t i) {
  const ExprChange change = expr_changes(test)[i];
  return with_bodies(test, [&](const Stmt& body) { return ExprEditor(change.from, change.to).stmt(body); });
}

}  // namespace

ReduceSteps prim_expr_steps() {
  static constexpr std::array kSteps = {
      ReduceStep{"plain-expression", count_expr_changes, plain_expr, Order::forward},
  };
  return kSteps;
}

}  // namespace passdiff
