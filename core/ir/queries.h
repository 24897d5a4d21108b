// What expressions mention and do: variables used, symbolic dims, global functions, impure calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/ir/walk.h"

namespace passdiff {

// Calls `visit(const Var&)` on every use of a variable in `root`, an expression or a sequence, including those inside of branches
// and local functions. The binding of a variable is no use of it.
template <class Root, class Visit>
void for_each_use(const Root& root, Visit&& visit) {
  for_each_expr(root, [&](const ExprPtr& expr) {
    if (const Var* var = as<Var>(expr)) visit(*var);
  });
}
template <class Root>
bool uses(const Root& root, const VarNode* var) {
  return any_expr(root, [&](const ExprPtr& expr) {
    const Var* used = as<Var>(expr);
    return used != nullptr && used->get() == var;
  });
}
using VarSet = std::unordered_set<const VarNode*>;
template <class Root>
void collect_uses(const Root& root, VarSet& into) {
  for_each_use(root, [&](const Var& var) { into.insert(var.get()); });
}

// The sequence's own binding of a variable, or null.
const Binding* binding_of(const SeqExpr& seq, const VarNode* var);

// Calls `visit` on every symbolic dim that is written out in the expression, binding or sequence: in shapes, scalars, match_casts
// and declared types (of variables, parameters, results, extern calls), with repetitions. Types that are only inferred do not
// count.
void for_each_symbol(const ExprPtr& expr, const std::function<void(const SymVar&)>& visit);
void for_each_symbol(const Binding& binding, const std::function<void(const SymVar&)>& visit);
void for_each_symbol(const SeqExpr& seq, const std::function<void(const SymVar&)>& visit);

// The function of the module that the expression itself calls by name, or null.
const GlobalRef* called_global(const ExprPtr& expr);
// Calls `visit(const std::string&)` on the name of every global function that is called or mentioned within,
// with repetitions.
template <class Root, class Visit>
void for_each_global(const Root& root, Visit&& visit) {
  for_each_expr(root, [&](const ExprPtr& expr) {
    if (const auto* mentioned = as<GlobalRef>(expr)) visit(mentioned->name);
    if (const auto* called = called_global(expr)) visit(called->name);
  });
}
// The number of parameters of a global function, of Relax or of TensorIR; nothing if the module lacks it.
std::optional<std::size_t> count_params(const Module& module, std::string_view global);
// Whether any function of the module calls or mentions the global function.
bool is_referenced(const Module& module, std::string_view global);
// The names of these functions, in their order, followed by those of the functions that they call or mention, and so on; each
// once. Names that the module lacks are kept.
std::vector<std::string> reachable_functions(const Module& module, std::vector<std::string> roots);

// The attribute num_input of the function: how many of its parameters are inputs, known only at run time; the rest are weights. Null if it
// has none, or one that is no integer.
const std::int64_t* num_input(const Function& function);

// Whether evaluating the expression may have an effect: it may if it calls a function of the host, or a function that is not
// declared pure. Making a closure has none.
bool is_impure(const Module& module, const ExprPtr& expr);

}  // namespace passdiff
