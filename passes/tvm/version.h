// Versions of TVM, as its package names them: "0.27.0.post1".
#pragma once

#include <string_view>

namespace passdiff {

// Whether this is TVM 0.25 or 0.26, the oldest that are driven: 0.27 moved classes and passes of TensorIR.
inline bool is_before_0_27(std::string_view version) {
  return version.starts_with("0.25") || version.starts_with("0.26");
}

}  // namespace passdiff
