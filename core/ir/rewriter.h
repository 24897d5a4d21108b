// Rewriting: a base class for everything that makes a new body out of an old one. Nodes are shared where nothing changes.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/ir/module.h"
#include "core/ir/pointer_map.h"

namespace passdiff {

// Collects the bindings of a rewritten sequence, in blocks.
class BlockSink {
 public:
  // Begins a new block for what is added next.
  void begin_block(bool dataflow) { blocks_.push_back({dataflow, {}}); }
  // Begins a plain block for what is added next, unless the current block is one.
  void continue_plain() {
    if (!in_block() || blocks_.back().dataflow) begin_block(false);
  }
  // Adds to the current block, or to a new plain one if none was begun.
  void add(Binding binding);
  void add(const std::vector<Binding>& bindings);

  bool in_block() const { return !blocks_.empty(); }
  bool in_dataflow() const { return in_block() && blocks_.back().dataflow; }
  std::vector<Binding>& current();  // the bindings of the current block so far
  // The sequence; blocks without bindings are left out.
  SeqExpr finish(ExprPtr result);

 private:
  std::vector<Block> blocks_;
};

// Joins plain blocks that follow each other: text cannot tell two of them from one.
void join_plain_blocks(SeqExpr& seq);
// Makes one plain block of all blocks. False if none was a dataflow block.
bool join_as_plain(SeqExpr& seq);
// Binds `to`, without a cast, in the place of a variable that the sequence itself binds. Uses stay as they are.
void bind_instead(SeqExpr& seq, const Var& var, const Var& to);

// Rewrites an expression, sequence or function from the root down. Derived classes override what they change
// and call the base for the rest, which rewrites the parts. An override that returns null (or false) makes
// everything around it fail, up to the caller; the base itself never fails.
//
// Variables keep their identity and types their dims unless an override says otherwise. New nodes are not
// marked as inferred.
class Rewriter {
 public:
  virtual ~Rewriter() = default;

  virtual ExprPtr expr(const ExprPtr& old) { return parts(old); }
  // False if it fails. `fresh` may be the same blocks as `old`.
  virtual bool seq(const SeqExpr& old, SeqExpr& fresh);
  virtual FunctionPtr function(const FunctionPtr& old);

 protected:
  // Writes what a binding becomes: nothing, itself, or several.
  virtual bool binding(const Binding& old, BlockSink& to);
  virtual bool block(const Block& old, BlockSink& to);
  // The new result of a sequence; bindings may still be added to `to`.
  virtual ExprPtr result(const ExprPtr& old, BlockSink&) { return expr(old); }
  virtual std::shared_ptr<const SeqExpr> branch(const std::shared_ptr<const SeqExpr>& old);
  // The new form of a dim in shapes and scalars.
  virtual Dim dim(const Dim& old) { return old; }
  // The new type of an expression, of a match_cast, or that a call of an extern function declares.
  virtual Type type(const Type& old) { return old; }
  // The expression for a node with other parts. The type is rewritten, not inferred.
  virtual ExprPtr remake(const ExprPtr& old, ExprNode node);
  // Must nodes be remade whose parts are the same?
  virtual bool remakes_all() const { return false; }

  // The expression with its parts rewritten; itself if none of them is another.
  ExprPtr parts(const ExprPtr& old);
  // The blocks of a sequence one after the other, without its result.
  bool blocks(const SeqExpr& old, BlockSink& to);

 private:
  struct Parts;
};

// For rewriters of bindings alone: expressions are left alone, but for the sequences inside branches and
// local functions.
class BindingRewriter : public Rewriter {
 public:
  ExprPtr expr(const ExprPtr& old) override;
};

// What to replace: variables by expressions, and symbolic dims by dims.
struct Substitution {
  PointerMap<ExprPtr> vars;
  PointerMap<Dim> symbols;

  Dim dim(const Dim& dim) const;
  Type type(const Type& type) const;
};

// Replaces variables and dims. Variables that are bound inside stay themselves, with the types they had: with
// dims to replace, what is rewritten should bind none.
class Substituter : public Rewriter {
 public:
  explicit Substituter(const Substitution& by) : by_(by) {}
  ExprPtr expr(const ExprPtr& old) override;

 protected:
  Dim dim(const Dim& old) override { return by_.dim(old); }
  Type type(const Type& old) override { return by_.type(old); }

 private:
  const Substitution& by_;
};

ExprPtr substitute(const ExprPtr& expr, const Substitution& substitution);
SeqExpr substitute(const SeqExpr& seq, const Substitution& substitution);

}  // namespace passdiff
