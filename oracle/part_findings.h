// What the beginning of a reduced case shows by itself.
#pragma once

#include <vector>

#include "oracle/finding.h"

namespace passdiff {

// The findings that the case of an error makes under its passes without its last bindings, with what is left as the result: the longest part
// first. Passes stumble over what they have made of a part: a call whose operand has another dtype now does not type. The case is reduced, so
// that the part is needed, and with it what makes it wrong. Of other findings there are none: wrong values and types are seen of the part as of
// the whole, so that reduction has cut the rest, and no target excuses a crash.
std::vector<Finding> findings_in_parts(Subject& subject, const Finding& finding);

}  // namespace passdiff
