#include "fuzz/told_causes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/ir/module.h"
#include "fuzz/ranking.h"
#include "oracle/finding.h"

namespace passdiff {

void ToldCauses::tell(const MetCause& met, const std::string& key) {
  const std::string name = name_of(met.finding.cause);
  if (ignored_.contains(met.folder.filename().string()) || ignored_.contains(name)) return;
  std::set<std::string>& keys = keys_[met.folder];
  const bool told = !keys.empty();
  keys.insert(key);
  if (told) return;
  const Verdict& verdict = met.finding.checked.verdict;
  bugs_.push_back({.name = name,
                   .cause = met.finding.cause,
                   .signature = met.finding.signature,
                   .pass = verdict.culprit,
                   .check = verdict.check,
                   .symptom = verdict.symptom,
                   .detail = explain(verdict),
                   .bindings = count_bindings(met.finding.test.module),
                   .folder = met.folder,
                   .known = met.known});
}

std::int64_t ToldCauses::count(bool known) const {
  return std::count_if(bugs_.begin(), bugs_.end(), [&](const DistinctBug& bug) { return bug.known == known; });
}

void ToldCauses::rank(const Subject& subject, const std::vector<MetCause>& causes, const ReductionQueue& queue) {
  std::vector<Ranked> ranked;
  for (DistinctBug& bug : bugs_) {
    for (const std::string& key : keys_[bug.folder]) bug.count += queue.count_of(key);
    for (const MetCause& met : causes) {
      const bool same = met.folder == bug.folder && met.finding.cause.symptom == bug.symptom;  // a known cause may have several looks
      if (same) bug.cause = met.finding.cause;
    }
    ranked.push_back({&bug.cause, in_default_pipeline(subject, bug.cause)});
  }
  std::vector<DistinctBug> in_order;
  for (const std::size_t i : passdiff::rank(ranked)) in_order.push_back(bugs_[i]);
  bugs_ = std::move(in_order);
}

}  // namespace passdiff
