// Calls executed by a subject's compiled code, many of them compiled as one module.
#pragma once

#include <span>
#include <vector>

#include "core/documents/case.h"
#include "passes/pass.h"

namespace passdiff {

// What became of each call, which is that of a case's entry: the only function of its module, of Relax in all cases or of TensorIR in all of them.
// A module that fails to compile, or kills the compiler, is halved until the culprits stand alone.
std::vector<VmReply> run_compiled(Subject& subject, std::span<const TestCase* const> calls);

}  // namespace passdiff
