// The source of a test case, run once for all checks of it.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/documents/case.h"
#include "core/eval/known_runs.h"
#include "core/eval/outcome.h"
#include "oracle/argument_sets.h"
#include "oracle/compare.h"
#include "oracle/precision.h"
#include "oracle/spread.h"
#include "oracle/verdict.h"
#include "passes/contract.h"
#include "passes/pass.h"

namespace passdiff {

// Why values that differ may say nothing (SourceRun::leaves_values_open), among the reasons of a verdict.
inline constexpr std::string_view kValuesLeftOpen =
    "the source meets infinities or numbers next to overflow: another order of computation may make NaN of them";

// Whether running the module may have effects: it calls functions of the host, or ops that the interpreter performs.
bool may_have_effects(const Module& module);

class SourceRun {
 public:
  // Runs it. The test case must outlive this.
  explicit SourceRun(const TestCase& test);

  const TestCase& test() const { return test_; }
  // The plan with the one call entry(arg 0, arg 1, ...).
  const CallPlan& plan() const { return plan_; }
  // What its functions and ops did, which targets have in part in common with it.
  const std::shared_ptr<KnownRuns>& known_runs() const { return known_runs_; }
  const Outcome& outcome() const { return outcome_; }
  // What the source returned; null if it did not return.
  const Returned* returned() const { return std::get_if<Returned>(&outcome_); }
  bool is_undefined() const { return std::holds_alternative<Undefined>(outcome_); }
  // A function that executes the source again under another rounding.
  Rerun rerun() const;
  // The same, where random runs make the errors that compiled library functions may make: the range in which results of the
  // subject's machine lie.
  Rerun rerun_as_compiled() const;
  const OutputPrecision& precision() const;
  // Whether values that differ say nothing: the contract allows another order of computation, and some op takes or makes an
  // infinity, or a float next to the largest of its dtype, which become NaN in another order, or overflow. Runs the source again.
  bool leaves_values_open(Numerics numerics) const;
  // How a value compares that another target of this source has returned, if that is known: under the same contract or a stricter one, where it was
  // accepted; under the same contract, of a pipeline that begins with the same pass, where it is wrong. Pipelines that share their first passes mostly
  // return one value, right or wrong, and to tell whether roundings explain it takes dozens of runs. Null: it must be compared.
  const Comparison* known_comparison(const Contract& contract, const Pipeline& pipeline, const Value& value) const;
  // Remembers how a value compares that the pipeline's target has returned.
  void remember(const Contract& contract, const Pipeline& pipeline, Value value, Comparison comparison) const;
  // may_have_effects() of the module.
  bool may_have_effects() const;
  // The verdict on every target, if the source itself rules out judging one: it was undefined, trapped, crossed a limit,
  // could not be run, or its integers overflowed.
  Verdict verdict() const;

 private:
  const TestCase& test_;
  CallPlan plan_;
  std::shared_ptr<KnownRuns> known_runs_;
  Outcome outcome_;
  mutable std::optional<OutputPrecision> precision_;  // made when it is first asked for
  struct Compared {
    Numerics numerics;
    bool executes;
    PassCall first;  // of the pipeline
    Value value;
    Comparison comparison;
  };
  mutable std::vector<Compared> compared_;
  mutable std::optional<bool> may_have_effects_;
};

// The source of a test case on one of its further argument sets.
struct FurtherRun {
  TestCase test;  // the case with these arguments
  FloatValues floats;
  SourceRun source;

  FurtherRun(const TestCase& like, ArgumentSet set);
  FurtherRun(const FurtherRun&) = delete;  // `source` refers to `test`
};
// The source on all of more_arguments(test), which it runs on when it is first asked for them; on none if they are not `wanted`.
class FurtherRuns {
 public:
  FurtherRuns(const TestCase& test, bool wanted) : test_(test), wanted_(wanted) {}
  const std::deque<FurtherRun>& all();

 private:
  const TestCase& test_;
  bool wanted_;
  std::deque<FurtherRun> runs_;
};

// The record for people: which rule was broken, in which op and binding, and how.
std::string describe(const UndefinedRecord& record);
// Where it happened in the text of the module, which is called `file`. Nothing outside of functions of TensorIR.
std::optional<Place> place_of(const UndefinedRecord& record, const Module& module, std::string_view file);

}  // namespace passdiff
