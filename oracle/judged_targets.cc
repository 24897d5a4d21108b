#include "oracle/judged_targets.h"

#include <algorithm>
#include <utility>

#include "core/ir/structural.h"
#include "oracle/check_row.h"
#include "oracle/pipeline_contract.h"

namespace passdiff {

const Judgement& JudgedTargets::of(const CheckContext& context, const std::function<Judgement()>& judge) {
  const Contract& contract = context.contract.joined;
  const std::uint64_t hash = structural_hash(*context.target);
  std::string call = to_string(context.plan, context.test.module);
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.hash == hash && entry.numerics == contract.numerics && entry.executes == contract.executes && entry.call == call &&
           structural_equal(entry.target, *context.target);
  });
  if (found != entries_.end()) return found->judgement;
  Judgement judgement = judge();
  return entries_.emplace_back(hash, *context.target, std::move(call), contract.numerics, contract.executes, std::move(judgement)).judgement;
}

}  // namespace passdiff
