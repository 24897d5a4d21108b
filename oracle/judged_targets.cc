#include "oracle/judged_targets.h"

#include <algorithm>
#include <utility>

#include "core/ir/structural.h"

namespace passdiff {

const JudgedTarget* JudgedTargets::find(const Module& target, std::uint64_t hash, const std::string& call, const Contract& contract) const {
  const auto found = std::find_if(judged_.begin(), judged_.end(), [&](const JudgedTarget& judged) {
    return judged.hash == hash && judged.numerics == contract.numerics && judged.executes == contract.executes && judged.call == call &&
           structural_equal(judged.target, target);
  });
  return found == judged_.end() ? nullptr : &*found;
}

}  // namespace passdiff
