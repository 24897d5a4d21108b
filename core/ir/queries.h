// What expressions mention and do: variables used, symbolic dims, global functions, impure calls.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/ir/walk.h"

namespace passdiff {

// Calls `visit(const Var&)` on every use of a variable within, those inside branches and local functions
// included; that a variable is bound is no use of it. `root` is an expression or a sequence.
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

// Calls `visit` on every symbolic dim that is written within: in shapes, scalars, match_casts, declared types
// (of variables, parameters, results, extern calls), with repetitions. Types that are only inferred do not
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
// Does any function of the module call or mention the global one?
bool is_referenced(const Module& module, std::string_view global);
// These functions, in their order, and behind them those that they call or mention, and so on: each once.
// Names of functions that the module lacks are kept.
std::vector<std::string> reachable_functions(const Module& module, std::vector<std::string> roots);

// May evaluating it do more than give a value? It may if it calls a function of the host, or one that is not
// declared pure. Making a closure calls nothing.
bool is_impure(const Module& module, const ExprPtr& expr);

}  // namespace passdiff
