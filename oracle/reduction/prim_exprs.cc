// Steps for the expressions of functions of TensorIR.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "oracle/reduction/prim_funcs.h"
#include "passes/native/trusted.h"

namespace passdiff {
namespace {

// Replaces an expression, in regions also those that are built alike.
class ExprEditor : public tir::Mutator {
 public:
  ExprEditor(const tir::Expr& from, const tir::Expr& to) : from_(from), to_(to) {}
  tir::Expr expr(const tir::Expr& old) override {
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
  const tir::Expr& from_;
  const tir::Expr& to_;
  bool in_region_ = false;
};

struct ExprChange {
  tir::Expr from;
  tir::Expr to;
};

// 0, 1, and operands of the same type.
void add_changes(const tir::Expr& expr, std::vector<ExprChange>& into) {
  const tir::ScalarType& type = expr->type;
  if (!type.is_number() || type.lanes != 1) return;
  for (const std::int64_t plain : {0, 1}) {
    const tir::Expr to = number(type, plain);
    if (!is_same(to, expr)) into.push_back({expr, to});
  }
  tir::for_each_operand(expr, [&](const tir::Expr& operand) {
    if (operand->type == type && tir::as<tir::BufferLoad>(expr) == nullptr) into.push_back({expr, operand});
  });
}
std::vector<ExprChange> expr_changes(const TestCase& test) {
  std::vector<ExprChange> changes;
  for (const tir::Stmt& stmt : stmts_of(test)) {
    std::unordered_set<const tir::ExprNode*> in_regions;
    if (const auto* realize = tir::as<tir::SBlockRealize>(stmt)) {
      const auto note = [&](const tir::Expr& expr) { in_regions.insert(expr.get()); };
      for (const auto* regions : {&realize->block.reads, &realize->block.writes}) {
        for (const tir::BufferRegion& region : *regions) {
          for (const tir::Range& range : region.region) {
            tir::for_each_nested(range.min, note);
            tir::for_each_nested(range.extent, note);
          }
        }
      }
    }
    tir::for_each_expr(stmt, [&](const tir::Expr& whole) {
      tir::for_each_nested(whole, [&](const tir::Expr& expr) {
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
  return with_bodies(test, [&](const tir::Stmt& body) { return ExprEditor(change.from, change.to).stmt(body); });
}

// Replaces these expressions wherever they stand.
class ExprReplacer : public tir::Mutator {
 public:
  explicit ExprReplacer(std::unordered_map<const tir::ExprNode*, tir::Expr> by) : by_(std::move(by)) {}
  tir::Expr expr(const tir::Expr& old) override {
    const auto found = by_.find(old.get());
    return found == by_.end() ? parts(old) : found->second;
  }

 private:
  std::unordered_map<const tir::ExprNode*, tir::Expr> by_;
};

// Arithmetic that other steps have left: `i * 1`, `0 * 2 + 1`.
std::vector<ExprChange> foldable(const TestCase& test) {
  std::vector<ExprChange> changes;
  for (const tir::Stmt& stmt : stmts_of(test)) {
    tir::for_each_expr(stmt, [&](const tir::Expr& whole) {
      if (tir::Expr simpler = simplified(whole); simpler != whole) changes.push_back({whole, std::move(simpler)});
    });
  }
  return changes;
}
std::size_t count_foldable(const TestCase& test) {
  return foldable(test).size();
}
std::optional<TestCase> folded(const TestCase& test, std::size_t first, std::size_t last) {
  const std::vector<ExprChange> changes = foldable(test);
  std::unordered_map<const tir::ExprNode*, tir::Expr> by;
  for (std::size_t i = first; i < last; ++i) by.emplace(changes[i].from.get(), changes[i].to);
  return with_bodies(test, [&](const tir::Stmt& body) { return ExprReplacer(by).stmt(body); });
}

}  // namespace

RangeSteps prim_expr_ranges() {
  static constexpr std::array kSteps = {
      RangeStep{"fold-arithmetic", count_foldable, folded},
  };
  return kSteps;
}

ReduceSteps prim_expr_steps() {
  static constexpr std::array kSteps = {
      ReduceStep{"plain-expression", count_expr_changes, plain_expr, Order::forward},
  };
  return kSteps;
}

}  // namespace passdiff
