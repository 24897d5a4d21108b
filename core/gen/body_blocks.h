// BodyBlocks: the blocks and bindings of a body under construction.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/gen/draft.h"

namespace passdiff {

class BodyBlocks {
 public:
  explicit BodyBlocks(FunctionDraft& function) : function_(function) { begin(false); }

  // Later bindings stand in a new block; a plain block after a plain block is the same block.
  void begin(bool dataflow);
  bool in_dataflow() const { return dataflow_; }
  unsigned number() const { return number_; }  // of the current block; no other block of the function has it
  int binding_count() const { return bindings_; }
  // Binds the value to a new variable.
  std::shared_ptr<VarNode> bind(ExprPtr value, Type type, std::optional<Type> match_cast);
  // Ends the last block: number() is that of none from here on.
  void end();
  SeqExpr finish(const ExprPtr& result) { return {.blocks = std::move(blocks_), .result = result}; }

 private:
  FunctionDraft& function_;
  std::vector<Block> blocks_;
  unsigned number_ = 0;
  bool dataflow_ = false;
  int bindings_ = 0;
};

}  // namespace passdiff
