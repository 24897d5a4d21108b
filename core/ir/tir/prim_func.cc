#include "core/ir/tir/prim_func.h"

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

int count_statements(const PrimFunc& function) {
  int count = 0;
  any_stmt(function.body, [&](const Stmt&) {
    ++count;
    return false;
  });
  return count;
}

}  // namespace passdiff::tir
