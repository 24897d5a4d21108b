// What a replay of case folders tells: lines for people, JUnit's XML and SARIF for continuous integration.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace passdiff {

enum class ReplayOutcome : std::uint8_t {
  as_expected,
  fixed,        // a finding was expected, and the case agrees
  differs,      // another verdict than the expected one
  finding,      // nothing was expected, and the case is a finding
  unsupported,  // it cannot be run with this subject
  unreadable,   // it is no case
};

struct ReplayedCase {
  std::filesystem::path folder;
  ReplayOutcome outcome = ReplayOutcome::as_expected;
  std::string entry;    // the function, for a recorded case that is about several
  std::string symptom;  // the actual one
  std::string text;     // for people, one line
  bool drawn = false;   // the arguments were drawn
  double seconds = 0;   // how long it took
};

// Whether nobody has to look at the case.
bool is_good(ReplayOutcome outcome);
// "DIFFERS      corpus/known/x: expected mismatch, got crash: ..."
std::string replay_line(const ReplayedCase& replayed);
// A test suite with a test case for each; those that cannot be run are skipped.
std::string junit_text(const std::vector<ReplayedCase>& replayed, const std::string& subject,
                       std::chrono::system_clock::time_point when);
// A result for each case that somebody has to look at, located in its source.py (SARIF 2.1.0, section 3.27).
std::string sarif_text(const std::vector<ReplayedCase>& replayed, const std::string& subject);

}  // namespace passdiff
