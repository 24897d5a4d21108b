#include "core/ir/tir/prim_func.h"

#include <algorithm>
#include <set>

#include "core/ir/tir/mutator.h"

namespace passdiff::tir {
namespace {

// Whether `holds` is true of the statement or of any inside of it.
template <class Holds>
bool any_stmt(const Stmt& stmt, const Holds& holds) {
  if (holds(stmt)) return true;
  bool found = false;
  for_each_child(stmt, [&](const Stmt& child) { found = found || any_stmt(child, holds); });
  return found;
}

}  // namespace

const std::string& name_of(const Param& param) {
  return std::visit([](const auto& node) -> const std::string& { return node->name; }, param);
}

bool has_blocks(const PrimFunc& function) {
  return any_stmt(function.body, [](const Stmt& stmt) { return as<SBlockRealize>(stmt) != nullptr; });
}

bool blocks_use_loops(const PrimFunc& function) {
  std::set<const SymVarNode*> loops;
  std::set<const SymVarNode*> used;
  const auto note = [&used](const Expr& expr) {
    if (const Var* var = as<Var>(expr)) used.insert(var->get());
  };
  const auto visit = [&](const auto& self, const Stmt& stmt) -> void {
    if (const auto* loop = as<For>(stmt)) loops.insert(loop->var.get());
    const auto* realize = as<SBlockRealize>(stmt);
    const bool closed = realize != nullptr && !realize->block.iter_vars.empty();
    if (!closed) return for_each_child(stmt, [&](const Stmt& child) { self(self, child); });
    for (const Stmt& part : {realize->block.init, realize->block.body}) {
      if (part != nullptr) for_each_nested(part, [](const Stmt&) {}, note);
    }
  };
  visit(visit, function.body);
  return std::ranges::any_of(used, [&loops](const SymVarNode* var) { return loops.contains(var); });
}

int count_statements(const PrimFunc& function) {
  int count = 0;
  any_stmt(function.body, [&](const Stmt&) {
    ++count;
    return false;
  });
  return count;
}

}  // namespace passdiff::tir
