// Targets of one case that were judged already: lowering pipelines that share their first passes often end in equal modules.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/module.h"
#include "core/ir/structural.h"
#include "oracle/verdict.h"
#include "passes/contract.h"

namespace passdiff {

struct CheckContext;

// What the comparison of values said of a target: nothing if it agrees, with the reasons.
struct Judgement {
  std::optional<Verdict> verdict;
  std::vector<std::string> reasons = {};
};

class JudgedTargets {
 public:
  // The judgement on the context's target: that on an equal one, if there was one, called in the same way and held to the same contract;
  // else what `judge` says, which is remembered.
  const Judgement& of(const CheckContext& context, const std::function<Judgement()>& judge);

 private:
  // Hashed once there is another that it may equal: of most cases few passes change the module, each in another way.
  struct Target {
    Module module;
    int bindings;
    std::optional<std::uint64_t> known_hash = {};
  };
  struct Entry {
    Target target;
    std::string call;  // how it is called, as text
    Numerics numerics;
    bool executes;
    Judgement judgement;
  };
  std::uint64_t hash_of(Target& target);

  std::deque<Entry> entries_;
  StructuralHashes hashes_;
};

}  // namespace passdiff
