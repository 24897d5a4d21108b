#include "oracle/judged_targets.h"

#include <algorithm>
#include <utility>

#include "oracle/check_row.h"
#include "oracle/pipeline_contract.h"

namespace passdiff {

std::uint64_t JudgedTargets::hash_of(Target& target) {
  if (!target.known_hash) target.known_hash = hashes_.of(target.module);
  return *target.known_hash;
}

const Judgement& JudgedTargets::of(const CheckContext& context, const std::function<Judgement()>& judge) {
  const Contract& contract = context.contract.joined;
  Target target{*context.target, count_bindings(*context.target)};
  std::string call = to_string(context.plan, context.test.module);
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](Entry& entry) {
    return entry.target.bindings == target.bindings && entry.numerics == contract.numerics && entry.executes == contract.executes &&
           entry.call == call && hash_of(entry.target) == hash_of(target) && structural_equal(entry.target.module, target.module);
  });
  if (found != entries_.end()) return found->judgement;
  Judgement judgement = judge();
  return entries_.emplace_back(std::move(target), std::move(call), contract.numerics, contract.executes, std::move(judgement)).judgement;
}

}  // namespace passdiff
