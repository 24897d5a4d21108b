// Behaviour features: what a pass did to a module, as a fuzzer can count it. They guide the search where the
// compiler itself carries no instrumentation.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "oracle/check.h"

namespace passdiff {

// A kind of value and a kind of value that uses it. Ops go by name; other kinds are "param", "const", "tuple", "if", ...
struct OpPair {
  std::string producer;
  std::string consumer;
  auto operator<=>(const OpPair&) const = default;
};

// The features of one check as numbers below kFeaturesOfAPass, sorted, each once: which op neighbourhoods (kinds of producer and
// consumer with the operand's place, rank and dtype) vanished, appeared and were kept, the symptom, and the error site. They are
// about the passes of the pipeline as a whole. Neighbourhoods share numbers by hash, so that no pass has more than the others.
using Features = std::vector<std::uint16_t>;
inline constexpr std::uint16_t kVerdictFeatures = 64;  // symptoms and sites: the lowest numbers
inline constexpr std::uint16_t kFeaturesOfAPass = kVerdictFeatures + 2 * 96 + 32;
Features features_of(const Module& source, const Checked& checked);

// What was seen of passes: numbers of features by pass, or by ">" and the pass for pipelines that end with it.
using Behaviour = std::map<std::string, std::set<std::uint16_t>>;

// Adds the features of one check to `counters`, a table of 8-bit counters as libFuzzer's extra counters are,
// each together with the last pass of the pipeline.
void count_behaviour(const Pipeline& pipeline, const Module& source, const Checked& checked,
                     std::span<std::uint8_t> counters);

// The features of the change alone, as numbers: what occurs less often in the target, and what more often, of neighbourhoods,
// functions, attributes, orders and blocks of bindings, virtual devices, and what functions of TensorIR are made of; less than two hundred for a pass. Without a target
// everything vanished: for passes whose targets cannot be read.
std::vector<std::uint64_t> change_features(const Module& source, const Module* target);

// A rewrite that a search has reached: statistics for people, which the counters are not made of.
struct Rewrite {
  std::string pass;
  OpPair before;  // in the source alone
  OpPair after;   // in the target alone
  auto operator<=>(const Rewrite&) const = default;
};
// Adds every pair that vanished with every pair that appeared; none where the target is the source, or cannot be read.
void collect_rewrites(const Pipeline& pipeline, const Module& source, const Checked& checked,
                      std::set<Rewrite>& into);

}  // namespace passdiff
