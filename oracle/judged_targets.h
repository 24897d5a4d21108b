// Targets of one case that were judged already: lowering pipelines that share their first passes often end in equal modules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/module.h"
#include "oracle/verdict.h"
#include "passes/contract.h"

namespace passdiff {

// What the comparison of values said of a target: nothing if it agrees, with the reasons.
struct JudgedTarget {
  std::uint64_t hash;
  Module target;
  std::string call;  // how it is called, as text
  Numerics numerics;
  bool executes;
  std::optional<Verdict> verdict;
  std::vector<std::string> reasons;
};

class JudgedTargets {
 public:
  // The one that is structurally equal, called in the same way, and held to the same contract; null if there is none.
  const JudgedTarget* find(const Module& target, std::uint64_t hash, const std::string& call, const Contract& contract) const;
  void add(JudgedTarget judged) { judged_.push_back(std::move(judged)); }

 private:
  std::vector<JudgedTarget> judged_;
};

}  // namespace passdiff
