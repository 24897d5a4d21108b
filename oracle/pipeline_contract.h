// The contract of a pipeline as a whole.
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

  // Whether the convention of some pass changes how functions are called.
  bool changes_calls() const;
};
PipelineContract contract_of_pipeline(const Subject& subject, const Pipeline& pipeline);

// Turns the plan that calls the source into the plan that calls the target, by the convention of one pass after the other.
// Returns why the target cannot be called so, as apply_convention does; `plan` is then that of the last pass before. `snapshots`
// are the modules after each pass; there may be none if no pass changes the calls, or if there is only one pass.
std::optional<Error> follow_conventions(const PipelineContract& contract, const Module& source,
                                        std::span<const std::optional<Module>> snapshots, const Module& target,
                                        CallPlan& plan);

// Whether the contract allows the pass this refusal: by its kind, by a part of its throw site, or, after kSays, of its message.
bool is_rejection(const Contract& contract, const Refused& refused);

}  // namespace passdiff
