// What a pipeline as a whole promises.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "passes/pass.h"

namespace passdiff {

// The contract of a whole pipeline: each property is that of its weakest pass.
struct PipelineContract {
  Contract joined;
  std::vector<Contract> each;

  // Whether some pass makes its target be called otherwise than its source.
  bool changes_calls() const;
};
PipelineContract contract_of_pipeline(const Subject& subject, const Pipeline& pipeline);

// Makes of the plan that calls the source the plan that calls the target, one pass's convention after the other, and says why
// where the target cannot be called so; `plan` then is as far as it came. `snapshots` are the modules after each pass: without
// them no pass changes the calls, or there is one pass alone. Errors are those of apply_convention.
std::optional<Error> follow_conventions(const PipelineContract& contract, const Module& source,
                                        std::span<const std::optional<Module>> snapshots, const Module& target,
                                        CallPlan& plan);

// The worst accuracy that the library functions of the module's ops owe, in ulps of the result; at least 1.
double library_accuracy(const Module& module);

}  // namespace passdiff
