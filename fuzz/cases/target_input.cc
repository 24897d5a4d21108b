#include "fuzz/cases/target_input.h"

#include <algorithm>

#include "fuzz/cases/drawn_case.h"
#include "fuzz/cases/mutate.h"
#include "passes/native/native_pass.h"

namespace passdiff {
namespace {

constexpr std::string_view kPrefix = "fuzz_";
constexpr std::string_view kReaders[] = {"fuzz_cbor", "fuzz_interpreter", "fuzz_json", "fuzz_text"};
// Long enough for passes that change how functions are called to come upon each other.
constexpr int kLongestOfATarget = 8;

bool is_over_graphs(const NativePass& row) {
  return row.pass.contract.level == Level::graph;
}

}  // namespace

std::optional<TargetRule> rule_of_target(std::string_view name) {
  if (name == "fuzz_tvm") return TargetRule{.subject = "tvm", .passes = {}};
  if (name == "fuzz_native_pipeline") {
    return TargetRule{.subject = "native", .passes = {}, .longest_pipeline = kLongestOfATarget};
  }
  for (const NativePass& row : native_passes()) {
    if (is_over_graphs(row) && name.starts_with(kPrefix) && name.substr(kPrefix.size()) == row.pass.name) {
      return TargetRule{.subject = "native", .passes = {row.pass.name}};
    }
  }
  return std::nullopt;
}

std::vector<std::string> target_names() {
  std::vector<std::string> names(std::begin(kReaders), std::end(kReaders));
  names.insert(names.end(), {"fuzz_native_pipeline", "fuzz_tvm"});
  for (const NativePass& row : native_passes()) {
    if (is_over_graphs(row)) names.push_back(std::string(kPrefix) + row.pass.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool reads_documents(std::string_view target) {
  return std::find(std::begin(kReaders), std::end(kReaders), target) != std::end(kReaders);
}

std::vector<const Pass*> passes_of(const TargetRule& rule, const Subject& subject) {
  std::vector<const Pass*> passes;
  for (const Pass& pass : subject.passes()) {
    const bool meant = rule.passes.empty() || std::find(rule.passes.begin(), rule.passes.end(), pass.name) != rule.passes.end();
    if (meant && pass.unsupported.empty()) passes.push_back(&pass);
  }
  CHECK(!passes.empty()) << "the subject has none of this target's passes";
  return passes;
}

Pipeline pipeline_of(const TargetRule& rule, std::span<const Pass* const> passes,
                     std::span<const std::uint8_t> input, const Module& module) {
  Choices choices(pipeline_bytes(input));
  if (rule.longest_pipeline > 0) return draw_pipeline(passes, rule.longest_pipeline, choices, module);
  const Pass* const pass = passes[choices.index(passes.size())];
  std::vector<Pipeline> drawn = draw_pipelines(std::span(&pass, 1), choices, module);
  return drawn.empty() ? Pipeline{} : std::move(drawn.front());
}

CaseFolder case_of_input(const TargetRule& rule, const Subject& subject,
                         std::span<const std::uint8_t> input) {
  CaseFolder content;
  content.test = InputMutator().make_case(input);
  content.passes = pipeline_of(rule, passes_of(rule, subject), input, content.test.module);
  return content;
}

}  // namespace passdiff
