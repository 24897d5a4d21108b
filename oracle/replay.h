// Replaying case folders: the expected verdict against the actual one.
#pragma once

#include <optional>
#include <string>

#include "core/documents/case.h"
#include "oracle/check.h"

namespace passdiff {

struct Replay {
  std::string expected;  // a symptom's name; empty: the case says nothing of this subject
  Verdict actual;
  bool as_expected() const { return expected.empty() || expected == symptom_name(actual.symptom); }
  // The subject lacks a pass of the case: it cannot be judged, which is no failure.
  bool missing_pass = false;
};

// "tvm 0.27.0.post1", then "tvm 0.27", then "tvm": the most exact entry that there is.
std::string expected_for(const CaseFolder& content, const Subject& subject);

// Every check runs, the sampled ones too, and value findings are confirmed.
Replay replay(Subject& subject, const CaseFolder& content, const CheckOptions& options = {});

}  // namespace passdiff
