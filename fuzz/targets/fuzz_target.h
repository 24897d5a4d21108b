// A libFuzzer target: which subject it fuzzes, and how its inputs become checks. One per program.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "passes/pass.h"

namespace passdiff {

// The flags that every target takes on its command line. libFuzzer ignores what begins with two dashes.
//   --fault=NAME      native: switch a fault on
//   --python=PATH     TVM: the Python whose tvm is tested
//   --findings=DIR    where findings go (default: findings)
//   --keep-going      report each finding once and go on, instead of ending at the first
//   --no-features     leave the behaviour counters at zero
//   --stats=FILE      at the end, write what was reached as a JSON object
struct TargetFlags {
  std::string fault;
  std::string python;
  std::string findings = "findings";
  std::string stats;
  bool keep_going = false;
  bool features = true;
};

struct TargetInfo {
  std::vector<std::string> passes;  // empty: every pass of the subject at graph level
  int longest_pipeline = 0;         // 0: each input runs one pass, chosen by its first bytes
  // libFuzzer's extra counters, in which behaviour features are counted (fuzz/coverage.h). Empty: the branches that passes
  // take guide the search instead.
  std::span<std::uint8_t> behaviour_counters = {};
  bool confirm = false;  // the subject's own machine must confirm a finding before the target ends
};

// Every target defines these two in a file of its own.
TargetInfo target_info();
Result<std::unique_ptr<Subject>> make_target_subject(const TargetFlags& flags);

}  // namespace passdiff
