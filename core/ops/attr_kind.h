// Does an attribute's value have the kind that its parameter asks for?
#pragma once

#include "core/ops/op.h"

namespace passdiff {

// None fits optional parameters; a list of integers fits attr_ints; operands are no attributes and take none.
bool takes(const Param& param, const AttrValue& value);

}  // namespace passdiff
