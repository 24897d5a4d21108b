// Guards of loop bodies: conditions that, once they fail in an iteration, fail in all later ones.
#pragma once

#include "core/ir/tir/stmt.h"

namespace passdiff::tir {

// The condition under which the body of the loop does anything, if the body is a block with a predicate or a branch alone, and the condition never
// holds again after it has failed: `i * 4 + j < 10` of the loop over i. Null: there is none. Schedules split loops so that most iterations of
// the last tile, or most threads, are idle; a loop may end at the first of them.
Expr lasting_guard(const For& loop);

}  // namespace passdiff::tir
