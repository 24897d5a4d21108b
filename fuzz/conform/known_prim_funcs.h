// Why compiled code of functions of TensorIR differs from what the interpreter makes of them, where it is known that the compiler is wrong.
#pragma once

#include <string>

#include "core/documents/case.h"
#include "passes/pass.h"

namespace passdiff {

// A sentence that names the compiler's mistake, where its code of the function, on the case's arguments, returns `measured`, and not what the interpreter
// says; empty if nothing explains it. A pass that the compiler's build runs explains it if the interpreter finds that wrong on this function, and what it
// makes of the function returns, in the interpreter, what the code does.
std::string why_differs(Subject& subject, const TestCase& test, const Value& measured);
// The same, where the compiler does not compile or run the function. A pass of the build explains it if it refuses the function alike.
std::string why_refused(Subject& subject, const TestCase& test, const VmReply& reply);

}  // namespace passdiff
