// What passes share that take parameters away from functions: the values come from elsewhere then, callers
// stay right.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/ir/module.h"

namespace passdiff {

// A variable that was a parameter (or a field of one), and where its value comes from now.
struct MovedParam {
  Var var;
  // Appends the bindings that are needed to get the value; `dataflow` says whether they stand in such a
  // block.
  std::function<ExprPtr(std::vector<Binding>&, bool dataflow)> fetch;
  bool cast = false;               // the type is known only once the value is cast to it
  std::vector<std::size_t> needs;  // others whose variables the value mentions
};

// The faults of binding the values that can be switched on.
struct MoveFaults {
  bool nested_ignored = false;   // what only branches and local functions use is not bound
  bool after_first_use = false;  // bound behind the binding that uses it first
};

// The body with each moved parameter bound before its first use, and before the first mention of a symbolic
// dim that it alone defines; what is not used is not fetched. `kept` are the parameters that stay.
SeqExpr bind_before_use(const SeqExpr& body, std::span<const Var> kept, std::vector<MovedParam> moved,
                        const MoveFaults& faults = {});

// The result type of a function that has only these parameters left.
Type result_type_without(const Type& result, std::span<const Var> kept);

// A copy without dataflow blocks: impure calls may stand anywhere in it.
std::vector<Binding> plain_bindings(const SeqExpr& body, ExprPtr& result);

// Each public function that `changes` and that some function of the module mentions is taken apart: its work
// moves to a private function, which the module's own functions call from now on; the public one calls that
// and nothing else. So its signature can change, and no caller notices.
Module keep_callers(const Module& module, const std::function<bool(const GlobalFunction&)>& changes);

// The expression with those parts replaced for which `replace` has something to say; shared where it has not.
ExprPtr replace_parts(const ExprPtr& expr,
                      const std::function<std::optional<ExprPtr>(const ExprPtr&)>& replace);

}  // namespace passdiff
