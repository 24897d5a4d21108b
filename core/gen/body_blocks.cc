#include "core/gen/body_blocks.h"

#include <string>
#include <utility>

namespace passdiff {

void BodyBlocks::begin(bool dataflow) {
  if (!blocks_.empty() && blocks_.back().bindings.empty()) blocks_.pop_back();
  dataflow_ = dataflow;
  // TVMScript cannot tell two plain blocks in a row from one.
  if (!dataflow && !blocks_.empty() && !blocks_.back().dataflow) return;
  number_ = function_.next_block++;
  blocks_.push_back({.dataflow = dataflow, .bindings = {}});
  if (dataflow) blocks_.back().bindings.reserve(8);
}

std::shared_ptr<VarNode> BodyBlocks::bind(ExprPtr value, Type type, std::optional<Type> match_cast) {
  std::string name("lv");
  const unsigned number = function_.next_var++;
  if (number > 0) name += std::to_string(number);
  auto var = std::make_shared<VarNode>(VarNode{std::move(name), std::move(type), dataflow_});
  blocks_.back().bindings.push_back(
      {.var = var, .value = std::move(value), .match_cast = std::move(match_cast)});
  ++bindings_;
  return var;
}

void BodyBlocks::end() {
  if (!blocks_.empty() && blocks_.back().bindings.empty()) blocks_.pop_back();
  number_ = function_.next_block++;
}

}  // namespace passdiff
