// How a native pass is written: one file per pass, with its faults, and one row in registry.cc.
//
//   struct Faults {                        // what the pass's code asks: `if (faults.operand_dropped)`
//     bool operand_dropped = false;
//   };
//   constexpr FaultRow<Faults> kFaults[] = {
//       {&Faults::operand_dropped, "fold-constant/operand-dropped", "a folded call loses its first operand",
//        "outputs-refine"},
//   };
//   ...
//   const Faults faults = switched_on(kFaults, run);
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/ir/module.h"
#include "core/result.h"
#include "passes/pass.h"

namespace passdiff {

// What a pass is run with besides the module. A pass must leave that module as it is. The object behind the reference is not
// constant, though: a fault may cast const away and write to it, which the subject sees by comparing with a copy.
struct NativeRun {
  std::string_view options = "{}";
  std::string_view fault;  // the name of the one fault that is switched on, or empty
};

// A fault of a pass. `Faults` is the pass's own struct of one bool per fault; `field` is this fault's.
template <class Faults>
struct FaultRow {
  bool Faults::*field;
  std::string_view name;     // "lift-transform-params/output-dropped"
  std::string_view summary;  // what the pass does wrong
  std::string_view check;    // the check that should see it
};

// The pass's faults, with the field of the run's fault set; all false if the run has none of these.
template <class Faults, std::size_t N>
Faults switched_on(const FaultRow<Faults> (&rows)[N], const NativeRun& run) {
  static_assert(sizeof(Faults) == N * sizeof(bool), "each field of the struct needs its row");
  Faults faults;
  for (const FaultRow<Faults>& row : rows) faults.*row.field = run.fault == row.name;
  return faults;
}

// The rows as `passdiff list faults` shows them; native_passes() adds the name of the pass.
template <class Faults, std::size_t N>
std::vector<Fault> listed(const FaultRow<Faults> (&rows)[N]) {
  std::vector<Fault> faults;
  for (const FaultRow<Faults>& row : rows)
    faults.push_back({.name = row.name, .pass = {}, .summary = row.summary, .check = row.check});
  return faults;
}

struct NativePass {
  Pass pass;
  Result<Module> (*run)(const Module& module, NativeRun& run);
  std::vector<Fault> faults;
};

// All native passes, in the order in which they are listed.
std::span<const NativePass> native_passes();

// Each is defined in the file of its name.
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
