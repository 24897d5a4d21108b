#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "oracle/build_passes.h"
#include "oracle/check_row.h"
#include "oracle/source_run.h"
#include "oracle/witness.h"

namespace passdiff {
namespace checks::vm_agrees {
namespace {

// Whether the interpreter sees the pass compute something else, be it that only infinities excuse it.
bool computes_otherwise(const Verdict& verdict) {
  const bool excused = std::ranges::find(verdict.reasons, kValuesLeftOpen) != verdict.reasons.end();
  return excused || (is_finding(verdict.symptom) && symptom_info(verdict.symptom).severity == Severity::wrong_result);
}

// The pass of the compiler's own build that errs on the target, as the interpreter sees it: what the build makes of a right target is then no
// fault of the pass that made that. Empty: there is none.
std::string erring_in_build(const CheckContext& context) {
  const std::vector<Checked> checked = check_build_passes(context.subject, context.test, context.pipeline, context.options.cpu_seconds);
  const auto errs = std::ranges::find_if(checked, [](const Checked& one) { return computes_otherwise(one.verdict); });
  return errs == checked.end() ? std::string() : errs->verdict.culprit;
}

std::optional<Verdict> judge(const CheckContext& context) {
  if (context.unchanged || context.target == nullptr) return std::nullopt;
  std::optional<Verdict> verdict = judged_by_machine(context);  // if the machine cannot judge, the verdict of the interpreter stands
  // That the interpreter finds the target right is known of no target that is only compiled: whoever asks for that alone judges the case whole later.
  if (!verdict || context.options.only_compiles) return verdict;
  if (const std::string errs = erring_in_build(context); !errs.empty()) {
    verdict->symptom = Symptom::unconfirmed;
    verdict->detail += fmt::format("; the interpreter finds the target right, and {} wrong, which the build runs on it", errs);
  }
  return verdict;
}

}  // namespace
}  // namespace checks::vm_agrees

std::vector<Check> vm_agrees_rows() {
  using namespace checks::vm_agrees;
  return {{.name = kVmAgrees,
           .promise = "the subject's own machine, running the target, returns what the interpreter says of the source",
           .after = "sequential",
           .one_in = 4096,
           .compiles = true,
           .judge = judge}};
}

}  // namespace passdiff
