// Copying bodies into other bodies: variables get new names, symbolic dims are replaced, blocks stay what
// they were.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "core/ir/rewriter.h"
#include "core/result.h"

namespace passdiff {

// What a body is copied under.
struct CopyScope {
  Substitution by;    // what stands for its variables and symbolic dims, growing as they are bound
  bool fresh = true;  // variables and symbolic dims bound inside are new ones; else only where they must be
  bool flat = false;  // all of it joins one dataflow block of its new home
  bool exposed = false;  // dataflow variables become visible outside of their block
  // The variable that holds the result, and what it becomes: so that no binding `y = result` is left behind.
  const VarNode* result = nullptr;
  Var result_home;
  bool result_placed = false;
};

// The faults of copying that can be switched on.
struct SpliceFaults {
  bool share_vars = false;     // variables bound inside stay what they were
  bool share_symbols = false;  // and so do symbolic dims
  bool keep_types = false;     // declared types keep their symbolic dims
  bool keep_shapes = false;    // shapes and scalars keep theirs
  bool keep_dataflow = false;  // variables of a dataflow block stay dataflow variables in a plain one

  bool operator==(const SpliceFaults&) const = default;
  bool any() const { return *this != SpliceFaults{}; }
};

// Calls, tuples and branches are typed anew. Copying fails if that fails: then what would be written is ill-typed, and
// nothing is to be done.
class BodyCopier : public Rewriter {
 public:
  explicit BodyCopier(const Module& module, SpliceFaults faults = {}) : module_(module), faults_(faults) {}

  // Names that copies may not take.
  void reserve_names(const Function& function);

  // What an expression becomes under the current scope.
  ExprPtr expr(const ExprPtr& old) override;
  // With its parameters, always as a new function.
  FunctionPtr function(const FunctionPtr& old) override;
  bool seq(const SeqExpr& old, SeqExpr& fresh) override;

 protected:
  bool binding(const Binding& old, BlockSink& to) override;
  bool block(const Block& old, BlockSink& to) override;
  Dim dim(const Dim& old) override { return scope().by.dim(old); }
  Type type(const Type& old) override { return faults_.keep_types ? old : scope().by.type(old); }
  ExprPtr remake(const ExprPtr& old, ExprNode node) override;

  // Must what this binding becomes leave the dataflow block that it is in?
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
  CopyScope in_place_{.by = {}, .fresh = false};  // of a function that is copied to where it stands
  CopyScope* scope_ = &in_place_;
};

}  // namespace passdiff
