#include <algorithm>
#include <vector>

#include "passes/native/native_pass.h"
#include "passes/native/tir_passes.h"

namespace passdiff {

std::span<const NativePass> native_passes() {
  static const std::vector<NativePass> kPasses = [] {
    std::vector<NativePass> passes = {
        bundle_model_params(),
        combine_parallel_matmul(),
        dead_code_elimination(),
        eliminate_common_subexpr(),
        expand_matmul_of_sum(),
        fold_constant(),
        inline_private_functions(),
        lazy_get_input(),
        lazy_set_output(),
        lazy_transform_params(),
        lift_transform_params(),
        realize_vdevice(),
        reorder_take_after_matmul(),
        tir_compact(),
        tir_hoist(),
        tir_simplify(),
        tir_unroll(),
        tir_vectorize(),
    };
    for (NativePass& row : passes) {
      for (Fault& fault : row.faults) fault.pass = row.pass.name;
    }
    return passes;
  }();
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

const Fault* find_fault(std::string_view name) {
  const auto faults = all_faults();
  const auto found =
      std::find_if(faults.begin(), faults.end(), [&](const Fault& fault) { return fault.name == name; });
  return found == faults.end() ? nullptr : &*found;
}

}  // namespace passdiff
