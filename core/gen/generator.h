// The generator, with what it knows of the case beside the case. For its own tests.
#pragma once

#include "core/gen/generate.h"

namespace passdiff {

struct GeneratedCase {
  TestCase test;
  Value result;            // what `entry` returns, unless it is undefined
  bool undefined = false;  // undefined behaviour was created on purpose
};

GeneratedCase generate_case(Choices& choices, const GenerateOptions& options);

}  // namespace passdiff
