#include "fuzz/campaign/judged_case.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "oracle/edit.h"
#include "oracle/findings/signature.h"

namespace passdiff {
namespace {

// What a campaign calls a check whose target is as wrong after fewer of the pipeline's passes, or after one of them alone.
constexpr const char* kShownEarlier = "shown-earlier";

// How often a case is judged if the compiler's process dies before it answers.
constexpr int kMostAttempts = 3;

// On one case in so many, constants that a pass folds come from the compiler's own code.
constexpr std::int64_t kCompiledConstantsOneIn = 64;

// On one case in so many, the compiler infers the types of source and target to hold the declared ones against them. Our own checker does so for
// every target.
constexpr std::int64_t kInferredTypesOneIn = 16;

bool begins_with(const Pipeline& whole, const Pipeline& part) {
  return part.size() < whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

// Whether what is wrong with a pipeline's target is so, too, after fewer of its passes, which another pipeline of the case runs: lowering passes
// stand one after the other, and the first that errs is the one to blame. Or whether it may be, since nothing is known of the values there.
bool shows_earlier(const std::vector<Checked>& checked, const std::vector<Pipeline>& pipelines, std::size_t at) {
  const Verdict& verdict = checked[at].verdict;
  if (!is_finding(verdict.symptom) && verdict.symptom != Symptom::unconfirmed) return false;
  const Pipeline& whole = pipelines[at];
  for (std::size_t i = 0; i < pipelines.size(); ++i) {
    const Verdict& other = checked[i].verdict;
    const bool alike = other.symptom == verdict.symptom && other.site == verdict.site;
    if ((alike || keeps_values_from_being_judged(other, verdict)) && begins_with(whole, pipelines[i])) return true;
  }
  return false;
}

// Whether the subject gave no answer at all: its own errors have codes that begin so.
bool is_lost(const Verdict& verdict) {
  return verdict.symptom == Symptom::unsupported && verdict.site.starts_with("subject.");
}

// Whether nothing can be said of a failing pipeline, since one that it begins with gave no answer: that may be the one that errs.
bool begins_with_a_lost_one(const std::vector<Checked>& checked, const std::vector<Pipeline>& pipelines, std::size_t at) {
  const Symptom symptom = checked[at].verdict.symptom;
  if (!is_finding(symptom) && symptom != Symptom::unconfirmed) return false;
  for (std::size_t i = 0; i < pipelines.size(); ++i) {
    if (is_lost(checked[i].verdict) && begins_with(pipelines[at], pipelines[i])) return true;
  }
  return false;
}

// The pipelines that the failing ones of a case begin with, as far as the case does not run them: LegalizeOps, say, which the case runs with
// other options than the passes after it need.
std::vector<Pipeline> further_prefixes(const std::vector<Checked>& checked, const std::vector<Pipeline>& pipelines) {
  std::vector<Pipeline> prefixes;
  const auto is_among = [](const Pipeline& one, const std::vector<Pipeline>& all) { return std::find(all.begin(), all.end(), one) != all.end(); };
  for (std::size_t i = 0; i < pipelines.size(); ++i) {
    const Symptom symptom = checked[i].verdict.symptom;
    if ((!is_finding(symptom) && symptom != Symptom::unconfirmed) || shows_earlier(checked, pipelines, i)) continue;
    for (std::size_t length = 1; length < pipelines[i].size(); ++length) {
      Pipeline prefix(pipelines[i].begin(), pipelines[i].begin() + static_cast<std::ptrdiff_t>(length));
      if (!is_among(prefix, pipelines) && !is_among(prefix, prefixes)) prefixes.push_back(std::move(prefix));
    }
  }
  return prefixes;
}

// One pipeline on a case.
struct ShownFinding {
  const TestCase& test;
  const Pipeline& pipeline;
  std::int64_t index;
  const std::string& origin;

  Candidate candidate(Verdict verdict) const { return {index, test, pipeline, std::move(verdict), {}, origin}; }
};

// Keeps a case that shows a finding. Each job keeps one for each key; of those that the jobs keep, the reduction queue chooses.
void keep(Checked& checked, const ShownFinding& shown, Judged& into) {
  if (into.keys[key_of(checked.verdict)]++ > 0) return;
  Candidate candidate = shown.candidate(std::move(checked.verdict));
  if (candidate.verdict.arguments)
    candidate.test.arguments = *std::exchange(candidate.verdict.arguments, std::nullopt);
  if (checked.target && candidate.pipeline.size() == 1) candidate.edit = edit_between(candidate.test.module, *checked.target);
  into.candidates.push_back(std::move(candidate));
}

void count(Checked& checked, const ShownFinding& shown, Judged& into) {
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
  if (verdict.symptom != Symptom::unsupported) return;
  // A source that the subject refuses, or a type on which it disagrees, is a fault of this side or of that: the case is kept.
  if (into.unsupported[verdict.site.empty() ? verdict.detail : verdict.site]++ == 0)
    into.first_unconfirmed.emplace(key_of(verdict), shown.candidate(verdict));
}

// Whether nothing can be said of a target, though the source has a meaning.
bool is_undecided(const Verdict& verdict) {
  const Symptom symptom = verdict.symptom;
  if (verdict.contradiction) return false;  // all else is judged
  return symptom == Symptom::inconclusive || symptom == Symptom::unsettled || symptom == Symptom::unconfirmed ||
         symptom == Symptom::unsupported || symptom == Symptom::limit;
}

// Records what the pipelines did to a case.
void record(const Subject& subject, const Module& source, const std::vector<Pipeline>& pipelines, const std::vector<Checked>& checked,
            const JudgeOptions& options, Judged& into) {
  for (std::size_t i = 0; i < checked.size(); ++i) {
    if (is_lost(checked[i].verdict)) continue;
    if (options.rewrites) collect_rewrites(pipelines[i], source, checked[i], into.rewrites);
    if (options.seen == nullptr) continue;
    const std::string name = behaviour_name(subject, pipelines[i]);
    ++into.seen.back().checks[name];
    if (!checked[i].unchanged || checked[i].verdict.symptom != Symptom::agree) into.seen.back().active.insert(name);
    const auto known = options.seen->find(name);
    for (const std::uint16_t feature : behaviour_features(name, source, checked[i])) {
      const bool old = known != options.seen->end() && known->second.contains(feature);
      if (!old) into.seen.back().shown[name].insert(feature);
    }
  }
}

// Whether one of the passes of a random pipeline that failed fails alike alone; that is a finding of its own, and is counted.
bool shows_alone(Subject& subject, const ShownFinding& shown, const Verdict& verdict, const CheckOptions& options, Judged& into) {
  std::vector<Pipeline> alone;
  for (const PassCall& call : shown.pipeline) {
    Pipeline one;
    const Pass* pass = find_pass(subject, call.name);
    for (std::string_view needed : pass->contract.needs) one.push_back({std::string(needed), "{}"});
    one.push_back(call);
    if (std::find(alone.begin(), alone.end(), one) == alone.end()) alone.push_back(std::move(one));
  }
  std::vector<Checked> checked = check(subject, shown.test, alone, options);
  const auto alike = std::find_if(checked.begin(), checked.end(), [&](const Checked& one) {
    return one.verdict.symptom == verdict.symptom && one.verdict.site == verdict.site;
  });
  if (alike == checked.end()) return false;
  keep(*alike, {shown.test, alone[static_cast<std::size_t>(alike - checked.begin())], shown.index, shown.origin}, into);
  return true;
}

// Runs the pipelines over the case in one form.
void judge_form(Subject& subject, const TestCase& test, Plainer form, std::vector<Pipeline> pipelines, std::int64_t index,
                const std::string& origin, const JudgeOptions& options, Judged& into) {
  std::vector<Checked> checked = check(subject, test, pipelines, options.check);
  record(subject, test.module, pipelines, checked, options, into);
  const std::size_t drawn = pipelines.size();
  if (std::vector<Pipeline> prefixes = further_prefixes(checked, pipelines); !prefixes.empty()) {
    std::ranges::move(check(subject, test, prefixes, options.check), std::back_inserter(checked));
    std::ranges::move(prefixes, std::back_inserter(pipelines));
  }
  std::vector<bool> earlier, lost;  // found out before verdicts are moved from
  for (std::size_t i = 0; i < checked.size(); ++i) {
    earlier.push_back(shows_earlier(checked, pipelines, i));
    lost.push_back(is_lost(checked[i].verdict) || (!earlier[i] && begins_with_a_lost_one(checked, pipelines, i)));
  }
  for (std::size_t i = drawn; i < checked.size(); ++i) {
    if (!lost[i] && is_finding(checked[i].verdict.symptom) && !earlier[i])
      keep(checked[i], {test, pipelines[i], index, origin}, into);
  }
  for (std::size_t i = 0; i < drawn; ++i) {
    const std::string& pass = pipelines[i].back().name;
    if (lost[i]) {
      ++into.lost;
      continue;
    }
    ++into.checks;
    ++into.checks_by_pass[pass];
    if (checked[i].target || checked[i].unreadable) ++into.changed_by_pass[pass];
    if (is_undecided(checked[i].verdict)) ++into.undecided_by_pass[pass];
    into.seconds_by_pass[pass] += checked[i].seconds_in_pass;
    FormCount& counted = into.forms[pass].at(static_cast<std::size_t>(form));
    ++counted.checks;
    const ShownFinding shown{test, pipelines[i], index, origin};
    const bool random = is_finding(checked[i].verdict.symptom) && behaviour_name(subject, pipelines[i]).starts_with('>');
    if (earlier[i] || (random && shows_alone(subject, shown, checked[i].verdict, options.check, into))) {
      ++into.discarded[kShownEarlier];
      continue;
    }
    counted.findings += is_finding(checked[i].verdict.symptom) ? 1 : 0;
    count(checked[i], shown, into);
  }
}

}  // namespace

std::string behaviour_name(const Subject& subject, const Pipeline& pipeline) {
  const std::string& last = pipeline.back().name;
  const Pass* pass = find_pass(subject, last);
  const bool alone = pass != nullptr && pipeline.size() == 1 + pass->contract.needs.size();
  return alone ? last : ">" + last;
}

Features behaviour_features(std::string_view name, const Module& source, const Checked& checked) {
  Features features = features_of(source, checked);
  if (name.starts_with('>')) std::erase_if(features, [](std::uint16_t number) { return number >= kVerdictFeatures; });
  return features;
}

CheckOptions options_of_case(CheckOptions options, std::int64_t index) {
  options.interprets_constants = index % kCompiledConstantsOneIn != 0;
  options.trusts_types = index % kInferredTypesOneIn != 0;
  return options;
}

void judge_case(Subject& subject, const DrawnCase& drawn, std::int64_t index, const JudgeOptions& given, Judged& into) {
  JudgeOptions options = given;
  options.check = options_of_case(options.check, index);
  const double seconds_before = subject.seconds_in_passes();
  if (options.seen != nullptr) into.seen.push_back({.index = index, .checks = {}, .shown = {}, .active = {}});
  std::map<Plainer, std::vector<Pipeline>> by_form;
  for (const Pipeline& pipeline : drawn.pipelines)
    by_form[options.steering.form_for(pipeline.back().name, options.seed, index)].push_back(pipeline);
  for (const auto& [form, pipelines] : by_form) {
    std::string origin = drawn.origin;
    const std::optional<TestCase> plain = make_plainer(drawn.test, form);
    if (plain) origin += fmt::format(", {}", plainer_name(form));
    judge_form(subject, plain ? *plain : drawn.test, form, pipelines, index, origin, options, into);
  }
  into.seconds_in_passes += subject.seconds_in_passes() - seconds_before;
}

void add(Judged& sum, Judged part) {
  add(static_cast<CheckCounts&>(sum), part);
  for (const auto& [key, count] : part.keys) sum.keys[key] += count;
  std::move(part.candidates.begin(), part.candidates.end(), std::back_inserter(sum.candidates));
  std::move(part.seen.begin(), part.seen.end(), std::back_inserter(sum.seen));
  sum.rewrites.merge(part.rewrites);
  add(sum.forms, part.forms);
  for (auto& [key, candidate] : part.first_unconfirmed) {
    const auto [found, inserted] = sum.first_unconfirmed.try_emplace(key, candidate);
    if (!inserted && candidate.index < found->second.index) found->second = std::move(candidate);
  }
}

void judge_until_answered(Subject& subject, const DrawnCase& drawn, std::int64_t index, const JudgeOptions& options, const std::atomic<bool>& stop,
                          Judged& into) {
  Judged judged;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    judged = {};
    judge_case(subject, drawn, index, options, judged);
    if (judged.lost == 0 || stop) break;
  }
  if (stop) return;
  std::erase_if(judged.candidates, [&](const Candidate& candidate) { return into.keys.contains(key_of(candidate.verdict)); });
  add(into, std::move(judged));
}

}  // namespace passdiff
