#include "fuzz/cases/drawn_case.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

#include "fuzz/cases/mutate.h"
#include "passes/tvm/tvm_passes.h"

namespace passdiff {
namespace {

constexpr std::size_t kOptionBytes = 512;
constexpr std::size_t kOptionBytesOfAPass = 128;
// One case in so many runs the beginnings of one of the compiler's own pipelines. FoldConstant, which compiles, is among them.
constexpr unsigned kBuildOneIn = 16;
// Beside passes that are no rules, one case in so many runs a rule: to schedule all functions of a module, and to interpret what that makes, takes
// twenty times as long as most passes do.
constexpr unsigned kRuleOneIn = 2;
// One case in so many has distributed tensors, where not all passes are about them: these passes are few.
constexpr unsigned kDistributedOneIn = 32;

PassCall draw_call(const Pass& pass, Choices& choices, const Module& module) {
  return {pass.name, pass.draw_options == nullptr ? "{}" : pass.draw_options(choices, module)};
}

void append_with_needs(const Pass& pass, Choices& choices, const Module& module, Pipeline& pipeline) {
  for (std::string_view needed : pass.contract.needs) pipeline.push_back({std::string(needed), "{}"});
  pipeline.push_back(draw_call(pass, choices, module));
}

// Choices for one purpose, from the bytes of an input that choose pipelines and options.
std::vector<std::uint8_t> bytes_of_input(std::span<const std::uint8_t> input, std::string_view purpose, std::size_t size) {
  const std::span<const std::uint8_t> chosen = pipeline_bytes(input);
  return campaign_bytes(XXH3_64bits(chosen.data(), chosen.size()), XXH3_64bits(purpose.data(), purpose.size()), size);
}

// Where to look for a pass that the subject lacks.
std::string whose_pass(const Subject& subject, std::string_view name) {
  if (subject.name() != "native" && find_pass(*make_native_subject(), name) != nullptr) return "--subject native has it";
  const auto of_tvm = tvm_pass_table();
  if (subject.name() != "tvm" && std::ranges::find(of_tvm, name, &Pass::name) != of_tvm.end()) return "--subject tvm has it";
  return fmt::format("see `passdiff list passes --subject {}`", subject.name());
}

// Whether this is the name of a pass with options behind a colon.
bool takes_options(const Subject& subject, std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon != std::string_view::npos && find_pass(subject, name.substr(0, colon)) != nullptr;
}
Error options_are_drawn(std::string_view name) {
  return {"campaign.pass",
          fmt::format("{}: its options are drawn here and cannot be given; `passdiff run CASE --passes` takes options", name.substr(0, name.find(':')))};
}

std::optional<Error> fault_without_options(const Pass& pass) {
  if (pass.unmade.empty()) return std::nullopt;
  return Error{"campaign.pass", fmt::format("{}: cannot be driven here: it cannot be made without options: {}", pass.name, pass.unmade)};
}

}  // namespace

bool is_meant_for(const Pass& pass, const Module& module) {
  if (pass.over_distributed != !module.meshes.empty()) return false;
  return pass.applies == nullptr || pass.applies(module);
}

DrawnCase draw_case(std::uint64_t seed, std::uint64_t index, std::span<const Pass* const> passes,
                    const DrawOptions& options) {
  const std::vector<std::uint8_t> bytes = campaign_bytes(seed, index, kCaseBytes);
  Choices choices(bytes);
  GeneratedCase made = generate_case(choices, options_for(passes, options.generate));
  DrawnCase drawn{std::move(made.test), {}, fmt::format("seed {}, case {}", seed, index), std::move(made.idioms_drawn), std::move(made.idioms_made)};
  // Pipelines are drawn from bytes of their own, so that they do not depend on how much the generator reads.
  const std::vector<std::uint8_t> option_bytes = campaign_bytes(~seed, index, kOptionBytes);
  Choices option_choices(option_bytes);
  if (options.longest_pipeline == 0) {
    drawn.pipelines = draw_pipelines(passes, option_choices, drawn.test.module);
    std::ranges::move(draw_build_prefixes(options.builds, passes, option_choices, drawn.test.module), std::back_inserter(drawn.pipelines));
    return drawn;
  }
  for (std::size_t i = 0; i < kPipelinesPerCase; ++i) {
    Pipeline pipeline = draw_pipeline(passes, options.longest_pipeline, option_choices, drawn.test.module);
    if (!pipeline.empty()) drawn.pipelines.push_back(std::move(pipeline));
  }
  return drawn;
}

std::vector<const Pass*> passes_of_case(std::span<const Pass* const> passes, Choices& choices, const Module& module, std::string_view wanted) {
  std::vector<const Pass*> chosen;
  std::map<std::string_view, std::vector<const Pass*>> rules;  // by the pass that applies them
  for (const Pass* pass : passes) {
    if (!is_meant_for(*pass, module)) continue;
    (pass->rule_of.empty() ? chosen : rules[pass->rule_of]).push_back(pass);
  }
  const bool rules_alone = chosen.empty();
  for (const auto& [pass, meant] : rules) {
    std::vector<unsigned> weights;
    for (const Pass* rule : meant) weights.push_back(rule->weight);
    const Pass* drawn = meant[choices.weighted(weights)];
    const bool runs = choices.one_in(kRuleOneIn) || rules_alone;
    const auto asked_for = std::ranges::find(meant, wanted, &Pass::name);
    if (asked_for != meant.end()) {
      chosen.push_back(*asked_for);
    } else if (runs) {
      chosen.push_back(drawn);
    }
  }
  return chosen;
}

std::vector<const Pass*> passes_of_input(std::span<const Pass* const> passes, std::span<const std::uint8_t> input, const Module& module,
                                         std::string_view wanted) {
  const std::vector<std::uint8_t> bytes = bytes_of_input(input, "rules", kOptionBytesOfAPass);
  Choices choices(bytes);
  return passes_of_case(passes, choices, module, wanted);
}

std::vector<Pipeline> draw_pipelines(std::span<const Pass* const> passes, Choices& choices, const Module& module) {
  std::vector<Pipeline> pipelines;
  for (const Pass* pass : passes_of_case(passes, choices, module)) append_with_needs(*pass, choices, module, pipelines.emplace_back());
  return pipelines;
}

Pipeline draw_pipeline(std::span<const Pass* const> passes, int longest, Choices& choices,
                       const Module& module) {
  std::vector<const Pass*> able;
  for (const Pass* pass : passes) {
    if (pass->contract.level == Level::graph && is_meant_for(*pass, module)) able.push_back(pass);
  }
  Pipeline pipeline;
  if (able.empty()) return pipeline;
  const auto length = static_cast<std::size_t>(choices.integer(2, longest));
  while (pipeline.size() < length) append_with_needs(*choices.pick(able), choices, module, pipeline);
  return pipeline;
}

std::vector<Pipeline> draw_build_prefixes(std::span<const BuildPipeline> builds, std::span<const Pass* const> passes, Choices& choices,
                                          const Module& module) {
  std::vector<Pipeline> prefixes;
  if (builds.empty() || !module.meshes.empty() || !choices.one_in(kBuildOneIn)) return prefixes;
  Pipeline prefix;
  for (const std::string_view name : builds[choices.index(builds.size())].passes) {
    prefix.push_back({std::string(name), "{}"});
    const bool wanted = std::ranges::find(passes, name, &Pass::name) != passes.end();
    if (wanted && prefix.size() > 1) prefixes.push_back(prefix);
  }
  return prefixes;
}

std::vector<Pipeline> build_prefixes_of_input(std::span<const BuildPipeline> builds, std::span<const Pass* const> passes,
                                              std::span<const std::uint8_t> input, const Module& module) {
  const std::vector<std::uint8_t> bytes = bytes_of_input(input, "build pipelines", kOptionBytesOfAPass);
  Choices choices(bytes);
  return draw_build_prefixes(builds, passes, choices, module);
}

std::vector<std::uint8_t> fresh_input(std::uint64_t seed, std::uint64_t index) {
  std::vector<std::uint8_t> input = campaign_bytes(~seed, index, kPipelineBytes);
  const std::vector<std::uint8_t> module = campaign_bytes(seed, index, kCaseBytes);
  input.insert(input.end(), module.begin(), module.end());
  return input;
}

Pipeline pipeline_of_input(const Pass& pass, std::span<const std::uint8_t> input, const Module& module) {
  const std::vector<std::uint8_t> bytes = bytes_of_input(input, pass.name, kOptionBytesOfAPass);
  Choices choices(bytes);
  Pipeline pipeline;
  append_with_needs(pass, choices, module, pipeline);
  return pipeline;
}

std::vector<Pipeline> pipelines_of_input(std::span<const Pass* const> passes, std::size_t count, int longest,
                                         std::span<const std::uint8_t> input, const Module& module) {
  std::vector<Pipeline> pipelines;
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<std::uint8_t> bytes = bytes_of_input(input, fmt::format("pipeline {}", i), kOptionBytes);
    Choices choices(bytes);
    Pipeline pipeline = draw_pipeline(passes, longest, choices, module);
    if (!pipeline.empty()) pipelines.push_back(std::move(pipeline));
  }
  return pipelines;
}

