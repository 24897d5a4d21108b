// Copying bodies into other bodies: variables get new names, symbolic dims are replaced, blocks stay plain or dataflow.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "core/ir/rewriter.h"
#include "core/result.h"

namespace passdiff {

// How a body is copied, and what has been copied of it so far.
struct CopyScope {
  Substitution by;    // what its variables and symbolic dims become; grows as they are bound
  bool fresh = true;  // variables and symbolic dims that it binds become new ones; else only where they must
  bool flat = false;  // all its bindings become part of the dataflow block that it is copied into
  bool exposed = false;  // dataflow variables become visible outside of their block
  // The variable that holds the result, and the variable that it becomes: then no binding `y = result` is needed.
  const VarNode* result = nullptr;
  Var result_home;
  bool result_placed = false;
};

// The faults of copying that can be switched on.
struct SpliceFaults {
  bool share_vars = false;     // variables that the body binds are not replaced by new ones
  bool share_symbols = false;  // symbolic dims that the body defines are not replaced by new ones
  bool keep_types = false;     // declared types keep their symbolic dims
  bool keep_shapes = false;    // shapes and scalars keep their symbolic dims
  bool keep_dataflow = false;  // variables of a dataflow block stay dataflow variables in a plain one

  bool operator==(const SpliceFaults&) const = default;
  bool any() const { return *this != SpliceFaults{}; }
};

// Copies bodies. The types of calls, tuples and branches are inferred again; copying fails if that fails, since the copy would be
// ill-typed.
class BodyCopier : public Rewriter {
 public:
  explicit BodyCopier(const Module& module, SpliceFaults faults = {}) : module_(module), faults_(faults) {}

  // Copies get other names than the variables of this function have.
  void reserve_names(const Function& function);

  // What an expression becomes under the current scope.
  ExprPtr expr(const ExprPtr& old) override;
  // A copy of the function with its parameters, which always is a new function.
  FunctionPtr function(const FunctionPtr& old) override;
  bool seq(const SeqExpr& old, SeqExpr& fresh) override;

 protected:
  bool binding(const Binding& old, BlockSink& to) override;
  bool block(const Block& old, BlockSink& to) override;
  Dim dim(const Dim& old) override { return scope().by.dim(old); }
  Type type(const Type& old) override { return faults_.keep_types ? old : scope().by.type(old); }
  ExprPtr remake(const ExprPtr& old, ExprNode node) override;

  // Whether what this binding becomes must leave the dataflow block that the binding is in.
  virtual bool leaves_dataflow(const Binding&) const { return false; }
  virtual Type param_type(const Var& param) { return type(param->type); }
  virtual Type result_type(const Function& function, const Type& /*of the copied body*/) {
    return type(function.result_type);
  }

  CopyScope& scope() { return *scope_; }
  // Calls `copy` with another scope in force, and returns what it returns.
  template <class Copy>
  auto under(CopyScope& scope, const Copy& copy) {
    CopyScope* const outer = std::exchange(scope_, &scope);
    auto result = copy();
    scope_ = outer;
    return result;
  }

  // The variable that stands for a bound one from here on, of this type.
  Var define(const Var& var, Type type);
  std::string unique_name(const std::string& base);
  const Module& module() const { return module_; }

 private:
  void define_symbols(const Type& type);

  const Module& module_;
  SpliceFaults faults_;
  std::set<std::string> names_;
  CopyScope in_place_{.by = {}, .fresh = false};  // for a function that is copied without being moved
  CopyScope* scope_ = &in_place_;
};

}  // namespace passdiff
