// repro.py: a script that shows a finding with plain tvm and numpy.
#pragma once

#include <string>

#include "core/result.h"
#include "passes/pass.h"
#include "passes/tvm/repro_parts.h"

namespace passdiff {

// The text of the script: the source as TVMScript, the passes, and what shows the symptom, as straight code. It
// exits 1 while the bug is there, 0 when it is gone, 2 when the environment is not fit. Fails with repro.options if
// no Python says an option of a pass.
Result<std::string> tvm_repro_script(const ReproRequest& request, const ReproFacts& facts = {});

}  // namespace passdiff
