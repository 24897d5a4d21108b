// How a native pass is written: one file per pass, with its faults, and one row in registry.cc.
#pragma once

#include <span>
#include <string_view>

#include "core/ir/module.h"
#include "core/result.h"
#include "passes/pass.h"

namespace passdiff {

// What a pass is run with. `run` is given a module that it must leave as it is, though the object behind the
// reference is no constant: a fault may cast that away and write to it, and the subject sees so by comparing
// with a copy.
struct NativeRun {
  std::string_view options = "{}";
  std::string_view fault;  // the one fault that is switched on, or empty

  bool has_fault(std::string_view name) const { return fault == name; }
};

struct NativePass {
  Pass pass;
  Result<Module> (*run)(const Module& module, NativeRun& run);
  std::span<const Fault> faults;
};

// In the order in which they are listed.
std::span<const NativePass> native_passes();

// One per file of this folder.
NativePass bundle_model_params();
NativePass combine_parallel_matmul();
NativePass dead_code_elimination();
NativePass eliminate_common_subexpr();
NativePass expand_matmul_of_sum();
NativePass fold_constant();
NativePass inline_private_functions();
NativePass lazy_get_input();
NativePass lazy_set_output();
NativePass lazy_transform_params();
NativePass lift_transform_params();
NativePass realize_vdevice();
NativePass reorder_take_after_matmul();

}  // namespace passdiff
