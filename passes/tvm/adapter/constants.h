// Constants that passes compute: FoldConstant has functions of TensorIR compiled, and calls what comes out. Where a request wants it so, the client
// is asked to run such a function ("evaluate" of PROTOCOL.md), and code is made only where that fails.
#pragma once

#include <cstdint>
#include <optional>

namespace passdiff {

// Has passes call this adapter where they want code. Until then, and where no ConstantsOf wants otherwise, they get the compiler's.
void take_over_builds();

// As long as it lives, the client computes constants for the request; code does where there is no request, and otherwise. One lives at a time.
class ConstantsOf {
 public:
  explicit ConstantsOf(std::optional<std::int64_t> request);
  ~ConstantsOf();
  ConstantsOf(const ConstantsOf&) = delete;
  ConstantsOf& operator=(const ConstantsOf&) = delete;
};

}  // namespace passdiff
