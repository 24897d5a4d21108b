// Through which precision the outputs of a module are computed.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/module.h"

namespace passdiff {

// The narrowest float that results of ops on the way to one output have: what rounding may cost there by the program's own word.
// That of parameters and constants does not count, since they are not rounded.
class OutputPrecision {
 public:
  // Of the entry function's results. The module must have the function.
  OutputPrecision(const Module& module, std::string_view entry);

  // At this position through nested tuples; nothing if no op on the way makes floats.
  std::optional<DType> at(const std::vector<int>& position) const;

  // What is computed, and, where it is a tuple that is written out, what its fields are.
  struct Path {
    std::optional<DType> narrowest;
    std::vector<Path> fields;
  };

 private:
  Path result_;
};

}  // namespace passdiff
