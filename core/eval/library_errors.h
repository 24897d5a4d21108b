// The errors of compiled library functions, as noise on the results of the interpreter.
#pragma once

#include <span>

#include "core/ops/op.h"
#include "core/tensor/value.h"

namespace passdiff {

// Moves each finite element of a float result at random by up to OpDef::ulps units in the last place, drawn from `rounding`, and
// rounds it back into its dtype. The unit of an elementwise op is that of the element. Other ops accumulate, so that theirs is
// that of the largest number that they may have met on the way: an element of the result, of an operand, or a product of
// operands. Nothing moves where the op owes no error, or `rounding` is not stochastic.
void add_library_error(const OpDef& op, std::span<const Value> args, Rounding& rounding, Value& result);

}  // namespace passdiff
