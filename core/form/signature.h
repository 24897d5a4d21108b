// Inference for what is no call of an op: calls of functions, branches, bodies.
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "core/ir/module.h"
#include "core/result.h"

namespace passdiff {

// The type of a call: the callee's result type, its symbolic dims replaced by what the arguments have in their place;
// shapes become unknown where the arguments do not tell. Fails with type.arity, type.argument.
Result<Type> call_result_type(const FuncType& signature, std::span<const ExprPtr> args);
// The symbolic dims of the parameters, each with what the arguments have in its place; none if the arguments do not fit.
std::vector<std::pair<SymVar, Dim>> deduce_dims(std::span<const Var> params, std::span<const ExprPtr> args);
// The type of R.call_packed by the types declared with it: R.Object for none, the type itself for one, a tuple for
// more.
Type extern_result_type(const std::vector<Type>& type_args);
// The type with every shape unknown, save for its rank, that mentions a symbolic dim for which `keep` does not hold.
// Function types stay as they are: their dims are defined by their own parameters.
Type erase_symbols(const Type& type, const std::function<bool(const SymVar&)>& keep);
// The type of a branch's result outside of the branch: without the symbolic dims that match_casts in it define.
Type branch_type(const SeqExpr& branch);
// The type of a body's result outside of the function: without the symbolic dims that the parameters do not define.
Type result_type_of(std::span<const Var> params, const SeqExpr& body);
// Adds the symbolic variables that a parameter or a match_cast of this type defines: those that are dims by
// themselves.
void collect_defined(const Type& type, std::vector<SymVar>& into);
// The type of a function of TensorIR as Relax calls it: of any arguments. One that returns a number is pure, others write some of
// their arguments.
Type type_of(const tir::PrimFunc& function);
bool is_condition(const Type& type);  // a bool, or what may be a bool tensor of rank 0 (IsBoolType in TVM's src/relax/utils.cc)

}  // namespace passdiff
