// Behaviour features: what a pass did to a module, as a fuzzer can count it. They guide the search where the
// compiler itself carries no instrumentation.
#pragma once

#include <cstdint>
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

// Adds the features of one check to `counters`, a table of 8-bit counters as libFuzzer's extra counters are:
// which op neighbourhoods (kinds of producer and consumer with the operand's place, rank and dtype) vanished,
// appeared and were kept, the symptom, and the error site; each together with the last pass of the pipeline. A pass has about
// two hundred features at most, since neighbourhoods share counters by hash.
void count_behaviour(const Pipeline& pipeline, const Module& source, const Checked& checked,
                     std::span<std::uint8_t> counters);

// The features of the change alone, as numbers: what occurs less often in the target, and what more often, of neighbourhoods,
// functions, attributes, orders and blocks of bindings, and virtual devices; less than two hundred for a pass. Without a target
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
