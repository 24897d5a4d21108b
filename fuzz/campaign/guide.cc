#include "fuzz/campaign/guide.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fuzz/cases/drawn_case.h"
#include "fuzz/cases/hashes.h"

namespace passdiff {
namespace {

// The most bytes of an input.
constexpr std::size_t kLargestInput = kPipelineBytes + kCaseBytes;
// What each source gets at least. Fresh cases alone find what the corpus has nothing of.
constexpr std::array<double, kSourceNames.size()> kFloors = {0.7, 0.1, 0.05};
// How many of the cases a pass gets at least.
constexpr double kLeastShare = 0.15;
// How often a pass runs that did nothing to the parent of the case, as a part of how often it would run else.
constexpr double kShareOfIdle = 0.2;
// So many checks that bring as much as the average are added to what is known of a pass: a few checks tell little.
constexpr double kPrior = 30;
// A round that brings less than this tells little of what pays.
constexpr double kTelling = 20;
// What a round weighs once the next one is over.
constexpr double kMemory = 0.9;
// The shares of random pipelines among the checks.
constexpr double kLeastPipelines = 0.04;
constexpr double kMostPipelines = 0.2;

enum Stream : std::uint64_t { kSource, kPass, kEntry, kOther, kMutation, kRuns };

// In [0, 1).
double fraction(std::uint64_t draw) {
  return static_cast<double>(draw >> 11) * 0x1p-53;
}

bool is_of_pipelines(const std::string& pass) {
  return pass.starts_with('>');
}

Gain sum_of(const std::map<std::string, Gain>& passes, bool pipelines) {
  Gain sum;
  for (const auto& [pass, gain] : passes) {
    if (is_of_pipelines(pass) != pipelines) continue;
    sum.checks += gain.checks;
    sum.brought += gain.brought;
  }
  return sum;
}

// What a check of this brings, where `average` is what is expected of one of which nothing is known.
double rate(const Gain& gain, double average) {
  return (gain.brought + kPrior * average) / (gain.checks + kPrior);
}

double average_of(const Gain& gain) {
  return gain.checks > 0 ? std::max(gain.brought / gain.checks, 1e-9) : 1;
}

void add_to(Gain& sum, const Gain& part) {
  sum.checks += part.checks;
  sum.brought += part.brought;
}

Gain scaled(Gain gain, double scale) {
  gain.brought *= scale;
  return gain;
}

void fade(Gain& gain) {
  gain.checks *= kMemory;
  gain.brought *= kMemory;
}

}  // namespace

std::array<double, kSourceNames.size()> Guide::source_shares() const {
  Gain all;
  for (const Gain& gain : counts_.sources) add_to(all, gain);
  std::array<double, kSourceNames.size()> shares{};
  double sum = 0, floors = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] = rate(counts_.sources[i], average_of(all));
    sum += shares[i];
    floors += kFloors[i];
  }
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = kFloors[i] + (1 - floors) * shares[i] / sum;
  return shares;
}

double Guide::share_of(const std::string& pass) const {
  const auto found = shares_.find(pass);
  return found == shares_.end() ? 1 : found->second;
}

void Guide::find_shares() {
  shares_.clear();
  const double average = average_of(sum_of(counts_.passes, false));
  for (const auto& [pass, gain] : counts_.passes)
    shares_[pass] = std::clamp(rate(gain, average) / average, kLeastShare, 1.0);
}

std::size_t Guide::pipelines_beside(std::size_t passes) const {
  const Gain singles = sum_of(counts_.passes, false);
  const Gain pipelines = sum_of(counts_.passes, true);
  const double average = average_of(singles);
  const double share = std::clamp(kLeastPipelines * rate(pipelines, average) / average, kLeastPipelines, kMostPipelines);
  return static_cast<std::size_t>(std::ceil(share * static_cast<double>(passes)));
}

