// The ops of TVM that the op table leaves out.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace passdiff {

struct MissingOp {
  std::string name;
  std::string_view reason;
};
// Those of `names` that are ops of Relax and have no row in the table, sorted, each with the reason.
std::vector<MissingOp> missing_ops(std::span<const std::string> names);

}  // namespace passdiff
