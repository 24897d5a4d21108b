// Copying bodies into other bodies: variables get new names, symbolic dims are replaced, blocks stay what
// they were.
#pragma once

#include <set>
#include <string>

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

// Calls are typed anew. A method fails if that fails: then what would be written is ill-typed, and nothing is
// to be done.
class BodyCopier {
 public:
  explicit BodyCopier(const Module& module, SpliceFaults faults = {}) : module_(module), faults_(faults) {}
  virtual ~BodyCopier() = default;

  // Names that copies may not take.
  void reserve_names(const Function& function);
  bool copy_blocks(const SeqExpr& seq, CopyScope& scope, BlockSink& sink);
  // A variable, constant, tuple, shape or scalar in its new home's terms.
  ExprPtr copy_leaf(const ExprPtr& leaf, const CopyScope& scope) const;
  // With its parameters, as a new function; null if copying fails.
  FunctionPtr copy_function(const Function& function, CopyScope& scope);

 protected:
  virtual bool copy_binding(const Binding& binding, CopyScope& scope, BlockSink& sink);
  // Must what this binding becomes leave the dataflow block that it is in?
  virtual bool leaves_dataflow(const Binding&) const { return false; }
  virtual Result<ExprPtr> copy_call(const ExprPtr& value, const Call& call, const CopyScope& scope) const;
  virtual Type param_type(const Var& param, const CopyScope& scope) const {
    return copy_type(param->type, scope);
  }
  virtual Type result_type(const Function& function, const Type& /*of the copied body*/,
                           const CopyScope& scope) const {
    return copy_type(function.result_type, scope);
  }

  Var define(const Var& var, Type type, CopyScope& scope);
  std::string unique_name(const std::string& base);
  Type copy_type(const Type& type, const CopyScope& scope) const;
  const Module& module() const { return module_; }

 private:
  bool copy_dataflow_block(const Block& block, CopyScope& scope, BlockSink& sink);
  void define_symbols(const Type& type, CopyScope& scope) const;
  std::vector<ExprPtr> copy_leaves(const std::vector<ExprPtr>& leaves, const CopyScope& scope) const;
  Result<ExprPtr> copy_value(const ExprPtr& value, CopyScope& scope);
  Result<ExprPtr> call_anew(const Call& call, std::vector<ExprPtr> args, const CopyScope& scope) const;
  Result<ExprPtr> copy_if(const If& branches, CopyScope& scope);
  bool copy_seq(const SeqExpr& seq, CopyScope& scope, SeqExpr& copy);

  const Module& module_;
  SpliceFaults faults_;
  std::set<std::string> names_;
};

}  // namespace passdiff
