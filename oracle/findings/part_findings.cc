#include "oracle/findings/part_findings.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/form/well_formed.h"
#include "core/ir/structural.h"
#include "core/ir/walk.h"
#include "core/tensor/tensor.h"
#include "oracle/reduction/steps.h"
#include "oracle/reduction/types.h"
#include "oracle/witness.h"
#include "passes/case_options.h"

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

// Whether the pass to blame differentiates: what it makes of the last bindings then goes into those that it adds for the first ones.
bool is_of_derivatives(const Subject& subject, const Finding& finding) {
  return std::any_of(finding.pipeline.begin(), finding.pipeline.end(), [&](const PassCall& call) {
    const Pass* pass = find_pass(subject, call.name);
    return call.name == finding.checked.verdict.culprit && pass != nullptr && contract_of(*pass, call.options).derivatives;
  });
}

struct Part {
  TestCase test;
  Pipeline pipeline;
  bool may_fail = true;    // whether an error of it counts
  bool by_others = false;  // whether other passes than the finding's may be to blame
  bool alike = false;      // whether its finding counts only if it is of the same symptom and site
};
using Parts = std::vector<Part>;

Part with_test(Part part, TestCase test) {
  part.test = std::move(test);
  return part;
}

// Adds a plainer form, made as reduction makes it.
void add(Parts& parts, const Finding& whole, std::optional<TestCase> part) {
  if (!part || well_formed(part->module) || structural_equal(part->module, whole.test.module)) return;
  const auto is_the_same = [&](const Part& other) { return structural_equal(part->module, other.test.module); };
  if (std::none_of(parts.begin(), parts.end(), is_the_same)) parts.push_back({*std::move(part), whole.pipeline});
}

void add_without_last(Parts& parts, const Finding& whole) {
  const TestCase& test = whole.test;
  const RangeStep& cut_behind = cut_behind_step();
  const std::size_t bindings = cut_behind.count(test);
  for (std::size_t first = bindings; first-- > 1;) {
    add(parts, whole, with_operands_as_result(test, first, test.entry));
    add(parts, whole, cut_behind.make(test, first, bindings));
  }
  if (whole.cause.kind != CauseKind::error) return;
  // A pass may have made what it stumbles over of a parameter.
  if (bindings > 0) add(parts, whole, with_operands_as_result(test, 0, test.entry));
  // Or it stumbles in a private function that is called; what public ones return may matter to it.
  for (const GlobalFunction& called : test.module.functions) {
    if (called.name == test.entry || called.is_public) continue;
    std::size_t count = 0;
    for_each_binding<Enter::none>(called.function->body, [&](const Binding&) { ++count; });
    while (count-- > 0) add(parts, whole, with_operands_as_result(test, count, called.name));
  }
}

// The case with what the passes before the last made of its module; nothing if there are none, or no such module can be held.
std::optional<TestCase> given_to_last(Subject& subject, const Finding& whole) {
  if (whole.pipeline.size() < 2) return std::nullopt;
  const Pipeline before = with_case_values({whole.pipeline.begin(), whole.pipeline.end() - 1}, whole.test);
  std::vector<TransformReply> replies = subject.transform(whole.test.module, std::span(&before, 1), {.subject_well_formed = false});
  auto* made = std::get_if<Transformed>(&replies.front().result);
  if (made == nullptr || !made->target || made->target->find(whole.test.entry) == nullptr) return std::nullopt;
  return TestCase{*std::move(made->target), whole.test.entry, whole.test.arguments};
}

void add_without_first(Parts& parts, const Finding& whole) {
  const RangeStep& cut = cut_step();
  for (std::size_t last = 1; last < cut.count(whole.test); ++last) add(parts, whole, cut.make(whole.test, 0, last));
}

