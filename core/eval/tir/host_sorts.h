// Sorts that TVM's code leaves to functions of the host (src/runtime/extra/contrib/sort/sort.cc).
#pragma once

#include <optional>

#include "core/eval/tir/machine.h"

namespace passdiff::tir {

// Performs the call by the ops that it stands for. `known` says whether there is such a function; the result is why the run ends, or
// nothing. Undefined behaviour is reported to the context.
std::optional<Outcome> call_host_sort(const HostCall& call, EvalContext& context, bool& known);

}  // namespace passdiff::tir
