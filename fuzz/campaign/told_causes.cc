#include "fuzz/campaign/told_causes.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "core/ir/module.h"
#include "fuzz/campaign/ranking.h"
#include "oracle/findings/finding.h"

namespace passdiff {

void ToldCauses::tell(const MetCause& met, const std::string& key) {
  const std::string name = name_of(met.alone);  // as its folder's, whatever has joined it
  if (ignored_.contains(met.folder.filename().string()) || ignored_.contains(name)) return;
  std::set<std::string>& keys = keys_[met.folder];
  const bool told = !keys.empty();
  keys.insert(key);
  if (told) return;
  const Verdict& verdict = met.finding.checked.verdict;
  bugs_.push_back({.name = name,
                   .cause = met.alone,
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
  // By folder first, as index.md takes them, so that what is equal stands in one order there and here; and each as its folder tells it.
  std::ranges::sort(bugs_, [](const DistinctBug& a, const DistinctBug& b) { return std::tie(a.known, a.folder) < std::tie(b.known, b.folder); });
  std::vector<DistinctBug> in_order;
  for (const bool known : {false, true}) {
    std::vector<const DistinctBug*> bugs;
    for (const DistinctBug& bug : bugs_) {
      if (bug.known == known) bugs.push_back(&bug);
    }
    std::vector<Ranked> ranked;
    for (const DistinctBug* bug : bugs) ranked.push_back({&bug->cause, in_default_pipeline(subject, bug->cause)});
    for (const std::size_t i : passdiff::rank(ranked)) in_order.push_back(*bugs[i]);
  }
  bugs_ = std::move(in_order);
  for (DistinctBug& bug : bugs_) {
    for (const std::string& key : keys_[bug.folder]) bug.count += queue.count_of(key);
    for (const MetCause& met : causes) {
      const bool same = met.folder == bug.folder && met.finding.cause.symptom == bug.symptom;  // a known cause may have several looks
      if (same) bug.cause = met.finding.cause;
    }
  }
}

}  // namespace passdiff
