#include "core/ir/expr.h"

#include "core/check.h"

namespace passdiff {

Var make_var(std::string name, Type type, bool dataflow) {
  return std::make_shared<const VarNode>(VarNode{std::move(name), std::move(type), dataflow});
}

ExprPtr var_expr(const Var& var) {
  CHECK(var != nullptr) << "no variable";
  return make_expr(var, var->type);
}

}  // namespace passdiff
