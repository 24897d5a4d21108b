// A few ops for the interpreter's tests, so that these do not depend on the real table.
#pragma once

#include "core/ops/op.h"

namespace passdiff {

const OpDef& sum_op();   // the elementwise sum of two int32 tensors of one shape; reports signed overflow
const OpDef& pick_op();  // the element of a vector at an index of rank 0; out of range is undefined
const OpDef& fill_op();  // int32 ones in the shape that the operand gives
const OpDef& less_op();  // whether the first scalar is below the second

}  // namespace passdiff
