// Reduction: finding a smaller test case and a shorter pipeline that still show the same finding.
#pragma once

#include <functional>

#include "core/documents/case.h"
#include "passes/pass.h"

namespace passdiff {

// Whether a candidate still shows the finding. Only called with well-formed candidates.
using StillShows = std::function<bool(const TestCase&, const Pipeline&)>;

struct ReduceOptions {
  // How many candidates are tried. Each costs one call of StillShows; in make_finding (oracle/findings/finding.h) that is a check of the pipeline and, if
  // the candidate shows the finding, one of each beginning of the pipeline.
  int max_checks = 600;
  // Whether the time for the reduction is over: no further candidate is tried then. Empty: time is no matter.
  std::function<bool()> out_of_time = {};
};

struct Reduced {
  TestCase test;
  Pipeline pipeline;
  int checks = 0;
};

// Makes the case smaller and plainer, and the pipeline shorter, greedily and in a fixed order, so that the
// result depends on the input, the answers of `still_shows` and those of `out_of_time` alone. The result shows the finding and is
// never larger than the input; if the input is a program that returns, so is the result. README.md says how.
Reduced reduce(TestCase test, Pipeline pipeline, const StillShows& still_shows,
               const ReduceOptions& options = {});

// The size that reduction makes smaller: bindings count most, more if nothing uses them, then functions,
// parameters, elements.
std::int64_t size_of(const TestCase& test);

}  // namespace passdiff
