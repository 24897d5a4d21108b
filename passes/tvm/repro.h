// repro.py: a script that shows a finding with plain tvm and numpy.
#pragma once

#include <string>

#include "passes/pass.h"

namespace passdiff {

// The text of the script. It runs the compiler in a subprocess, and exits 1 while the bug is there, 0 when it is gone, 2 when the
// environment is not fit.
std::string tvm_repro_script(const ReproRequest& request);

}  // namespace passdiff
