// Checking: one pipeline of a subject's passes on one test case, to a verdict.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/eval/outcome.h"
#include "core/documents/case.h"
#include "oracle/verdict.h"
#include "passes/pass.h"

namespace passdiff {

// Everything one check saw. What a finding is made from.
struct Checked {
  Verdict verdict;
  std::optional<Module> target;
  CallPlan plan;
  double seconds_in_pass = 0;
};

struct CheckOptions {
  // Confirm value findings in the subject's own machine (else they stand as the interpreter sees them).
  bool confirm = true;
  // Costly checks run on one case in so many; 0: never. A case is sampled by its structural hash, so that a
  // replay of the same case samples alike; reduction asks for 1. A target that our IR cannot hold is always
  // run by the machine, unless vm_one_in is 0: then it is not judged.
  unsigned vm_one_in = 0;
  unsigned sequential_one_in = 0;
  unsigned repeat_one_in = 0;
  double cpu_seconds = 10;
};

// One check of the table: what it looks at and what it costs.
struct CheckInfo {
  std::string_view name;  // "outputs-refine"
  std::string_view summary;
  bool sampled;
};
std::span<const CheckInfo> all_checks();

// The source's run is shared by all pipelines.
std::vector<Checked> check(Subject& subject, const TestCase& test, std::span<const Pipeline> pipelines,
                           const CheckOptions& options);
Checked check(Subject& subject, const TestCase& test, const Pipeline& pipeline, const CheckOptions& options);

}  // namespace passdiff
