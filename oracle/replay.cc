#include "oracle/replay.h"

namespace passdiff {

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
  Replay result{.expected = expected_for(content, subject), .actual = {}, .missing_pass = false};
  for (const PassCall& call : content.passes) {
    const Pass* pass = find_pass(subject, call.name);
    if (pass != nullptr && pass->unsupported.empty()) continue;
    result.missing_pass = true;
    result.actual = {.symptom = Symptom::unsupported,
                     .stage = Stage::transform,
                     .check = {},
                     .culprit = call.name,
                     .site = {},
                     .detail = call.name + (pass == nullptr ? ": the subject has no such pass"
                                                            : ": " + pass->unsupported)};
    return result;
  }
  CheckOptions all = options;
  all.confirm = true;
  all.sampling = Sampling::every_case();
  result.actual = check(subject, content.test, content.passes, all).verdict;
  return result;
}

}  // namespace passdiff
