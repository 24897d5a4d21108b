// The rows of the passes over distributed tensors: "distributed.PropagateSharding" is tvm.relax.distributed.transform.PropagateSharding.
#pragma once

#include <string_view>
#include <vector>

#include "passes/pass.h"

namespace passdiff {

// Values are those of whole tensors, which PropagateSharding and LegalizeRedistribute keep. What the other two make is what one worker of several
// does: it has no value here, so that of them no more is judged than whether they end, and well-formed.
std::vector<Pass> distributed_passes();

bool is_distributed(std::string_view pass);

}  // namespace passdiff
