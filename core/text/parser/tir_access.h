// Which regions of buffers a block accesses, where the text does not say.
#pragma once

#include "core/ir/tir/stmt.h"

namespace passdiff {

// Sets what is asked for: elements whose place depends on the block's own variables alone; other buffers as a whole.
void detect_accesses(tir::SBlock& block, bool reads, bool writes);

}  // namespace passdiff
