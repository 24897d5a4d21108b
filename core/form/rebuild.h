// Building a module anew with some of its parts replaced, all types inferred again: what reductions are made of.
#pragma once

#include <functional>
#include <optional>

#include "core/ir/module.h"
#include "core/result.h"

namespace passdiff {

struct OpDef;  // core/ops/op.h

// What to change; an empty function changes nothing. The edits see the old module and answer in its terms.
struct Edits {
  // An expression to stand in for a binding's variable; the binding is then left out.
  std::function<std::optional<ExprPtr>(const Binding&)> replace;
  // Another expression for a binding's value.
  std::function<std::optional<ExprPtr>(const Binding&)> rewrite;
  std::function<bool(const Binding&)> remove;  // its variable must be unused
  std::function<bool(const Var&)> expose;      // makes a dataflow variable visible outside its block
  std::function<TensorPtr(const TensorPtr&)> constant;
  std::function<Dim(const Dim&)> dim;          // in parameters, match casts and shapes
  std::function<Type(const Var&)> param_type;  // applied before `dim`
  std::function<Type(const Type&)> cast;       // what a match_cast says; applied after `dim`
  std::function<std::optional<Attrs>(const OpDef&, const Attrs&)> attrs;
};

// Fails if inference refuses an edited expression, no value could pass a match_cast (type.match-cast), or an edited module has an unbound variable (rebuild.unbound).
// Variables keep their names; declared types more general than the inferred ones become the inferred ones.
Result<Module> rebuild(const Module& module, const Edits& edits);

}  // namespace passdiff
