// Executing a test case by a call plan.
#pragma once

#include <span>

#include "core/eval/interpret.h"
#include "core/documents/case.h"
#include "passes/contract.h"

namespace passdiff {

// Calls each step of the plan in the interpreter; the outcome is the last step's, or that of the first step
// that did not return. The result of a step with a SetCallback, or that collects set items, is the tuple of
// the values set.
Outcome run_plan(const Module& module, const CallPlan& plan, std::span<const Value> arguments,
                 const InterpretOptions& options = {});

}  // namespace passdiff
