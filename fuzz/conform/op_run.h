// The calls of one op: drawn, typed, executed and judged.
#pragma once

#include "fuzz/conform/conform.h"

namespace passdiff {

// Draws the calls of the op and holds the subject against the interpreter on each. Ends early, with the calls
// made so far, once `stop` is set.
OpConformance conform_op(Subject& subject, const OpDef& op, const ConformOptions& options,
                         const std::atomic<bool>& stop);

// One call under the subject, in a few lines for people: operands, both results with the tolerance of each
// element that differs, both types. `agrees` says whether values and types do, or a known reason explains why
// not.
struct CallReport {
  std::string text;
  bool agrees = false;
};
CallReport conform_call(Subject& subject, const DrawnCall& call);

}  // namespace passdiff
