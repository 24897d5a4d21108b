// The generator, with what it knows of the case beside the case. For its own tests, and for statistics.
#pragma once

#include <vector>

#include "core/gen/generate.h"
#include "core/gen/idioms.h"

namespace passdiff {

struct GeneratedCase {
  TestCase test;
  Value result;            // what `entry` returns, unless it is undefined
  bool undefined = false;  // undefined behaviour was created on purpose
  std::vector<const Idiom*> idioms_drawn;  // those that the case was to be made of
  std::vector<const Idiom*> idioms_made;   // those of which at least a part is in it, each as often as it was made
};

GeneratedCase generate_case(Choices& choices, const GenerateOptions& options);

}  // namespace passdiff