GenerateOptions options_for(std::span<const Pass* const> passes, GenerateOptions options) {
  options.tensor_ir = std::ranges::any_of(passes, [](const Pass* pass) { return pass->contract.level != Level::graph; });
  const auto distributed = std::ranges::count_if(passes, &Pass::over_distributed);
  options.distributed_one_in = distributed == 0 ? 0 : distributed == std::ssize(passes) ? 1 : kDistributedOneIn;
  return options;
}

Result<const Pass*> drivable_pass(const Subject& subject, std::string_view name) {
  if (name.empty()) return Error{"campaign.pass", "an empty name of a pass; write A,B"};
  const Pass* pass = find_pass(subject, name);
  if (pass == nullptr) {
    return Error{"campaign.pass", fmt::format("{}: the subject {} has no such pass; {}", name, subject.name(), whose_pass(subject, name))};
  }
  if (!pass->unsupported.empty()) return Error{"campaign.pass", fmt::format("{}: cannot be driven: {}", name, pass->unsupported)};
  return pass;
}

Result<std::vector<std::string>> select_passes(const Subject& subject, std::span<const std::string> names) {
  std::vector<std::string> selected;
  for (const std::string& name : names) {
    if (name == kAllPasses) continue;
    if (takes_options(subject, name)) return options_are_drawn(name);
    TRY_VOID(fault_without_options(*TRY(drivable_pass(subject, name))));
    if (std::ranges::find(selected, name) == selected.end()) selected.push_back(name);
  }
  if (!names.empty() && std::ranges::find(names, kAllPasses) == names.end()) return selected;
  selected.clear();
  for (const Pass& pass : subject.passes()) {
    if (!pass.unsupported.empty()) continue;
    TRY_VOID(fault_without_options(pass));
    selected.push_back(pass.name);
  }
  return selected;
}

}  // namespace passdiff
