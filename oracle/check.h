// Checking: pipelines of a subject's passes on one test case, each to a verdict.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/documents/case.h"
#include "oracle/sampling.h"
#include "oracle/verdict.h"
#include "passes/pass.h"

namespace passdiff {

// What the checks of one pipeline saw: all that a finding is made from.
struct Checked {
  Verdict verdict;
  std::optional<Module> target;  // missing, too, where the passes changed nothing
  bool unchanged = false;        // the passes ran, and gave back what they were given
  bool unreadable = false;       // the passes ran, and made a target that our IR cannot hold
  CallPlan plan;
  double seconds_in_pass = 0;  // CPU time, that of further runs for sampled checks included
};

// Deadlines of a run of a pipeline, in seconds of CPU time. While cases are looked through: longer than any pass takes on such modules, unless
// it hangs.
inline constexpr double kQuickSeconds = 0.5;
// Where a pass is known, or held, to hang.
inline constexpr double kHangSeconds = 2;

struct CheckOptions {
  // Whether findings of the interpreter must be confirmed by the subject's own machine; else they stand as they are.
  bool confirm = true;
  // Which of the sampled checks to make on which cases. A target that our IR cannot hold is always run by the subject's
  // machine, sampled or not, unless nothing may be compiled: then it is not judged.
  Sampling sampling = {};
  // Whether source and target are compared on further arguments as well (argument_sets.h). A finding on these has them in its
  // verdict.
  bool more_arguments = false;
  double cpu_seconds = 10;  // the deadline of each run of a pipeline
  // Whether the check that asks the machine (vm-agrees) is made alone, and only compiles, the target first: enough to find one that does not compile
  // again, in a third of the time.
  bool only_compiles = false;
  // As TransformOptions has it. What is found so is to be found again without: the subject's users get its own constants.
  bool interprets_constants = false;
  // As TransformOptions has it. What is found so, too, is to be found again without.
  bool trusts_types = false;
};

// The verdict on each pipeline: that of the first check (all_checks() in check_row.h) that does not agree; `agree`, without the
// name of a check, if all do. The source is run once for all pipelines.
std::vector<Checked> check(Subject& subject, const TestCase& test, std::span<const Pipeline> pipelines,
                           const CheckOptions& options);
Checked check(Subject& subject, const TestCase& test, const Pipeline& pipeline, const CheckOptions& options);

}  // namespace passdiff
