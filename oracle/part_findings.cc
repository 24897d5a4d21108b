#include "oracle/part_findings.h"

#include <utility>

#include "oracle/reduce_steps.h"
#include "oracle/signature.h"
#include "oracle/witness.h"

namespace passdiff {

std::vector<Finding> findings_in_parts(Subject& subject, const Finding& finding) {
  std::vector<Finding> findings;
  const bool has_parts = finding.test.module.find(finding.test.entry) != nullptr;
  if (finding.cause.kind != CauseKind::error || !has_parts) return findings;
  // The values of the arguments do not matter to an error, so that reduction has left zeros.
  CheckOptions options{.confirm = false, .sampling = Sampling::every_case(), .more_arguments = true, .cpu_seconds = kHangSeconds};
  options.sampling.set(kVmAgrees, 0);
  const RangeStep& cut_behind = cut_steps().front();
  const std::size_t bindings = cut_behind.count(finding.test);
  for (std::size_t first = bindings; first-- > 1;) {
    std::optional<TestCase> part = cut_behind.make(finding.test, first, bindings);
    if (!part) continue;
    Checked checked = check(subject, *part, finding.pipeline, options);
    if (!is_finding(checked.verdict.symptom) || checked.verdict.culprit != finding.checked.verdict.culprit) continue;
    Finding found{.test = *std::move(part),
                  .pipeline = finding.pipeline,
                  .checked = std::move(checked),
                  .unreduced = {},
                  .unreduced_pipeline = {},
                  .signature = {},
                  .cause = {},
                  .origin = finding.origin};
    found.signature = signature_of(found.checked.verdict, found.test.module, found.test.entry);
    found.cause = cause_of(subject, found.test, found.pipeline, found.checked);
    findings.push_back(std::move(found));
  }
  return findings;
}

}  // namespace passdiff