// What earlier passes made of the case, for the last pass alone. Sizes of 1 in functions of TensorIR, which are free of what operations ask for,
// are larger: what comes to nothing where a loop has one iteration need not where it has two. What earlier passes wrote is a case like any other:
// the last pass may stumble over a part of it, in the same way: what passes before have arranged may well trigger what they avoided.
void add_given_to_last(Subject& subject, Parts& parts, const Finding& whole, bool backwards) {
  std::optional<TestCase> given = given_to_last(subject, whole);
  if (!given) return;
  if (!given->module.prim_funcs.empty()) {
    auto larger = with_all_sizes(*given, kUniformSize, Sizes::ones);
    if (larger && !well_formed(larger->module)) parts.push_back({*std::move(larger), {whole.pipeline.back()}});
    return;
  }
  const std::size_t others = parts.size();
  Finding alone = whole;
  alone.test = *std::move(given);
  alone.pipeline = {whole.pipeline.back()};
  if (!well_formed(alone.test.module)) parts.push_back({alone.test, alone.pipeline});
  add_without_last(parts, alone);
  if (backwards) add_without_first(parts, alone);
  for (std::size_t i = others; i < parts.size(); ++i) parts[i].alike = true;
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

// The passes that compilation runs, after those of the finding: one of them fails on the target by itself.
void add_compiled(Subject& subject, Parts& parts, const Finding& whole) {
  for (const BuildPipeline& build : subject.build_pipelines()) {
    Pipeline pipeline = whole.pipeline;
    for (const std::string_view name : build.passes) {
      const Pass* pass = find_pass(subject, name);
      const auto is_it = [&](const PassCall& call) { return call.name == name; };
      if (pass != nullptr && pass->unsupported.empty() && std::none_of(pipeline.begin(), pipeline.end(), is_it))
        pipeline.push_back({std::string(name), "{}"});
    }
    parts.push_back({.test = whole.test, .pipeline = std::move(pipeline), .by_others = true});
  }
}

Parts parts_of(Subject& subject, const Finding& finding) {
  const TestCase& test = finding.test;
  const CauseKind kind = finding.cause.kind;
  Parts parts;
  if (finding.cause.symptom == Symptom::does_not_compile) {
    add_compiled(subject, parts, finding);
    return parts;
  }
  if (kind != CauseKind::form) add_without_last(parts, finding);
  if (kind == CauseKind::values) return parts;
  const bool backwards = kind == CauseKind::error && is_of_derivatives(subject, finding);
  if (backwards) add_without_first(parts, finding);
  add(parts, finding, with_all_sizes(test, kUniformSize, Sizes::larger));
  if (auto uniform = with_all_sizes(test, kUniformSize, Sizes::all)) {
    add(parts, finding, with_vectors_for_scalars(*uniform));
    if (kind == CauseKind::error) {
      const std::size_t before = parts.size();
      add(parts, finding, with_an_axis_more(*uniform, kUniformSize));
      // Passes stumble over rank 3 in ways of their own.
      if (parts.size() > before) parts.back().may_fail = false;
    }
    add(parts, finding, *std::move(uniform));
  }
  if (kind == CauseKind::error) add_given_to_last(subject, parts, finding, backwards);
  return parts;
}

// What the pass to blame makes of this form, if that is a finding.
std::optional<Finding> finding_of_pass(Subject& subject, Part part, const Finding& whole) {
  CheckOptions options{.confirm = false, .sampling = Sampling::every_case(), .more_arguments = true, .cpu_seconds = kHangSeconds};
  options.sampling.set(kVmAgrees, 0);
  Checked checked = check(subject, part.test, part.pipeline, options);
  if (!is_finding(checked.verdict.symptom)) return std::nullopt;
  if (!part.by_others && checked.verdict.culprit != whole.checked.verdict.culprit) return std::nullopt;
  if (part.alike && (checked.verdict.symptom != whole.checked.verdict.symptom || checked.verdict.site != whole.checked.verdict.site)) return std::nullopt;
  const auto severity = symptom_info(checked.verdict.symptom).severity;
  if (!part.may_fail && (severity == Severity::refused || severity == Severity::crash)) return std::nullopt;
  // A promise that a plainer form breaks does not explain an error, except `not-kept`: a lost virtual device can.
  const bool right = severity == Severity::broken_promise;
  if (right && checked.verdict.symptom != Symptom::not_kept) return std::nullopt;
  return finding_of(subject, std::move(part.test), std::move(part.pipeline), std::move(checked), whole.origin);
}

// The same with values that tell. Integers may be indices, so that they change only where nothing else shows a finding.
std::optional<Finding> finding_in(Subject& subject, const Part& part, const Finding& whole) {
  auto floats = rebuilt(part.test, {.constant = with_telling_floats}, with_telling_floats);
  if (auto found = finding_of_pass(subject, with_test(part, floats ? *floats : part.test), whole)) return found;
  bool changes_integers = false;
  const auto telling = [&](const TensorPtr& tensor) {
    changes_integers |= is_integer(tensor->dtype) && is_uniform(*tensor);
    return with_telling_numbers(tensor);
  };
  auto numbers = rebuilt(part.test, {.constant = telling}, telling);
  return numbers && changes_integers ? finding_of_pass(subject, with_test(part, *std::move(numbers)), whole) : std::nullopt;
}

bool has_parts(const Finding& finding) {
  const CauseKind kind = finding.cause.kind;
  const bool has_forms = kind == CauseKind::form && (finding.cause.site == kWrongType || finding.cause.symptom == Symptom::does_not_compile);
  return finding.test.module.find(finding.test.entry) != nullptr && (kind == CauseKind::error || kind == CauseKind::values || has_forms);
}

}  // namespace

std::vector<Finding> findings_in_parts(Subject& subject, const Finding& finding) {
  std::vector<Finding> findings;
  if (!has_parts(finding)) return findings;
  for (const Part& part : parts_of(subject, finding)) {
    if (auto found = finding_in(subject, part, finding)) findings.push_back(*std::move(found));
  }
  return findings;
}

}  // namespace passdiff
