// What native passes share: equality of computations, removal of unused bindings.
#pragma once

#include "core/ir/module.h"

namespace passdiff {

// Without the bindings that only bind and that nothing uses; the function itself if there are none.
FunctionPtr remove_unused_bindings(const Module& module, const FunctionPtr& function);

// Do both compute the same from the same variables? Constants by their bits. Never true of branches,
// functions and calls of anything but ops.
bool same_computation(const ExprPtr& a, const ExprPtr& b);

}  // namespace passdiff
