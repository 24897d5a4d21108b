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

// What tensors of one number throughout hold instead, over and over: reduction leaves zeros where an error or a type is wrong, and of zeros most
// operations make zeros, be they wrong or not. Every float dtype has these floats, and every integer one these integers, whose products have more
// bits than the narrow dtypes.
constexpr std::array kTellingFloats = {1.0, 3.0, 2.0, 1.5, 4.0};
constexpr std::array kTellingIntegers = {101.0, 1.0, 77.0, 3.0};

bool is_uniform(const Tensor& tensor) {
  for (std::size_t k = 1; k < tensor.size(); ++k) {
    if (as_double(tensor, k) != as_double(tensor, 0)) return false;
  }
  return true;
}
TensorPtr with_telling_floats(const TensorPtr& tensor) {
  if (!is_float(tensor->dtype) || !is_uniform(*tensor)) return tensor;
  return filled(tensor->dtype, tensor->shape(), [](std::size_t k) { return kTellingFloats[k % kTellingFloats.size()]; });
}
TensorPtr with_telling_numbers(const TensorPtr& tensor) {
  if (!is_integer(tensor->dtype) || !is_uniform(*tensor)) return with_telling_floats(tensor);
  return filled(tensor->dtype, tensor->shape(), [](std::size_t k) { return kTellingIntegers[k % kTellingIntegers.size()]; });
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

// Floats of rank 0 become vectors: a rewrite may hand one to an operation that takes none.
std::optional<TestCase> with_vectors_for_scalars(const TestCase& test) {
  const auto lengthen = [](const TensorPtr& tensor) {
    return tensor->rank() > 0 || !is_float(tensor->dtype) ? tensor : filled(tensor->dtype, {kUniformSize}, [](std::size_t) { return 0.0; });
  };
  const auto param_type = [](const Var& param) {
    return replace_tensors(param->type, [](TensorType tensor) {
      if (tensor.shape && tensor.shape->empty() && tensor.dtype && is_float(*tensor.dtype)) {
        tensor.shape = Shape{Dim(kUniformSize)};
        tensor.rank = 1;
      }
      return tensor;
    });
  };
  return rebuilt(test, {.constant = lengthen, .param_type = param_type}, lengthen);
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
  if (auto uniform = with_all_sizes(test, kUniformSize, Sizes::all)) {
    add(parts, *uniform, with_vectors_for_scalars(*uniform));
    add(parts, test, *std::move(uniform));
  }
  return parts;
}

// What the pass to blame makes of this form, if that is a finding.
std::optional<Finding> finding_of_pass(Subject& subject, TestCase part, const Finding& whole) {
  CheckOptions options{.confirm = false, .sampling = Sampling::every_case(), .more_arguments = true, .cpu_seconds = kHangSeconds};
  options.sampling.set(kVmAgrees, 0);
  Checked checked = check(subject, part, whole.pipeline, options);
  if (!is_finding(checked.verdict.symptom) || checked.verdict.culprit != whole.checked.verdict.culprit) return std::nullopt;
  // A target that is right makes no pass stumble, unless something around the values is lost, as a virtual device.
  const bool right = symptom_info(checked.verdict.symptom).severity == Severity::broken_promise;
  if (right && checked.verdict.symptom != Symptom::not_kept) return std::nullopt;
  return finding_of(subject, std::move(part), whole.pipeline, std::move(checked), whole.origin);
}

// The same with values that tell. Integers may be indices, so that they change only where nothing else shows a finding.
std::optional<Finding> finding_in(Subject& subject, const TestCase& part, const Finding& whole) {
  auto floats = rebuilt(part, {.constant = with_telling_floats}, with_telling_floats);
  if (auto found = finding_of_pass(subject, floats ? *floats : part, whole)) return found;
  bool changes_integers = false;
  const auto telling = [&](const TensorPtr& tensor) {
    changes_integers |= is_integer(tensor->dtype) && is_uniform(*tensor);
    return with_telling_numbers(tensor);
  };
  auto numbers = rebuilt(part, {.constant = telling}, telling);
  return numbers && changes_integers ? finding_of_pass(subject, *std::move(numbers), whole) : std::nullopt;
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
  for (const TestCase& part : parts_of(subject, finding)) {
    if (auto found = finding_in(subject, part, finding)) findings.push_back(*std::move(found));
  }
  return findings;
}

}  // namespace passdiff
