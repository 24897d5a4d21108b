// The ops that replaying a real model spends its time in, on operands of such a model's sizes.
#pragma once

#include <string_view>
#include <vector>

#include "core/result.h"

namespace passdiff {

struct KernelTime {
  std::string_view name;
  double seconds = 0;  // of processor time for one call in the interpreter: the least of several
};
// One entry for each kernel that scripts/measure-kernels compares with numpy or TVM.
Result<std::vector<KernelTime>> time_kernels();

}  // namespace passdiff
