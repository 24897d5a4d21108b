// Options from which no pass can be made, as misspelt ones: the fault of whoever wrote them, not of the compiler.
#pragma once

#include <optional>

#include "core/result.h"
#include "oracle/verdict.h"
#include "passes/pass.h"

namespace passdiff {

// The error of a verdict that holds it against a pass that it cannot be made from its options; nothing for other verdicts.
std::optional<Error> refused_options(const Verdict& verdict, const Pipeline& pipeline);

}  // namespace passdiff
