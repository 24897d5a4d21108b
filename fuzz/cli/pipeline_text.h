// Pipelines as people write them on the command line.
#pragma once

#include <string_view>

#include "core/result.h"
#include "passes/pass.h"

namespace passdiff {

// Reads `A,B`, passes with options behind a colon if they take some: `LiftTransformParams:{"shared_transform":
// true},FoldConstant`. Fails with usage.pass where the subject has no such pass, or cannot drive it, or the options are no JSON object.
Result<Pipeline> parse_pipeline(std::string_view text, const Subject& subject);

}  // namespace passdiff
