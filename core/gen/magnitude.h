// How large numbers may grow in a generated module.
#pragma once

#include "core/tensor/value.h"

namespace passdiff {

// True if every float is finite and every number is small enough that some more steps can neither overflow
// nor lose all digits. Tuples: every field.
bool is_moderate(const Value& value);

}  // namespace passdiff
