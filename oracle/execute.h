// Executing a test case by a call plan.
#pragma once

#include <span>

#include "core/eval/interpret.h"
#include "core/documents/case.h"
#include "passes/contract.h"

namespace passdiff {

// Runs the steps of the plan in the interpreter. The outcome is that of the last step, or of the first step that did not return.
// The result of a step that collects set items is the tuple of the values set. A module that is too large for the limits of the
// options runs again within limits_of it.
Outcome run_plan(const Module& module, const CallPlan& plan, std::span<const Value> arguments,
                 const InterpretOptions& options = {});

}  // namespace passdiff