bool Guide::runs(const std::string& pass, std::int64_t index, const Plan& plan, const Corpus& corpus) const {
  if (pass == plan.focus) return true;
  double share = share_of(pass);
  if (plan.source != Source::fresh) {
    const bool active = corpus.entries()[plan.parent].active.contains(pass) ||
                        (plan.source == Source::crossed && corpus.entries()[plan.other].active.contains(pass));
    if (!active) share *= kShareOfIdle;
  }
  // One number for all passes of a case: what lowering passes need before them, and the source's own run, is then paid for in few cases that run
  // many passes.
  return fraction(mix(mix(seed_, static_cast<std::uint64_t>(index)), kRuns)) < share;
}

// First a pass by its share, then one of its entries: passes that many entries show something of do not own the search.
std::size_t Guide::pick(std::uint64_t draw, const Corpus& corpus, std::string& focus) const {
  double sum = 0;
  for (const auto& [pass, entries] : corpus.by_pass()) sum += share_of(pass);
  double rest = fraction(mix(draw, kPass)) * sum;
  auto chosen = corpus.by_pass().begin();
  for (auto at = chosen; at != corpus.by_pass().end() && rest >= 0; ++at) {
    chosen = at;
    rest -= share_of(at->first);
  }
  focus = chosen->first;
  const std::vector<std::size_t>& entries = chosen->second;
  // The latest of two: what came late has been changed least.
  const std::size_t one = mix(draw, kEntry) % entries.size();
  const std::size_t two = mix(mix(draw, kEntry), kEntry) % entries.size();
  return entries[std::max(one, two)];
}

Guide::Plan Guide::plan(std::int64_t index, const Corpus& corpus) const {
  Plan plan;
  if (corpus.entries().empty()) return plan;
  const std::uint64_t draw = mix(seed_, static_cast<std::uint64_t>(index));
  const auto shares = source_shares();
  double rest = fraction(mix(draw, kSource));
  std::size_t source = 0;
  while (source + 1 < shares.size() && rest >= shares[source]) rest -= shares[source++];
  plan.source = static_cast<Source>(source);
  if (plan.source == Source::fresh) return plan;
  plan.parent = pick(draw, corpus, plan.focus);
  std::string ignored;
  if (plan.source == Source::crossed) plan.other = pick(mix(draw, kOther), corpus, ignored);
  return plan;
}

std::vector<std::uint8_t> Guide::input(const Plan& plan, std::int64_t index, const Corpus& corpus, InputMutator& mutator) const {
  if (plan.source == Source::fresh) return fresh_input(seed_, static_cast<std::uint64_t>(index));
  const auto& parent = corpus.entries()[plan.parent].input;
  const std::uint64_t mutation = mix(mix(seed_, static_cast<std::uint64_t>(index)), kMutation) | 1;  // an even seed may mean a fresh input
  if (plan.source == Source::mutated) return mutator.mutate(parent, kLargestInput, mutation);
  return mutator.cross(parent, corpus.entries()[plan.other].input, kLargestInput, mutation);
}

void Guide::learn(Source source, const std::map<std::string, Gain>& by_pass) {
  for (const auto& [pass, gain] : by_pass) {
    add_to(round_.sources[static_cast<std::size_t>(source)], gain);
    add_to(round_.passes[pass], gain);
  }
}

void Guide::end_round() {
  for (Gain& gain : counts_.sources) fade(gain);
  for (auto& [pass, gain] : counts_.passes) fade(gain);
  Gain all;
  for (const Gain& gain : round_.sources) add_to(all, gain);
  const double scale = all.checks / std::max(all.brought, kTelling);
  for (std::size_t i = 0; i < kSourceNames.size(); ++i) add_to(counts_.sources[i], scaled(round_.sources[i], scale));
  for (const auto& [pass, gain] : round_.passes) add_to(counts_.passes[pass], scaled(gain, scale));
  round_ = {};
  find_shares();
}

void Guide::restore(Counts counts) {
  counts_ = std::move(counts);
  find_shares();
}

}  // namespace passdiff
