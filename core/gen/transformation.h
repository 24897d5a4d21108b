// Cases about the transformation of weights: the passes that know one know it by its name.
#pragma once

#include "core/gen/generator.h"

namespace passdiff {

// Turns the case's entry into a transformation of weights: by its name alone if it returns a tuple, or by a
// new entry that is given all arguments as one tuple and calls the old one. Leaves entries with symbolic dims
// alone.
void become_transformation(Choices& choices, GeneratedCase& made);

}  // namespace passdiff
