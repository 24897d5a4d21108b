#include "core/ir/tir/stmt.h"

#include <array>
#include <utility>

#include "core/ir/tir/names.h"
#include "core/match.h"

namespace passdiff::tir {
namespace {

constexpr std::array<std::string_view, 5> kForKindNames = {"serial", "parallel", "vectorized", "unrolled", "thread_binding"};
constexpr std::array<std::string_view, 4> kIterKindNames = {"spatial", "reduction", "scan", "opaque"};

using VisitExpr = std::function<void(const Expr&)>;

void visit_all(const std::vector<Expr>& exprs, const VisitExpr& visit) {
  for (const Expr& one : exprs) visit(one);
}

void visit_region(const BufferRegion& region, const VisitExpr& visit) {
  for (const Range& range : region.region) {
    visit(range.min);
    visit(range.extent);
  }
}

void visit_realize(const SBlockRealize& realize, const VisitExpr& visit) {
  visit_all(realize.iter_values, visit);
  visit(realize.predicate);
  for (const IterVar& iter : realize.block.iter_vars) {
    visit(iter.domain.min);
    visit(iter.domain.extent);
  }
  for (const BufferRegion& region : realize.block.reads) visit_region(region, visit);
  for (const BufferRegion& region : realize.block.writes) visit_region(region, visit);
  for (const MatchBuffer& match : realize.block.match_buffers) visit_region(match.source, visit);
}

}  // namespace

std::string_view for_kind_name(ForKind kind) {
  return kForKindNames[static_cast<std::size_t>(kind)];
}
std::optional<ForKind> for_kind_from_name(std::string_view name) {
  return detail::value_named<ForKind>(kForKindNames, name);
}
std::string_view iter_kind_name(IterKind kind) {
  return kIterKindNames[static_cast<std::size_t>(kind)];
}
std::optional<IterKind> iter_kind_from_name(std::string_view name) {
  return detail::value_named<IterKind>(kIterKindNames, name);
}

Stmt make_stmt(StmtAlternatives node) {
  return std::make_shared<const StmtNode>(StmtNode{std::move(node)});
}

void for_each_child(const Stmt& stmt, const std::function<void(const Stmt&)>& visit) {
  match(
      stmt->node, [&](const OneOf<For, While, AttrStmt> auto& node) { visit(node.body); },
      [&](const Seq& seq) {
        for (const Stmt& one : seq.stmts) visit(one);
      },
      [&](const IfThenElse& branches) {
        visit(branches.then_case);
        if (branches.else_case) visit(branches.else_case);
      },
      [&](const SBlockRealize& realize) {
        if (realize.block.init) visit(realize.block.init);
        visit(realize.block.body);
      },
      [](const OneOf<Evaluate, Bind, BufferStore, AllocBuffer, DeclBuffer, AssertStmt, Return, Break, Continue> auto&) {});
}

void for_each_expr(const Stmt& stmt, const VisitExpr& visit) {
  match(
      stmt->node,
      [&](const For& loop) {
        visit(loop.min);
        visit(loop.extent);
        if (loop.step) visit(loop.step);
      },
      [&](const OneOf<While, IfThenElse, AssertStmt> auto& node) { visit(node.condition); },
      [&](const OneOf<Evaluate, Bind, Return> auto& node) { visit(node.value); },
      [&](const BufferStore& store) {
        visit_all(store.indices, visit);
        visit(store.value);
        if (store.predicate) visit(store.predicate);
      },
      [&](const DeclBuffer& declared) { visit(declared.data); }, [&](const AttrStmt& attr) { visit(attr.value); },
      [&](const SBlockRealize& realize) { visit_realize(realize, visit); },
      [](const OneOf<Seq, AllocBuffer, Break, Continue> auto&) {});
}

}  // namespace passdiff::tir
