#include "fuzz/judged_case.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "oracle/edit.h"
#include "oracle/signature.h"

namespace passdiff {
namespace {

// What a campaign calls a check whose target is as wrong after fewer of the pipeline's passes.
constexpr const char* kShownEarlier = "shown-earlier";

void add(std::map<std::string, std::int64_t>& sum, const std::map<std::string, std::int64_t>& part) {
  for (const auto& [name, count] : part) sum[name] += count;
}

// Whether what is wrong with a pipeline's target is so, too, after fewer of its passes, which another pipeline of the case runs:
// lowering passes stand one after the other, and the first that errs is the one to blame.
bool shows_earlier(const std::vector<Checked>& checked, const std::vector<Pipeline>& pipelines, std::size_t at) {
  const Verdict& verdict = checked[at].verdict;
  if (!is_finding(verdict.symptom) && verdict.symptom != Symptom::unconfirmed) return false;
  const Pipeline& whole = pipelines[at];
  for (std::size_t i = 0; i < pipelines.size(); ++i) {
    const Verdict& other = checked[i].verdict;
    const bool alike = other.symptom == verdict.symptom && other.site == verdict.site;
    const bool shorter = pipelines[i].size() < whole.size() && std::equal(pipelines[i].begin(), pipelines[i].end(), whole.begin());
    if (alike && shorter) return true;
  }
  return false;
}

// One pipeline of a drawn case.
struct Shown {
  const DrawnCase& drawn;
  std::size_t pipeline;
  std::int64_t index;
  const std::string& origin;

  Candidate candidate(Verdict verdict) const {
    return {index, drawn.test, drawn.pipelines[pipeline], std::move(verdict), {}, origin};
  }
};

// Keeps a case that shows a finding. Each job keeps one for each key; of those that the jobs keep, the reduction queue chooses.
void keep(Checked& checked, const Shown& shown, Judged& into) {
  if (into.keys[key_of(checked.verdict)]++ > 0) return;
  Candidate candidate = shown.candidate(std::move(checked.verdict));
  if (candidate.verdict.arguments)
    candidate.test.arguments = *std::exchange(candidate.verdict.arguments, std::nullopt);
  if (checked.target && candidate.pipeline.size() == 1) candidate.edit = edit_between(candidate.test.module, *checked.target);
  into.candidates.push_back(std::move(candidate));
}

void count(Checked& checked, const Shown& shown, Judged& into) {
  Verdict& verdict = checked.verdict;
  switch (verdict.symptom) {
    case Symptom::agree:
      return;
    case Symptom::inconclusive:
      ++into.inconclusive;
      return;
    case Symptom::unsettled:
      ++into.unsettled[verdict.culprit];
      return;
    case Symptom::rejected:
      ++into.rejected[verdict.culprit];
      return;
    case Symptom::unconfirmed:
      if (into.unconfirmed[key_of(verdict)]++ == 0) into.first_unconfirmed.emplace(key_of(verdict), shown.candidate(verdict));
      return;
    default:
      break;
  }
  if (is_finding(verdict.symptom)) {
    keep(checked, shown, into);
    return;
  }
  ++into.discarded[std::string(symptom_name(verdict.symptom))];
  if (verdict.symptom == Symptom::unsupported) ++into.unsupported[verdict.site.empty() ? verdict.detail : verdict.site];
}

}  // namespace

void judge_case(Subject& subject, const DrawnCase& drawn, std::int64_t index, const std::string& origin,
                const CheckOptions& options, Judged& into) {
  std::vector<Checked> checked = check(subject, drawn.test, drawn.pipelines, options);
  std::vector<bool> earlier;  // found out before verdicts are moved from
  for (std::size_t i = 0; i < checked.size(); ++i) earlier.push_back(shows_earlier(checked, drawn.pipelines, i));
  for (std::size_t i = 0; i < checked.size(); ++i) {
    ++into.checks;
    ++into.checks_by_pass[drawn.pipelines[i].back().name];
    into.seconds_in_passes += checked[i].seconds_in_pass;
    if (earlier[i]) {
      ++into.discarded[kShownEarlier];
    } else {
      count(checked[i], {drawn, i, index, origin}, into);
    }
  }
}

void add(Judged& sum, Judged part) {
  sum.checks += part.checks;
  sum.seconds_in_passes += part.seconds_in_passes;
  sum.inconclusive += part.inconclusive;
  add(sum.discarded, part.discarded);
  add(sum.unsupported, part.unsupported);
  add(sum.rejected, part.rejected);
  add(sum.unsettled, part.unsettled);
  add(sum.unconfirmed, part.unconfirmed);
  add(sum.checks_by_pass, part.checks_by_pass);
  add(sum.keys, part.keys);
  std::move(part.candidates.begin(), part.candidates.end(), std::back_inserter(sum.candidates));
  for (auto& [key, candidate] : part.first_unconfirmed) {
    const auto [found, inserted] = sum.first_unconfirmed.try_emplace(key, candidate);
    if (!inserted && candidate.index < found->second.index) found->second = std::move(candidate);
  }
}

}  // namespace passdiff
