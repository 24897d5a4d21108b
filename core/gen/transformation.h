// Test cases for passes that work on the transformation of weights, a function that they know by its name.
#pragma once

#include "core/gen/generator.h"

namespace passdiff {

// Turns the case's entry into a transformation of weights. If it returns a tuple a new name can do; else a new
// entry takes all arguments as one tuple and calls the old one. Entries with symbolic dims stay as they are.
void become_transformation(Choices& choices, GeneratedCase& made);

}  // namespace passdiff
