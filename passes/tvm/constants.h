// The client's side of the exchange "evaluate" of PROTOCOL.md: what a pass would compile to compute constants is run by the interpreter.
#pragma once

#include <vector>

#include "core/result.h"
#include "passes/tvm/frames.h"

namespace passdiff {

// Calls the function of TensorIR that the worker's frame holds, with the tensors that it holds. The bytes of each of them as the call leaves it.
// Elements that the function should write, but does not, are arbitrary then. Fails with constants.frame where the frame cannot be read, with
// constants.undefined where the call does not return: compiled code is to say then what becomes of it.
Result<std::vector<Bytes>> evaluate_call(const HostFrame& frame);

}  // namespace passdiff
