// The difference of two outcomes, for people: which elements of which tensors another module returned otherwise.
#pragma once

#include <string>

#include "core/eval/outcome.h"

namespace passdiff {

// `same result`, if both ended alike, each element equal and the signs of zeros too. Else, where both returned, a line for each tensor
// that differs and one for each of its first elements that do, or a line that says how the values differ in form; otherwise the outcome
// `after`.
std::string outcome_diff(const Outcome& before, const Outcome& after);

}  // namespace passdiff
