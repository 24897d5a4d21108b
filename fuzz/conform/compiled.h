// Calls executed by a subject's compiled code, many of them compiled as one module.
#pragma once

#include <span>
#include <vector>

#include "fuzz/conform/drawn_call.h"
#include "passes/pass.h"

namespace passdiff {

// What became of each call. A module that fails to compile, or kills the compiler, is halved until the
// culprits stand alone.
std::vector<VmReply> run_compiled(Subject& subject, std::span<const DrawnCall* const> calls);

}  // namespace passdiff
