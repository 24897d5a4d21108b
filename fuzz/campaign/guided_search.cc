#include "fuzz/campaign/guided_search.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace passdiff {
namespace {

// A key that was not met before is worth so many features: it is what a campaign is for.
constexpr double kWorthOfAKey = 100;
// The most passes in the random pipelines that run among single passes.
constexpr int kLongestPipeline = 4;

}  // namespace

std::string corpus_kind(const Subject& subject, std::span<const Pass* const> passes) {
  const GenerateOptions made = options_for(passes, {});
  const std::string_view spread = made.distributed_one_in == 0 ? "" : made.distributed_one_in == 1 ? ", distributed" : ", some distributed";
  return fmt::format("{} {}, {}{}", subject.name(), subject.version(), made.tensor_ir ? "with TensorIR" : "graphs", spread);
}

std::vector<Pipeline> random_pipelines(std::span<const Pass* const> passes, std::span<const std::uint8_t> input, const Module& module) {
  return pipelines_of_input(passes, kPipelinesPerCase, kLongestPipeline, input, module);
}

std::string guided_origin(std::uint64_t seed) {
  return fmt::format("seed {}, guided case ", seed);
}

bool is_guided_case(const std::string& origin, std::uint64_t seed, std::int64_t first, std::int64_t end) {
  const std::string ours = guided_origin(seed);
  if (!origin.starts_with(ours)) return false;
  const std::int64_t index = std::strtoll(origin.c_str() + ours.size(), nullptr, 10);
  return index >= first && index < end;
}

GuidedSearch::GuidedSearch(std::uint64_t seed, const std::filesystem::path& corpus, const Subject& subject, std::span<const Pass* const> passes,
                           const DrawOptions& draw, int jobs)
    : seed_(seed), corpus_(corpus, corpus_kind(subject, passes), seed), guide_(seed), draw_(draw) {
  draw_.generate = options_for(passes, std::move(draw_.generate));
  for (int job = 0; job < jobs; ++job) mutators_.emplace_back(draw_.generate);
}

DrawnCase GuidedSearch::draw(int job, std::int64_t index, std::span<const Pass* const> passes) {
  InputMutator& mutator = mutators_[static_cast<std::size_t>(job)];
  const Guide::Plan plan = guide_.plan(index, corpus_);
  const std::vector<std::uint8_t> input = guide_.input(plan, index, corpus_, mutator);
  DrawnCase drawn;
  drawn.test = mutator.make_case(input);
  drawn.origin = guided_origin(seed_) + fmt::format("{}, {}", index, kSourceNames[static_cast<std::size_t>(plan.source)]);
  const bool pipelines_alone = draw_.longest_pipeline > 0;
  if (!pipelines_alone) {
    for (const Pass* pass : passes_of_input(passes, input, drawn.test.module, plan.focus)) {
      const bool runs = passes.size() == 1 || guide_.runs(pass->name, index, plan, corpus_);
      if (runs) drawn.pipelines.push_back(pipeline_of_input(*pass, input, drawn.test.module));
    }
  }
  std::size_t count = pipelines_alone ? kPipelinesPerCase : guide_.pipelines_beside(drawn.pipelines.size());
  if (plan.focus.starts_with('>')) count = std::max(count, kPipelinesPerCase);
  if (passes.size() == 1 && !pipelines_alone) count = 0;  // of one pass alone
  const int longest = pipelines_alone ? draw_.longest_pipeline : kLongestPipeline;
  for (Pipeline& pipeline : pipelines_of_input(passes, count, longest, input, drawn.test.module)) drawn.pipelines.push_back(std::move(pipeline));
  if (!pipelines_alone) std::ranges::move(build_prefixes_of_input(draw_.builds, passes, input, drawn.test.module), std::back_inserter(drawn.pipelines));
  return drawn;
}

std::optional<Error> GuidedSearch::learn(std::vector<SeenCase> round, const Subject& subject, std::span<const Candidate* const> new_keys) {
  std::sort(round.begin(), round.end(), [](const SeenCase& a, const SeenCase& b) { return a.index < b.index; });
  std::multimap<std::int64_t, std::string> passes_of_keys;  // by case
  for (const Candidate* candidate : new_keys) passes_of_keys.emplace(candidate->index, behaviour_name(subject, candidate->pipeline));
  // The plans, and what they make, are functions of the corpus as it was before the round.
  std::vector<Source> sources;
  std::vector<std::vector<std::uint8_t>> inputs(round.size());
  for (std::size_t i = 0; i < round.size(); ++i) {
    const Guide::Plan plan = guide_.plan(round[i].index, corpus_);
    sources.push_back(plan.source);
    if (!round[i].shown.empty()) inputs[i] = guide_.input(plan, round[i].index, corpus_, mutators_.front());
  }
  for (std::size_t i = 0; i < round.size(); ++i) {
    std::map<std::string, Gain> gains;
    for (const auto& [pass, checks] : round[i].checks) gains[pass].checks = static_cast<double>(checks);
    if (!round[i].shown.empty()) {
      const Behaviour first = TRY(corpus_.add(mutators_.front().trimmed(inputs[i]), round[i].shown, round[i].index, round[i].active));
      for (const auto& [pass, numbers] : first) gains[pass].brought += static_cast<double>(numbers.size());
    }
    const auto [begin, end] = passes_of_keys.equal_range(round[i].index);
    for (auto key = begin; key != end; ++key) gains[key->second].brought += kWorthOfAKey;
    guide_.learn(sources[i], gains);
  }
  guide_.end_round();
  return std::nullopt;
}

}  // namespace passdiff
