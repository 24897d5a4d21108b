// Predicates that say which modules a pass is meant for (Pass::applies).
#pragma once

#include "core/ir/module.h"

namespace passdiff {

// Some function has weights: the attribute num_input. (LiftTransformParams, BundleModelParams, LazyTransformParams)
bool has_weights(const Module& module);
bool has_vdevices(const Module& module);

}  // namespace passdiff
