// The source of a test case, run once for all checks of it.
#pragma once

#include <string>

#include "core/eval/outcome.h"
#include "core/documents/case.h"
#include "oracle/compare.h"
#include "oracle/verdict.h"
#include "passes/contract.h"

namespace passdiff {

class SourceRun {
 public:
  // Runs it. The test case must outlive this.
  explicit SourceRun(const TestCase& test);

  const TestCase& test() const { return test_; }
  // The plan with the one call entry(arg 0, arg 1, ...).
  const CallPlan& plan() const { return plan_; }
  const Outcome& outcome() const { return outcome_; }
  // What the source returned; null if it did not return.
  const Returned* returned() const { return std::get_if<Returned>(&outcome_); }
  bool is_undefined() const { return std::holds_alternative<Undefined>(outcome_); }
  // A function that executes the source again under another rounding.
  Rerun rerun() const;
  // The verdict on every target, if the source itself rules out judging one: it was undefined, trapped, crossed a limit,
  // could not be run, or its integers overflowed.
  Verdict verdict() const;

 private:
  const TestCase& test_;
  CallPlan plan_;
  Outcome outcome_;
};

// The record for people: which rule was broken, in which op and binding, and how.
std::string describe(const UndefinedRecord& record);

}  // namespace passdiff
