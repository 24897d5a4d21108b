// Reduction: a smaller test case and a shorter pipeline that still show the same thing.
#pragma once

#include <functional>

#include "core/documents/case.h"
#include "passes/pass.h"

namespace passdiff {

// Does a candidate still show it? Asked of well-formed candidates only.
using StillShows = std::function<bool(const TestCase&, const Pipeline&)>;

struct ReduceOptions {
  int max_checks = 600;  // candidates tried; each costs one run of the pipeline
};

struct Reduced {
  TestCase test;
  Pipeline pipeline;
  int checks = 0;
};

// Shrinks passes, functions, outputs, bindings, operands, attributes, dims and values, greedily and in a
// fixed order: same input, same answers of `still_shows`, same result. The result shows it, and is never
// larger than the input.
Reduced reduce(TestCase test, Pipeline pipeline, const StillShows& still_shows,
               const ReduceOptions& options = {});

// What a reduction wants small: bindings first, then functions, parameters, elements.
std::int64_t size_of(const TestCase& test);

}  // namespace passdiff
