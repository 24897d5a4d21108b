#include "oracle/part_findings.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/form/well_formed.h"
#include "core/ir/structural.h"
#include "oracle/reduce_steps.h"
#include "oracle/witness.h"

namespace passdiff {

namespace {

// Sizes other than 1 become this one. No size becomes 1: where one broadcasts, passes err otherwise.
constexpr std::int64_t kUniformSize = 2;

// Whether the pass differentiates: what it makes of the last bindings then goes into those that it adds for the first ones.
bool differentiates(const Subject& subject, const std::string& pass) {
  const Pass* found = find_pass(subject, pass);
  return found != nullptr && found->contract.derivatives;
}

using Parts = std::vector<TestCase>;

// Adds a plainer form, made as reduction makes it.
void add(Parts& parts, const TestCase& test, std::optional<TestCase> part) {
  if (part && !well_formed(part->module) && !structural_equal(part->module, test.module)) parts.push_back(*std::move(part));
}

Parts without_last(const TestCase& test) {
  Parts parts;
  const RangeStep& cut_behind = cut_steps().front();
  const std::size_t bindings = cut_behind.count(test);
  for (std::size_t first = bindings; first-- > 1;) {
    add(parts, test, with_operands_as_result(test, first));
    add(parts, test, cut_behind.make(test, first, bindings));
  }
  return parts;
}

Parts parts_of(const TestCase& test, CauseKind kind, bool backwards) {
  Parts parts = without_last(test);
  if (kind != CauseKind::error) return parts;
  const RangeStep& cut = cut_steps().back();
  for (std::size_t last = 1; backwards && last < cut.count(test); ++last) add(parts, test, cut.make(test, 0, last));
  add(parts, test, with_all_sizes(test, kUniformSize));
  return parts;
}

// What the pass to blame makes of this form, if that is a finding.
std::optional<Finding> finding_in(Subject& subject, TestCase part, const Finding& whole) {
  // The values of the arguments do not matter to an error, so that reduction has left zeros.
  CheckOptions options{.confirm = false, .sampling = Sampling::every_case(), .more_arguments = true, .cpu_seconds = kHangSeconds};
  options.sampling.set(kVmAgrees, 0);
  Checked checked = check(subject, part, whole.pipeline, options);
  if (!is_finding(checked.verdict.symptom) || checked.verdict.culprit != whole.checked.verdict.culprit) return std::nullopt;
  // A target that is right makes no pass stumble.
  if (symptom_info(checked.verdict.symptom).severity == Severity::broken_promise) return std::nullopt;
  return finding_of(subject, std::move(part), whole.pipeline, std::move(checked), whole.origin);
}

bool has_parts(const Finding& finding) {
  return finding.test.module.find(finding.test.entry) != nullptr;
}

}  // namespace

std::vector<Finding> findings_in_parts(Subject& subject, const Finding& finding) {
  std::vector<Finding> findings;
  const CauseKind kind = finding.cause.kind;
  if (!has_parts(finding) || (kind != CauseKind::error && kind != CauseKind::values)) return findings;
  for (TestCase& part : parts_of(finding.test, kind, differentiates(subject, finding.checked.verdict.culprit))) {
    if (auto found = finding_in(subject, std::move(part), finding)) findings.push_back(*std::move(found));
  }
  return findings;
}

bool stumbles_over(Subject& subject, const Finding& error, const Cause& cause) {
  const auto blamed = [&](const std::string& pass) {
    return std::find(error.cause.passes.begin(), error.cause.passes.end(), pass) != error.cause.passes.end();
  };
  if (!has_parts(error) || error.cause.kind != CauseKind::error || !std::any_of(cause.passes.begin(), cause.passes.end(), blamed)) return false;
  Parts parts = without_last(error.test);
  return std::any_of(parts.begin(), parts.end(), [&](TestCase& part) {
    const auto found = finding_in(subject, std::move(part), error);
    return found && compare_causes(found->cause, cause).same;
  });
}

}  // namespace passdiff
