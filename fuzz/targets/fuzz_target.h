// A libFuzzer target: which subject it fuzzes, and how its inputs become checks. One per program.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/result.h"
#include "fuzz/cases/target_input.h"
#include "passes/pass.h"

namespace passdiff {

// The flags that every target takes on its command line. libFuzzer ignores what begins with two dashes.
//   --fault=NAME      native: switch a fault on
//   --python=PATH     TVM: the Python whose tvm is tested
//   --findings=DIR    reduce what is found and write it there; without it nothing is written, and a finding ends the run as it is
//   --keep-going      report each finding once and go on, instead of ending at the first
//   --no-features     leave the behaviour counters at zero
//   --crash-on=TEXT   end in an abort on inputs that hold TEXT: to try out an engine (targets of readers take this one, too)
//   --stats=FILE      at the end, write what was reached as a JSON object
struct TargetFlags {
  std::string fault;
  std::string python;
  std::string findings;
  std::string stats;
  bool keep_going = false;
  bool features = true;
};

struct TargetInfo {
  TargetRule rule;
  // libFuzzer's extra counters, in which behaviour features are counted (fuzz/cases/coverage.h). Empty: the branches that passes
  // take guide the search instead.
  std::span<std::uint8_t> behaviour_counters = {};
  bool confirm = false;  // the subject's own machine must confirm a finding before the target ends
};

// Every target defines these two in a file of its own.
TargetInfo target_info();
Result<std::unique_ptr<Subject>> make_target_subject(const TargetFlags& flags);

}  // namespace passdiff
