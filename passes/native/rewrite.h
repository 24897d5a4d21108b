// What native passes share: variables met in expressions, substitution, and equality of expressions.
#pragma once

#include <functional>
#include <optional>

#include "core/ir/module.h"
#include "core/ir/pointer_map.h"

namespace passdiff {

// Every use of a variable in the expression, those inside branches and nested functions included; bindings
// are no uses.
void for_each_use(const ExprPtr& expr, const std::function<void(const Var&)>& visit);
void for_each_use(const SeqExpr& seq, const std::function<void(const Var&)>& visit);
// Every symbolic dim in shapes, scalars, match_casts and declared types within.
void for_each_symbol(const ExprPtr& expr, const std::function<void(const SymVar&)>& visit);
void for_each_symbol(const SeqExpr& seq, const std::function<void(const SymVar&)>& visit);

// The names of global functions that it calls or mentions, with repetitions.
void for_each_global(const SeqExpr& seq, const std::function<void(const std::string&)>& visit);
// May evaluating it do more than give a value? A call of a host function or of a function that is not
// declared pure.
bool is_impure(const Module& module, const ExprPtr& expr);
// Does any function of the module call or mention the global one?
bool is_referenced(const Module& module, std::string_view global);

// Variables by what stands for them, and symbolic dims by theirs.
struct Substitution {
  PointerMap<ExprPtr> vars;
  PointerMap<Dim> symbols;

  Type type(const Type& type) const;
};
// What does not mention a substituted variable or dim is shared, not copied. Variables bound inside are kept:
// with symbols to replace, the expression must bind none (no branches, no functions).
ExprPtr substitute(const ExprPtr& expr, const Substitution& substitution);
SeqExpr substitute(const SeqExpr& seq, const Substitution& substitution);

// Without the bindings that only bind and that nothing uses; the function itself if there are none.
FunctionPtr remove_unused_bindings(const Module& module, const FunctionPtr& function);

// Do both compute the same from the same variables? Constants by their bits. Never true of branches,
// functions and calls of anything but ops.
bool same_computation(const ExprPtr& a, const ExprPtr& b);

}  // namespace passdiff
