// Whether what compiled code made of a call is what the interpreter says.
#pragma once

#include <string>
#include <vector>

#include "fuzz/conform/drawn_call.h"

namespace passdiff {

// Two elements that differ by more than the op's accuracy explains.
struct ElementDifference {
  std::size_t leaf = 0;     // which tensor of the result, counted through tuples
  std::size_t element = 0;  // row-major
  DType dtype = DType::float32;
  double ours = 0;
  double theirs = 0;
  double tolerance = 0;  // how far they may lie apart
};

struct Conformity {
  std::vector<ElementDifference> elements;  // the first few
  std::size_t count = 0;                    // how many there are
  std::string
      form;  // where the results differ in kind, dtype or shape, if they do; nothing else is compared then
  std::size_t undetermined =
      0;  // elements of which the operands do not tell, to their last bit, whether they are finite

  bool agrees() const { return count == 0 && form.empty(); }
  std::string detail() const;  // one line
};

// Integers and booleans must be equal, and so must floats, with the signs of zeros, if the op's row claims no
// `ulps`. Other floats may be that many ulps apart, and more where digits cancel on the way: for a multilinear op what a sum of
// so many products of that magnitude may be off in any order; for others as far as the result moves with the library errors
// of its steps, and, unless the op is elementwise, that many times what moves if each operand moves by an ulp, too.
Conformity compare_results(const DrawnCall& call, const Value& ours, const Value& theirs);

}  // namespace passdiff
