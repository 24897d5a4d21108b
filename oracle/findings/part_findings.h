// What plainer forms of a reduced case show by themselves.
#pragma once

#include <vector>

#include "oracle/findings/finding.h"

namespace passdiff {

// The findings that plainer forms of the case make under its passes. Of an error: it is often the consequence of an earlier wrong rewrite. Smaller
// forms of the reduced case may show that rewrite without the error:
// - without the last bindings, of the entry or a private function, with what is left, or what they use, as the result, the longest part first: a
//   call whose operand has another dtype now does not type;
// - of a pass that differentiates, without the first bindings, whose values are parameters then: differentiation goes backwards, so the first
//   bindings are rewritten last;
// - with all sizes alike, with vectors for scalars, and with a rank more: another shape is another value then. Errors of the last do not count;
// - what the passes before have made of it, and its parts as above, under the last pass alone, if that fails as the whole does; of functions of
//   TensorIR, which may fail otherwise, with loops of two iterations for those of one.
// Of wrong values: without the last bindings, as above. A part whose type or shape is wrong makes wrong values of what uses it, and reduction
// stays with these. Of a wrong type: with all sizes alike, as above; it is seen of the part as of the whole, so that reduction has cut the rest.
// Of a target that does not compile: what compilation's own passes make of it, in the order of the compiler's pipelines.
// Of other findings there are none: no target excuses a crash.
// Tensors of one number throughout get several, so that wrong values show.
std::vector<Finding> findings_in_parts(Subject& subject, const Finding& finding);

}  // namespace passdiff
