// A finding: a reduced case whose verdict is worth reporting, with everything that is needed to see it again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/result.h"
#include "oracle/check.h"
#include "oracle/findings/cause.h"
#include "oracle/reduction/reduce.h"

namespace passdiff {

struct Finding {
  TestCase test;      // the reduced case
  Pipeline pipeline;  // the reduced pipeline
  Checked checked;    // what the checks saw of the reduced case
  TestCase unreduced;
  Pipeline unreduced_pipeline;
  std::string signature;
  Cause cause;
  std::string origin;  // "seed 7, case 1234"
};

// What the checks saw of a case, as a finding with its signature and cause, not reduced.
Finding finding_of(Subject& subject, TestCase test, Pipeline pipeline, Checked checked, std::string origin);

// What whoever wants a finding knows already, and what else it wants to know. Both may be left out.
struct FindingContext {
  // Whether a finding of exactly this cause was confirmed before: then another one needs no machine to confirm it, which takes longer than all else.
  std::function<bool(const Cause&)> is_known = nullptr;
  std::string* unconfirmed = nullptr;  // why there is no finding
};

// Reduces a case that showed `verdict`, blames the last pass of the shortest prefix of the pipeline that fails by itself, and
// confirms the outcome if `options.confirm` asks for it. If the reduced case cannot be confirmed, the original is tried; nothing
// if neither can.
std::optional<Finding> make_finding(Subject& subject, const TestCase& test, const Pipeline& pipeline, const Verdict& verdict,
                                    const CheckOptions& options, const ReduceOptions& reduction, std::string origin,
                                    const FindingContext& context = {});

// The finding reduced once more, if its case is still large: the time for reductions ends before slow passes have been asked about all that may
// go. Nothing if it is small, or cannot be reduced again.
std::optional<Finding> reduced_further(Subject& subject, const Finding& finding, const CheckOptions& options, const ReduceOptions& reduction);

// The cause that the checks of a reduced case point to. Where passes run before the culprit, the subject is asked what they make of
// the module, so that the edit is the culprit's alone.
Cause cause_of(Subject& subject, const TestCase& test, const Pipeline& pipeline, const Checked& checked);

// Whether the compiler runs any of the passes to blame without being asked to.
bool in_default_pipeline(const Subject& subject, const Cause& cause);

// Whether two findings have one cause. Where they differ in the pass to blame alone, each one's case is run through the other's
// passes: if both fail in the same way there (or one does, where that tells: `one_case_tells`), the cause lies in what the passes share. `subject` may be null: then
// findings of different passes have different causes.
Likeness same_cause(Subject* subject, const Finding& a, const Finding& b);

// Writes the case folder with target.py, verdict.json, repro.py, issue.md and unreduced/ into `root`, as a whole or not at all,
// and returns its path. The folder is named after the cause; an existing one is left alone.
Result<std::filesystem::path> write_finding(Subject& subject, const Finding& finding,
                                            const std::filesystem::path& root);

// Writes a case, as it was generated, whose verdict the subject's own machine did not confirm, or that cannot be judged (`unsupported`). It
// is no finding, but a place where passdiff and the compiler disagree. Written as a whole or not at all; an existing folder of the same key is left
// alone.
Result<std::filesystem::path> write_unconfirmed(const Subject& subject, const TestCase& test,
                                                const Pipeline& pipeline, const Verdict& verdict,
                                                const std::string& origin, const std::filesystem::path& root);

}  // namespace passdiff
