// How large numbers may grow in a generated module.
#pragma once

#include "core/tensor/value.h"

namespace passdiff {

// Is every element finite, and small enough that a few more steps can neither overflow nor lose all digits? Of
// tuples, is every field?
bool is_moderate(const Value& value);

}  // namespace passdiff
