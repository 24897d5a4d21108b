// Ops that a compiler does not take: of another version than those that passdiff was made for, say.
#pragma once

#include <string>
#include <vector>

#include "passes/pass.h"

namespace passdiff {

// The names of the ops of which the subject takes none of the calls that are drawn here: it has no such op, calls the op's attributes otherwise,
// or infers other types for each. One on which it dies is none of them, and a subject that gives no answers refuses nothing.
std::vector<std::string> refused_ops(Subject& subject);

}  // namespace passdiff
