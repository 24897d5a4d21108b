// Comparing the values of source and target, in steps of increasing cost (README.md describes them), so that a report is never a
// matter of rounding and a bug does not hide behind a tolerance.
#pragma once

#include <functional>
#include <string>

#include "core/eval/outcome.h"
#include "core/tensor/rounding.h"
#include "oracle/verdict.h"
#include "passes/contract.h"

namespace passdiff {

struct Comparison {
  Symptom symptom = Symptom::agree;  // agree, mismatch or inconclusive
  std::string detail;                // where the values differ: `result[1] element 3: 2.5 against 4 (float32)`
};

// Executes the source, or the target, again under another rounding.
using Rerun = std::function<Outcome(const Rounding&)>;

struct ComparisonRules {
  Numerics numerics = Numerics::exact;
  // How many units in the last place library functions may be off, where a side was not computed by our interpreter (constants
  // folded by compiled code, results of a virtual machine). 1: the interpreter computed both sides.
  double accuracy = 1;
};

// Bit-equal values agree. Else both sides run again in wide arithmetic, then under random rounding
// directions: each element's spread shows how far it is determined, and only elements whose spreads lie
// clearly apart are a mismatch.
Comparison compare_values(const Value& source, const Value& target, const ComparisonRules& rules,
                          const Rerun& rerun_source, const Rerun& rerun_target);

// Whether two values, computed by machines whose rounding is not known, agree to a few digits. Shapes, dtypes and integers must
// be equal.
bool roughly_equal(const Value& a, const Value& b);

}  // namespace passdiff
