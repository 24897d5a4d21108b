// Sequence: the body of a function or a branch while its statements are read.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ir/expr.h"

namespace passdiff {

struct Sequence {
  std::vector<Block> blocks;
  ExprPtr result;      // once it is returned
  NamedAttrs attrs;    // of the function
  bool in_dataflow = false;
  bool ended = false;  // by return, or by R.output in a dataflow block
  std::vector<std::shared_ptr<VarNode>> dataflow_vars;  // of the open dataflow block: R.output makes some visible

  // Binds the value to a new variable.
  Var emit(std::string_view name, Type type, ExprPtr value, std::optional<Type> match_cast = std::nullopt) {
    std::shared_ptr<VarNode> var = new_var(name, std::move(type));
    bind(var, std::move(value), std::move(match_cast));
    return var;
  }
  std::shared_ptr<VarNode> new_var(std::string_view name, Type type) const {
    return std::make_shared<VarNode>(VarNode{std::string(name), std::move(type), in_dataflow});
  }
  void bind(const std::shared_ptr<VarNode>& var, ExprPtr value, std::optional<Type> match_cast = std::nullopt) {
    if (blocks.empty() || blocks.back().dataflow != in_dataflow) {
      blocks.push_back({.dataflow = in_dataflow, .bindings = {}});
    }
    if (in_dataflow) dataflow_vars.push_back(var);
    blocks.back().bindings.push_back({.var = var, .value = std::move(value), .match_cast = std::move(match_cast)});
  }
};

}  // namespace passdiff
