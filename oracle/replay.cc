#include "oracle/replay.h"

#include <fmt/format.h>

#include "core/gen/recorded.h"
#include "passes/case_options.h"

namespace passdiff {
namespace {

// What the recorder writes in place of an option that JSON cannot tell, as a function of the program.
constexpr std::string_view kOpaqueTag = "\"$opaque\"";

// Why the pass cannot be run as the case says; nothing if it can.
std::optional<std::string> obstacle_of(const Subject& subject, const PassCall& call) {
  const Pass* pass = find_pass(subject, call.name);
  if (pass == nullptr) return call.name + ": the subject has no such pass";
  if (!pass->unsupported.empty()) return call.name + ": " + pass->unsupported;
  if (call.options.find(kOpaqueTag) == std::string::npos) return std::nullopt;
  return call.name + ": an option of the recorded pass cannot be made again: " + call.options;
}

}  // namespace

bool Replay::as_expected() const {
  if (expected.empty() || expected == symptom_name(actual.symptom)) return true;
  const SymptomInfo* symptom = find_symptom(expected);
  return symptom != nullptr && hangs(symptom->symptom) && hangs(actual.symptom);
}

std::vector<TestCase> test_cases_for(const Subject& subject, const CaseFolder& content, std::uint64_t seed, std::vector<Error>& refused) {
  const BoundBy bound = [&](const std::string& function) { return bound_arguments(subject, content.passes, function); };
  return test_cases_of(content, seed, refused, bound);
}

Result<CaseFolder> read_judged_case(const std::filesystem::path& folder) {
  CaseFolder content = TRY(read_case(folder));
  for (const auto& [subject, symptom] : content.expected) {
    if (find_symptom(symptom) != nullptr) continue;
    return Error{"case.field", fmt::format("{}: expected.{} should be a symptom, not \"{}\"; `passdiff list symptoms` prints them",
                                           (folder / "case.json").string(), subject, symptom)};
  }
  return content;
}

std::string expected_for(const CaseFolder& content, const Subject& subject) {
  const std::string name(subject.name());
  const std::string version = subject.version();
  std::string exact = version;
  while (!exact.empty()) {
    const auto found = content.expected.find(name + " " + exact);
    if (found != content.expected.end()) return found->second;
    const std::size_t dot = exact.rfind('.');
    exact.resize(dot == std::string::npos ? 0 : dot);
  }
  const auto found = content.expected.find(name);
  return found == content.expected.end() ? std::string() : found->second;
}

Replay replay(Subject& subject, const CaseFolder& content, const CheckOptions& options) {
  Replay result{.expected = expected_for(content, subject), .actual = {}, .missing_pass = false, .target = {}};
  for (const PassCall& call : content.passes) {
    const auto obstacle = obstacle_of(subject, call);
    if (!obstacle) continue;
    result.missing_pass = true;
    result.actual = {.symptom = Symptom::unsupported,
                     .stage = Stage::transform,
                     .check = {},
                     .culprit = call.name,
                     .site = {},
                     .detail = *obstacle};
    return result;
  }
  CheckOptions all = options;
  all.confirm = true;
  all.sampling = Sampling::every_case();
  Checked checked = check(subject, content.test, content.passes, all);
  result.actual = std::move(checked.verdict);
  result.target = std::move(checked.target);
  return result;
}

}  // namespace passdiff
