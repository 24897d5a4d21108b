#include <algorithm>
#include <utility>

#include "oracle/reduction/parts.h"
#include "oracle/reduction/prim_funcs.h"

namespace passdiff {

const tir::Stmt& nothing() {
  static const tir::Stmt none = tir::no_op();
  return none;
}

tir::Stmt collapsed(const tir::Stmt& stmt) {
  if (const auto* seq = tir::as<tir::Seq>(stmt)) {
    std::vector<tir::Stmt> left = seq->stmts;
    std::erase(left, nothing());
    if (left.size() == seq->stmts.size()) return stmt;
    return left.empty() ? nothing() : tir::sequence(left);
  }
  if (const auto* loop = tir::as<tir::For>(stmt)) return loop->body == nothing() ? nothing() : stmt;
  if (const auto* loop = tir::as<tir::While>(stmt)) return loop->body == nothing() ? nothing() : stmt;
  if (const auto* hint = tir::as<tir::AttrStmt>(stmt)) return hint->body == nothing() ? nothing() : stmt;
  if (const auto* choice = tir::as<tir::IfThenElse>(stmt)) {
    tir::IfThenElse left = *choice;
    if (left.else_case == nothing()) left.else_case = nullptr;
    if (left.then_case == nothing() && left.else_case == nullptr) return nothing();
    return left.else_case == choice->else_case ? stmt : tir::make_stmt(std::move(left));
  }
  if (const auto* realize = tir::as<tir::SBlockRealize>(stmt)) {
    tir::SBlockRealize left = *realize;
    if (left.block.init == nothing()) left.block.init = nullptr;
    if (left.block.body == nothing() && left.block.init == nullptr) return nothing();
    return left.block.init == realize->block.init ? stmt : tir::make_stmt(std::move(left));
  }
  return stmt;
}

tir::Stmt StmtEditor::stmt(const tir::Stmt& old) {
  if (auto fresh = edit_(old)) return *std::move(fresh);
  return collapsed(parts(old));
}

std::optional<TestCase> with_bodies(const TestCase& test,
                                    const std::function<tir::Stmt(const tir::Stmt&)>& edit) {
  TestCase result = test;
  bool changed = false;
  for (GlobalPrimFunc& f : result.module.prim_funcs) {
    const tir::PrimFuncPtr fresh = tir::with_body(f.function, edit(f.function->body));
    changed |= fresh != f.function;
    f.function = fresh;
  }
  return changed ? std::optional(std::move(result)) : std::nullopt;
}
std::optional<TestCase> with_stmts(const TestCase& test, const StmtEditor::Edit& edit) {
  return with_bodies(test, [&](const tir::Stmt& body) { return StmtEditor(edit).stmt(body); });
}

std::vector<tir::Stmt> stmts_of(const TestCase& test) {
  std::vector<tir::Stmt> stmts;
  for (const GlobalPrimFunc& f : test.module.prim_funcs) {
    tir::for_each_nested(
        f.function->body,
        [&](const tir::Stmt& stmt) {
          if (tir::as<tir::Seq>(stmt) == nullptr) stmts.push_back(stmt);
        },
        [](const tir::Expr&) {});
  }
  return stmts;
}
bool accesses(const tir::Stmt& stmt, const tir::Buffer& buffer) {
  if (stmt == nullptr) return false;
  bool found = false;
  tir::for_each_nested(
      stmt,
      [&](const tir::Stmt& one) {
        if (const auto* store = tir::as<tir::BufferStore>(one)) found |= store->buffer == buffer;
        if (const auto* realize = tir::as<tir::SBlockRealize>(one)) {
          for (const tir::MatchBuffer& match : realize->block.match_buffers)
            found |= match.source.buffer == buffer;
        }
      },
      [&](const tir::Expr& expr) {
        tir::for_each_buffer(expr, [&](const tir::Buffer& mentioned) { found |= mentioned == buffer; });
      });
  return found;
}

bool is_same(const tir::Expr& a, const tir::Expr& b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || a->node.index() != b->node.index() || !(a->type == b->type))
    return false;
  const auto operands = [](const tir::Expr& expr) {
    std::vector<tir::Expr> list;
    tir::for_each_operand(expr, [&](const tir::Expr& operand) { list.push_back(operand); });
    return list;
  };
  const auto buffer = [](const tir::Expr& expr) {
    tir::Buffer found;
    tir::for_each_buffer(expr, [&](const tir::Buffer& mentioned) { found = mentioned; });
    return found;
  };
  const std::vector<tir::Expr> of_a = operands(a);
  const std::vector<tir::Expr> of_b = operands(b);
  if (buffer(a) != buffer(b) || !std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), is_same))
    return false;
  if (const auto* x = tir::as<tir::IntImm>(a)) return x->value == tir::as<tir::IntImm>(b)->value;
  if (const auto* x = tir::as<tir::FloatImm>(a)) return x->value == tir::as<tir::FloatImm>(b)->value;
  if (const auto* x = tir::as<tir::Var>(a)) return *x == *tir::as<tir::Var>(b);
  if (const auto* x = tir::as<tir::Binary>(a)) return x->op == tir::as<tir::Binary>(b)->op;
  if (const auto* x = tir::as<tir::Call>(a)) return x->intrinsic == tir::as<tir::Call>(b)->intrinsic;
  return !of_a.empty();
}

tir::Expr number(const tir::ScalarType& type, std::int64_t value) {
  if (is_float(type.dtype)) return tir::make_expr(tir::FloatImm{static_cast<double>(value)}, type);
  return tir::make_expr(tir::IntImm{value}, type);
}

}  // namespace passdiff
