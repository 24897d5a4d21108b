// The part of well_formed that looks at types: what they mention is in scope, and they do not contradict inference.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/form/form_scope.h"
#include "core/ir/module.h"
#include "core/result.h"

namespace passdiff {

// Each check gives the first fault found, or nothing.
class TypeChecker {
 public:
  TypeChecker(const Module& module, FormScope& scope)
      : module_(module), scope_(scope), signatures_(module.functions.size()) {}

  // Opens the scopes of the symbolic variables that a parameter or match_cast of this type defines.
  void define_symbols(const Type& type);
  // Are the symbolic variables in scope, and are there such vdevices and meshes? form.undefined-symbol, form.vdevice, form.mesh.
  std::optional<Error> type(const Type& type);
  std::optional<Error> shape(const Shape& shape);
  std::optional<Error> dim(const Dim& dim);
  // Is the call's type one that its callee gives for these operands? form.wrong-type, form.arity,
  // form.unknown-global, form.vdevice.
  std::optional<Error> call(const ExprPtr& expr, const Call& call);
  // Is the type of an expression that is no call one that its parts can have? form.wrong-type, form.unknown-global.
  std::optional<Error> held(const ExprPtr& expr);

 private:
  std::optional<Error> vdevice(int index) const;
  std::optional<Error> mesh(int index) const;
  std::optional<Error> sharding(const TensorType& tensor) const;
  std::optional<Error> function_type(const FuncType& type);
  Result<Type> inferred(const Call& call);
  Result<Type> signature(const std::string& name);

  const Module& module_;
  FormScope& scope_;
  std::vector<std::optional<Type>> signatures_;  // of the module's functions, made when first called
  std::vector<SymVar> symbols_;                  // scratch of define_symbols
};

}  // namespace passdiff
