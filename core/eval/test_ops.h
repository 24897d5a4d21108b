// A few ops made for the interpreter's tests, which are then independent of the real table.
#pragma once

#include "core/ops/op.h"

namespace passdiff {

const OpDef& sum_op();   // elementwise sum of two int32 tensors of one shape; reports signed overflow
const OpDef& pick_op();  // element of a vector at an index of rank 0; out of range is undefined
const OpDef& fill_op();  // int32 ones of a shape operand
const OpDef& less_op();  // bool: first scalar below the second

}  // namespace passdiff
