// Predicates that say which modules a pass is meant for (Pass::applies).
#pragma once

#include "core/ir/module.h"

namespace passdiff {

// Some function has weights: the attribute num_input. (LiftTransformParams, BundleModelParams)
bool has_weights(const Module& module);
// The same, and no function is called as one that LiftTransformParams makes: LazyTransformParams takes it for one. (LazyTransformParams)
bool has_weights_to_lift(const Module& module);
// The function that a campaign calls has one block, a dataflow block, and returns a variable that is a float of rank 0, or a tuple of variables
// with such a one among them. (Gradient)
bool returns_loss(const Module& module);
bool has_vdevices(const Module& module);
bool has_meshes(const Module& module);
// The function that a campaign calls has a parameter that is a tensor (BindParams), or mentions a symbolic dim (BindSymbolicVars).
bool has_tensor_params(const Module& module);
bool has_symbolic_params(const Module& module);
// No parameter of a function mentions a symbolic dim.
bool has_static_params(const Module& module);
// No op is asked to run as in training, or as in inference (its attribute `training`, of batch_norm): passes for one of the two
// make it of the other. (DecomposeOpsForInference, FoldBatchnormToConv2D; DecomposeOpsForTraining)
bool is_for_inference(const Module& module);
bool is_for_training(const Module& module);
// Some op is one of those whose functions a schedule rule is about. (dlight)
bool has_matmul_by_vector(const Module& module);
bool has_symbolic_matmul(const Module& module);  // of operands with symbolic dims
bool has_permute_dims(const Module& module);
bool has_rms_norm(const Module& module);

}  // namespace passdiff
