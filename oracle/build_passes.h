// What the passes do that a compiler runs when it builds a module, whoever made that.
#pragma once

#include <vector>

#include "oracle/check.h"

namespace passdiff {

// The verdicts on each pass of the compiler's default pipelines that can be driven and that `pipeline` does not run, as it works on what the pipeline
// makes of the case, after the passes that it needs. They are the interpreter's: the machine is not asked to confirm. `cpu_seconds` is the deadline of each.
std::vector<Checked> check_build_passes(Subject& subject, const TestCase& test, const Pipeline& pipeline, double cpu_seconds);

}  // namespace passdiff
