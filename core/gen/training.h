// Cases of training: a function that returns a scalar loss, made of ops that have derivatives.
#pragma once

#include "core/gen/graph_builder.h"
#include "core/ops/op.h"

namespace passdiff {

// Whether TVM's Gradient can go through a call of the op: it has a derivative there, or is known to have none (comparisons, shapes).
bool is_differentiable(const OpDef& op);
// Leaves such ops alone in the configuration, and the structure that Gradient takes: one dataflow block.
void restrict_to_training(Config& config);
// A result for the function: a variable of rank 0 that depends on what the body computes, alone or in a tuple with other values. Null if
// none can be made.
ExprPtr choose_loss(Choices& choices, GraphBuilder& graph);

}  // namespace passdiff
