// What a script of repro.py is put together from.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "passes/pass.h"
#include "passes/tvm/repro_passes.h"
#include "passes/tvm/repro_python.h"

namespace passdiff {

// What the finding itself does not tell: all of it may be missing.
struct ReproFacts {
  std::string version;  // TVM's: "0.27.0.post1"
  PluginPasses plugin;
  std::optional<std::size_t> failing_pass;  // the index of the pass that refuses its module
  std::optional<bool> well_formed;  // what TVM's own checker says of the target
  std::optional<Module> target;
  std::optional<Type> inferred;  // what TVM infers for the value of `binding_in_question`
  std::string define_analysis;   // the Python that defines `analysis_of` the block that is contradicted, if one is
  std::string define_asserted;   // the Python that defines `asserted`, which puts assertions on the bounds of buffers into a module
  std::string define_threadless;  // the Python that defines `without_threads`, which makes loops over threads plain ones
};
// The function of host_blocks.py that holds what a block declares against TVM's own analysis.
std::string_view analysis_of(const BlockClaim& claim);
// Runs the passes again, if they neither crash nor hang.
ReproFacts repro_facts(Subject& subject, const ReproRequest& request);
// The binding of the target of which the detail says that it declares another type than its value has, alone in a function of its own whose
// parameters are the variables that the value uses. Nothing where the detail says no such thing.
std::optional<Module> binding_in_question(const ReproRequest& request, const ReproFacts& facts);

// Statements that show what is wrong. In them the module is called Module, and the target `after`.
struct ReproParts {
  std::vector<std::string> functions;  // definitions that the statements use
  PythonLines before;                  // run on the source; they must succeed, with the bug and without
  PythonLines bug;                     // these fail if, and only if, the bug is there
};

// The stage that a detail says the target does not pass: "compile" in "x is never bound; the target does not compile:
// ...". Empty if the target ran, or was not run.
std::string failing_stage(const std::string& detail);

// The function `compiled` that makes a machine of a module; see repro_calls.cc.
std::string define_compiled(const ReproRequest& request, const ReproFacts& facts);
// Compares derivatives with finite differences, computed by TVM itself; see repro_derivatives.cc.
ReproParts compare_derivatives(const ReproRequest& request, const ReproFacts& facts);
// Compares what source and target return, or shows that the target does not run; see repro_calls.cc.
ReproParts compare_results(const ReproRequest& request, const ReproFacts& facts);
// Compares what source and target print.
ReproParts compare_output(const ReproRequest& request, const ReproFacts& facts);
// Shows that the target is ill-formed, declares a wrong type, cannot be called or lacks something of the source:
// without a run where TVM can tell by itself. Nothing: it cannot.
std::optional<ReproParts> show_form(const ReproRequest& request, const ReproFacts& facts);

}  // namespace passdiff
