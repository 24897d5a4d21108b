// Whether two machines contradict each other about a difference between source and target.
#pragma once

#include "oracle/spread.h"

namespace passdiff {

struct ValuePair {
  const Value& source;
  const Value& target;
};

// Whether `machine` denies what `interpreter` claims: that the values differ. Of the elements that differ most clearly in the
// interpreter, it must show none half as far apart, and must be accurate enough to tell: `as_compiled` runs the source with the
// errors that the machine may make. However inaccurate it is, a machine that computes the same on both sides denies it.
bool contradicts(const ValuePair& interpreter, const ValuePair& machine, const Rerun& as_compiled);

}  // namespace passdiff
