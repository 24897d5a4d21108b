// What a block of TensorIR declares, and a run contradicts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace passdiff {

struct BlockClaim {
  std::string function;
  std::string block;
  std::string buffer;  // whose regions are too small; empty: a variable of the block leaves its domain
};

// The claim of which a finding's detail tells: "target: undeclared-access in f (binding y): block B reads A[3], which its regions do not declare".
// Nothing if it tells of none.
std::optional<BlockClaim> block_claim(std::string_view detail);

}  // namespace passdiff
