// Building a module anew with some of its parts replaced and all types inferred again. Reductions and tests edit
// modules so.
#pragma once

#include <functional>
#include <optional>

#include "core/ir/module.h"
#include "core/result.h"

namespace passdiff {

struct OpDef;  // core/ops/op.h

// What to change: each member is asked about every part of its kind; an empty one changes nothing. They are given
// parts of the old module, and answer with expressions over its variables.
struct Edits {
  // An expression to stand in for a binding's variable; the binding is then left out.
  std::function<std::optional<ExprPtr>(const Binding&)> replace;
  // Another expression for a binding's value.
  std::function<std::optional<ExprPtr>(const Binding&)> rewrite;
  std::function<bool(const Binding&)> remove;  // a binding whose variable is not used
  std::function<bool(const Var&)> expose;      // makes a dataflow variable visible outside its block
  std::function<TensorPtr(const TensorPtr&)> constant;
  std::function<Dim(const Dim&)> dim;          // in parameters, match casts and shapes
  std::function<Type(const Var&)> param_type;  // applied before `dim`
  std::function<Type(const Type&)> cast;       // what a match_cast says; applied after `dim`
  std::function<std::optional<Attrs>(const OpDef&, const Attrs&)> attrs;
};

// The edited module. Variables keep their names; declared types become the inferred ones. Fails with type.* if
// inference refuses an edited expression or no value could pass a match_cast (type.unknown-function: if a function that is
// called is not there any more), with rebuild.unbound if a variable that is used is not.
Result<Module> rebuild(const Module& module, const Edits& edits);

}  // namespace passdiff
