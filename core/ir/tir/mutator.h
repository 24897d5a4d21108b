// Rewriting of functions of TensorIR: a base class for what makes new expressions and statements out of old
// ones.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/ir/tir/prim_func.h"

namespace passdiff::tir {

// Rewrites from the root down. Derived classes override what they change and call the base for the rest,
// which rewrites the parts. A node none of whose parts changes is returned as it is.
class Mutator {
 public:
  virtual ~Mutator() = default;

  virtual Expr expr(const Expr& old) { return parts(old); }
  virtual Stmt stmt(const Stmt& old) { return parts(old); }

 protected:
  // What a buffer becomes where it is used or declared: the same each time. By default itself, or one with
  // the rewritten sizes, strides and offset if these change.
  virtual Buffer buffer(const Buffer& old);
  // What a variable becomes where it is defined: by a loop, a block, a Bind, a Let or a thread. Uses of it go
  // through `expr`.
  virtual Var definition(const Var& old) { return old; }
  // What a buffer becomes where it is declared.
  virtual Buffer definition(const Buffer& old) { return buffer(old); }
  // What a region becomes that a block declares or matches.
  virtual BufferRegion region(const BufferRegion& old);

  // The node with its parts rewritten; itself if none of them changes. Expressions of a statement come before
  // statements inside.
  Expr parts(const Expr& old);
  Stmt parts(const Stmt& old);

 private:
  friend struct MutatedParts;
  std::unordered_map<const BufferNode*, Buffer> buffers_;
};

// Puts expressions in the place of variables. Variables and buffers that the statement itself defines are
// copied, so that several results can stand in one function.
class Substitution : public Mutator {
 public:
  void replace(const Var& var, Expr by) { values_[var.get()] = std::move(by); }
  Expr expr(const Expr& old) override;

 protected:
  Buffer buffer(const Buffer& old) override;
  Var definition(const Var& old) override;
  Buffer definition(const Buffer& old) override;

 private:
  std::unordered_map<const SymVarNode*, Expr> values_;
  std::unordered_map<const BufferNode*, Buffer> copies_;
};

// The function with another body; the function itself if the body is the same.
PrimFuncPtr with_body(const PrimFuncPtr& function, Stmt body);
// The statements in sequence, those of sequences among them taken out; the statement itself if there is but
// one.
Stmt sequence(const std::vector<Stmt>& stmts);
// A statement that does nothing, as TVM writes it: T.evaluate(0).
Stmt no_op();

// Whether a variable is used in the expression or statement.
bool uses(const Expr& expr, const Var& var);
bool uses(const Stmt& stmt, const Var& var);
// Calls `visit` on the expression and on all inside of it.
void for_each_nested(const Expr& expr, const std::function<void(const Expr&)>& visit);
// Calls `visit` on the statement and on all inside of it; `visit_expr` on all expressions in them, regions of
// blocks among them.
void for_each_nested(const Stmt& stmt, const std::function<void(const Stmt&)>& visit,
                     const std::function<void(const Expr&)>& visit_expr);

}  // namespace passdiff::tir
