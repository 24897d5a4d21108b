// Shared by passes that remove parameters from functions (LazyGetInput, BundleModelParams, ...): rewriting a body to obtain the
// values elsewhere, and keeping the callers of such functions right.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/ir/module.h"

namespace passdiff {

// A variable that was a parameter, or a field of one, and how to obtain its value now.
struct MovedParam {
  Var var;
  // Appends the bindings that obtain the value, and returns it as an expression. `dataflow`: they stand in a dataflow block.
  std::function<ExprPtr(std::vector<Binding>&, bool dataflow)> fetch;
  bool cast = false;               // the value has no type of its own and is bound by a match_cast to the variable's
  std::vector<std::size_t> needs;  // the indices of other moved parameters whose variables the value mentions
};

// The faults of binding the values that can be switched on.
struct MoveFaults {
  bool nested_ignored = false;   // parameters that only branches and local functions use are not bound
  bool after_first_use = false;  // a parameter is bound after the binding that uses it first
};

// How many parameters of the function are inputs, which stay; without num_input none is, as TVM takes a missing attribute.
std::size_t count_inputs(const Function& function);

// The body with each moved parameter bound before its first use, and before the first mention of a symbolic dim that it alone
// defines. Parameters that are not used are not fetched. `kept` are the parameters that stay.
SeqExpr bind_before_use(const SeqExpr& body, std::span<const Var> kept, std::vector<MovedParam> moved,
                        const MoveFaults& faults = {});

// The result type of a function that is left with these parameters: without symbolic dims that none of them defines.
Type result_type_without(const Type& result, std::span<const Var> kept);

// The bindings of a body, copied without dataflow blocks and variables, so that impure calls may stand anywhere between them;
// `result` becomes the body's result in the new variables.
std::vector<Binding> plain_bindings(const SeqExpr& body, ExprPtr& result);

// Splits each public function that `changes` and that some function of the module calls or mentions: its body moves to a private
// function, which the module's own functions now call, and the public one only calls that. Then the signature of the public one
// can change without breaking a call.
Module keep_callers(const Module& module, const std::function<bool(const GlobalFunction&)>& changes);

// The expression with the parts replaced for which `replace` returns an expression; parts that do not change are shared.
ExprPtr replace_parts(const ExprPtr& expr,
                      const std::function<std::optional<ExprPtr>(const ExprPtr&)>& replace);

}  // namespace passdiff
