// Shared by native passes: equality of computations, and removal of unused bindings.
#pragma once

#include "core/ir/module.h"

namespace passdiff {

// The function without the bindings that nothing uses and that have no effect; the function itself if there are none.
FunctionPtr remove_unused_bindings(const Module& module, const FunctionPtr& function);

// Whether both compute the same from the same variables; constants are compared by their bits. Never true of branches, functions
// and calls of anything but ops.
bool same_computation(const ExprPtr& a, const ExprPtr& b);

}  // namespace passdiff
