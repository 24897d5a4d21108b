#include <vector>

#include "passes/native/native_pass.h"

namespace passdiff {

std::span<const NativePass> native_passes() {
  static const std::vector<NativePass> kPasses = {
      bundle_model_params(),
      dead_code_elimination(),
      eliminate_common_subexpr(),
      lazy_get_input(),
      lazy_set_output(),
      lazy_transform_params(),
      lift_transform_params(),
  };
  return kPasses;
}

std::span<const Fault> all_faults() {
  static const std::vector<Fault> kFaults = [] {
    std::vector<Fault> faults;
    for (const NativePass& row : native_passes())
      faults.insert(faults.end(), row.faults.begin(), row.faults.end());
    return faults;
  }();
  return kFaults;
}

}  // namespace passdiff
