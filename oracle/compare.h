// Comparing the values of source and target, in steps of increasing cost (README.md describes them), so that a report is never a
// matter of rounding and a bug does not hide behind a tolerance.
#pragma once

#include <string>
#include <vector>

#include "oracle/precision.h"
#include "oracle/spread.h"
#include "oracle/verdict.h"
#include "passes/contract.h"

namespace passdiff {

struct Comparison {
  Symptom symptom = Symptom::agree;  // agree, mismatch, less_precise or inconclusive
  std::string detail;                // where the values differ: `result[1] element 3: 2.5 against 4 (float32)`
  std::vector<std::string> reasons;  // how the symptom came about, for people: a sentence each
  std::string leaf = {};             // the tensor of which the detail speaks: "result[1]"
  bool other_dtype = false;          // a mismatch of dtypes
};

// The site of a verdict that says so: that of a wrong type, where the target's values have another dtype, else empty. A pass that changes a
// dtype may show it in what it declares as well as in what it returns. Shapes go by the values that operands have, as numbers do.
std::string site_of(const Comparison& comparison);

struct ComparisonRules {
  Numerics numerics = Numerics::exact;
  // Through which precision the source computes its outputs: the target may use no narrower one. Null: it may.
  const OutputPrecision* precision = nullptr;
};

// Bit-equal values agree, and no others if the rules say `exact`. Else both sides run again in wide arithmetic, then under
// random rounding: each element's spread shows which of its digits the source determines, and only a target that misses these is
// a mismatch, or less precise.
Comparison compare_values(const Value& source, const Value& target, const ComparisonRules& rules,
                          const Rerun& rerun_source, const Rerun& rerun_target);

// Whether two values, computed by machines whose rounding is not known, agree to a few digits. Shapes, dtypes and integers must
// be equal.
bool roughly_equal(const Value& a, const Value& b);

}  // namespace passdiff
