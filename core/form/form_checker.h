// The walk behind well_formed. Methods return false once a fault is found; the first one is kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ir/module.h"
#include "core/result.h"
#include "core/form/form_scope.h"

namespace passdiff {

class FormChecker {
 public:
  explicit FormChecker(const Module& module) : module_(module), signatures_(module.functions.size()) {}
  std::optional<Error> check();

 private:
  bool fail(const char* code, std::string message);

  // Structure and scopes (well_formed.cc).
  bool module_level();
  bool function(const Function& function);
  bool function_scope(const Function& function);
  bool parameters(const Function& function);
  bool sequence(const SeqExpr& seq);
  bool block(const Block& block);
  bool binding(const Binding& binding, bool dataflow_block);
  bool define(const Var& var, bool dataflow_block);
  bool value(const ExprPtr& expr);
  bool leaf(const ExprPtr& expr);
  bool call(const ExprPtr& expr, const Call& call);
  bool if_else(const ExprPtr& expr, const If& branches);
  bool use(const Var& var);
  bool purity(const Call& call);

  // Types (form_types.cc).
  bool type(const Type& type);
  bool function_type(const FuncType& type);
  bool dim(const Dim& dim);
  bool shape(const Shape& shape);
  void define_symbols(const Type& type);
  bool call_type(const ExprPtr& expr, const Call& call);
  bool leaf_type(const ExprPtr& expr);
  const Type* signature(const std::string& name);

  const Module& module_;
  std::vector<std::optional<Type>> signatures_;  // of the module's functions, made when first called
  FormScope scope_;
  std::vector<SymVar> symbols_;  // scratch
  bool in_dataflow_ = false;
  bool forbid_impure_ = false;
  std::optional<Error> error_;
};

}  // namespace passdiff
