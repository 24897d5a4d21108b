// A finding: a verdict worth keeping, reduced, with everything needed to see it again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/result.h"
#include "oracle/check.h"
#include "oracle/reduce.h"

namespace passdiff {

struct Finding {
  TestCase test;      // reduced
  Pipeline pipeline;  // reduced
  Checked checked;    // of the reduced case
  TestCase unreduced;
  Pipeline unreduced_pipeline;
  std::string signature;
  std::string origin;  // "seed 7, case 1234"
};

// Reduces a case that showed `verdict`, blames the first pass of the pipeline that fails by itself, and
// confirms the outcome as `options.confirm` asks. If the reduced case cannot be confirmed, the original is;
// nothing if neither can: the verdict was not real. `unconfirmed` then says why.
std::optional<Finding> make_finding(Subject& subject, const TestCase& test, const Pipeline& pipeline,
                                    const Verdict& verdict, const CheckOptions& options,
                                    const ReduceOptions& reduction, std::string origin,
                                    std::string* unconfirmed = nullptr);

// The case folder with target.py, verdict.json, repro.py, issue.md and unreduced/ in `root`; whole or not at
// all. An existing folder of the same signature is left alone. Returns the folder.
Result<std::filesystem::path> write_finding(Subject& subject, const Finding& finding,
                                            const std::filesystem::path& root);

// A case whose verdict the subject's own machine did not bear out, as it was generated: no finding, but a place where our
// interpreter and the compiler disagree. Whole or not at all; an existing folder of the same key is left alone.
Result<std::filesystem::path> write_unconfirmed(const Subject& subject, const TestCase& test,
                                                const Pipeline& pipeline, const Verdict& verdict,
                                                const std::string& origin, const std::filesystem::path& root);

}  // namespace passdiff
