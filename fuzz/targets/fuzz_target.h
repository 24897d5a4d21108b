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

// What every target takes on its command line. libFuzzer passes by what begins with two dashes.
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
  int longest_pipeline = 0;         // 0: one pass an input, chosen by its first bytes
  // Where what a pass did is counted for libFuzzer (fuzz/coverage.h): its extra counters. Empty: branches guide.
  std::span<std::uint8_t> behaviour_counters = {};
  bool confirm = false;  // findings are confirmed by the subject's own machine before the target ends
};

// Each target's file defines these.
TargetInfo target_info();
Result<std::unique_ptr<Subject>> make_target_subject(const TargetFlags& flags);

}  // namespace passdiff
