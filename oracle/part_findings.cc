#include "oracle/part_findings.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/form/well_formed.h"
#include "core/ir/structural.h"
#include "core/tensor/tensor.h"
#include "oracle/reduce_steps.h"
#include "oracle/reduce_types.h"
#include "oracle/witness.h"

namespace passdiff {

namespace {

// The size that larger ones become, and then all that are not 0, where nothing broadcasts any more.
constexpr std::int64_t kUniformSize = 2;

// What tensors of one float throughout hold instead, over and over: reduction leaves zeros where an error or a type is wrong, and of zeros most
// operations make zeros, be they wrong or not. Every float dtype has these numbers.
constexpr std::array kTellingFloats = {1.0, 3.0, 2.0, 1.5, 4.0};

TensorPtr with_telling_floats(const TensorPtr& tensor) {
  const auto* floats = std::get_if<Tensor::Floats>(&tensor->values);
  if (floats == nullptr || std::any_of(floats->begin(), floats->end(), [&](double value) { return value != *floats->begin(); })) return tensor;
  return filled(tensor->dtype, tensor->shape(), [](std::size_t k) { return kTellingFloats[k % kTellingFloats.size()]; });
}

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

Parts without_last(const TestCase& test, CauseKind kind) {
  Parts parts;
  const RangeStep& cut_behind = cut_steps().front();
  const std::size_t bindings = cut_behind.count(test);
  for (std::size_t first = bindings; first-- > 1;) {
    add(parts, test, with_operands_as_result(test, first));
    add(parts, test, cut_behind.make(test, first, bindings));
  }
  // A pass may have made what it stumbles over of a parameter.
  if (kind == CauseKind::error && bindings > 0) add(parts, test, with_operands_as_result(test, 0));
  return parts;
}

Parts parts_of(const Subject& subject, const Finding& finding) {
  const TestCase& test = finding.test;
  const CauseKind kind = finding.cause.kind;
  Parts parts = kind == CauseKind::form ? Parts() : without_last(test, kind);
  if (kind == CauseKind::values) return parts;
  const bool backwards = kind == CauseKind::error && differentiates(subject, finding.checked.verdict.culprit);
  const RangeStep& cut = cut_steps().back();
  for (std::size_t last = 1; backwards && last < cut.count(test); ++last) add(parts, test, cut.make(test, 0, last));
  add(parts, test, with_all_sizes(test, kUniformSize, Sizes::larger));
  add(parts, test, with_all_sizes(test, kUniformSize, Sizes::all));
  return parts;
}

// What the pass to blame makes of this form, if that is a finding.
std::optional<Finding> finding_in(Subject& subject, TestCase part, const Finding& whole) {
  if (auto telling = rebuilt(part, {.constant = with_telling_floats}, with_telling_floats)) part = *std::move(telling);
  CheckOptions options{.confirm = false, .sampling = Sampling::every_case(), .more_arguments = true, .cpu_seconds = kHangSeconds};
  options.sampling.set(kVmAgrees, 0);
  Checked checked = check(subject, part, whole.pipeline, options);
  if (!is_finding(checked.verdict.symptom) || checked.verdict.culprit != whole.checked.verdict.culprit) return std::nullopt;
  // A target that is right makes no pass stumble, unless something around the values is lost, as a virtual device.
  const bool right = symptom_info(checked.verdict.symptom).severity == Severity::broken_promise;
  if (right && checked.verdict.symptom != Symptom::not_kept) return std::nullopt;
  return finding_of(subject, std::move(part), whole.pipeline, std::move(checked), whole.origin);
}

bool has_parts(const Finding& finding) {
  const CauseKind kind = finding.cause.kind;
  const bool wrong_type = kind == CauseKind::form && finding.cause.site == kWrongType;
  return finding.test.module.find(finding.test.entry) != nullptr && (kind == CauseKind::error || kind == CauseKind::values || wrong_type);
}

}  // namespace

std::vector<Finding> findings_in_parts(Subject& subject, const Finding& finding) {
  std::vector<Finding> findings;
  if (!has_parts(finding)) return findings;
  for (TestCase& part : parts_of(subject, finding)) {
    if (auto found = finding_in(subject, std::move(part), finding)) findings.push_back(*std::move(found));
  }
  return findings;
}

bool stumbles_over(Subject& subject, const Finding& error, const Cause& cause) {
  const auto blamed = [&](const std::string& pass) {
    return std::find(error.cause.passes.begin(), error.cause.passes.end(), pass) != error.cause.passes.end();
  };
  const bool stumbles = error.cause.kind == CauseKind::error || error.cause.kind == CauseKind::form;
  if (!has_parts(error) || !stumbles || !std::any_of(cause.passes.begin(), cause.passes.end(), blamed)) return false;
  Parts parts = parts_of(subject, error);
  return std::any_of(parts.begin(), parts.end(), [&](TestCase& part) {
    const auto found = finding_in(subject, std::move(part), error);
    return found && compare_causes(found->cause, cause).same;
  });
}

}  // namespace passdiff
