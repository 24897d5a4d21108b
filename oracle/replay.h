// Replaying case folders: comparing the expected verdict with the actual one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/documents/case.h"
#include "oracle/check.h"

namespace passdiff {

struct Replay {
  std::string expected;  // a symptom's name; empty: the case expects nothing of this subject
  Verdict actual;
  // Of a pass that does not end, the machine's speed decides whether it runs out of time or of memory.
  bool as_expected() const;
  // The subject lacks a pass of the case, or the case an option that it could not record: it cannot be judged, which is no failure.
  bool missing_pass = false;
  std::optional<Module> target;  // what the passes made of the source, if they ran and changed it
};

// Reads a case folder whose expected verdicts are symptoms. Fails as read_case does, and with case.field for an expected verdict that is none.
Result<CaseFolder> read_judged_case(const std::filesystem::path& folder);

// What the case expects of the subject: the entry of "tvm 0.27.0.post1", else that of "tvm 0.27", else that of "tvm".
std::string expected_for(const CaseFolder& content, const Subject& subject);

// Where arguments come from that a case does not give, unless a command is told another seed.
inline constexpr std::uint64_t kArgumentsSeed = 1;
// The test cases of a folder, as test_cases_of (core/gen/recorded.h) makes them, for this subject's passes: what their options bind is not drawn.
std::vector<TestCase> test_cases_for(const Subject& subject, const CaseFolder& content, std::uint64_t seed, std::vector<Error>& refused);

// Replays one case: every check is made, the sampled ones too, and findings of the interpreter are confirmed.
Replay replay(Subject& subject, const CaseFolder& content, const CheckOptions& options = {});

}  // namespace passdiff
