// The types of what no op infers: calls of functions, branches, bodies. Shared by builder and
// well-formedness.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/ir/module.h"
#include "core/result.h"

namespace passdiff {

// The callee's result type with its symbolic dims replaced by what the arguments say; erased where they do
// not say it. Fails with type.arity, type.argument.
Result<Type> call_result_type(const FuncType& signature, std::span<const ExprPtr> args);
// R.call_packed: nothing declared gives Object, one type gives that, several a tuple.
Type extern_result_type(const std::vector<Type>& type_args);
// The shapes that mention a variable outside `keep` become unknown (the rank stays). Function types are left
// alone: their variables are bound by their own parameters.
Type erase_symbols(const Type& type, const std::function<bool(const SymVar&)>& keep);
// The result type of a branch as seen outside of it: without the symbolic dims that its match_casts define.
Type branch_type(const SeqExpr& branch);
// The result type of a function: without the symbolic dims that its parameters do not define.
Type result_type_of(std::span<const Var> params, const SeqExpr& body);
// Adds the variables that a parameter or a match_cast of this type defines: dims that are bare variables.
void collect_defined(const Type& type, std::vector<SymVar>& into);
bool is_condition(const Type& type);  // a bool tensor of rank 0

}  // namespace passdiff
