#include "passes/tvm/applies.h"

#include <algorithm>

namespace passdiff {

bool has_weights(const Module& module) {
  return std::any_of(module.functions.begin(), module.functions.end(), [](const GlobalFunction& f) {
    return f.is_public && f.function->attrs.contains("num_input");
  });
}

bool has_vdevices(const Module& module) { return !module.vdevices.empty(); }

}  // namespace passdiff
