// A finding: a reduced case whose verdict is worth reporting, with everything that is needed to see it again.
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
  TestCase test;      // the reduced case
  Pipeline pipeline;  // the reduced pipeline
  Checked checked;    // what the checks saw of the reduced case
  TestCase unreduced;
  Pipeline unreduced_pipeline;
  std::string signature;
  std::string origin;  // "seed 7, case 1234"
};

// Reduces a case that showed `verdict`, blames the last pass of the shortest prefix of the pipeline that fails by itself, and
// confirms the outcome if `options.confirm` asks for it. If the reduced case cannot be confirmed, the original is tried; nothing
// if neither can: `unconfirmed` then says why.
std::optional<Finding> make_finding(Subject& subject, const TestCase& test, const Pipeline& pipeline,
                                    const Verdict& verdict, const CheckOptions& options,
                                    const ReduceOptions& reduction, std::string origin,
                                    std::string* unconfirmed = nullptr);

// Writes the case folder with target.py, verdict.json, repro.py, issue.md and unreduced/ into `root`, as a whole or not at all,
// and returns its path. An existing folder of the same signature is left alone.
Result<std::filesystem::path> write_finding(Subject& subject, const Finding& finding,
                                            const std::filesystem::path& root);

// Writes a case, as it was generated, whose verdict the subject's own machine did not confirm. It is no finding, but a place
// where our interpreter and the compiler disagree. Written as a whole or not at all; an existing folder of the same key is left
// alone.
Result<std::filesystem::path> write_unconfirmed(const Subject& subject, const TestCase& test,
                                                const Pipeline& pipeline, const Verdict& verdict,
                                                const std::string& origin, const std::filesystem::path& root);

}  // namespace passdiff
