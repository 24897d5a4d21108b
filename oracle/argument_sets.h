// Further arguments for a test case: those under which its branches, symbolic dims and floats do something else.
#pragma once

#include <vector>

#include "core/documents/case.h"

namespace passdiff {

// How the floats of a set are chosen.
enum class FloatValues : std::uint8_t { full_mantissas, large, special };

struct ArgumentSet {
  FloatValues floats;
  std::vector<Value> arguments;
};

// Sets of the same types as the case's own arguments, in the order in which to try them: small ones first. With symbolic dims all of
// them 0, 1, equal, and unequal; with branches every bool the other way; else, if there are floats, full mantissas; for some modules floats of
// up to hundreds, of which an exponential overflows if nothing was subtracted before; and NaN, infinities, zeros of both signs and extremes among
// them. Integers are those of the case, repeated where a tensor grows, so that
// indices stay in bounds where they can; in two further sets they use half of their bits, and the least and the largest are among
// them. Empty for a case that asks for none.
std::vector<ArgumentSet> more_arguments(const TestCase& test);

}  // namespace passdiff
