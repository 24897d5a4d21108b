#include "fuzz/campaign.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/ir/module.h"
#include "fuzz/jobs.h"
#include "oracle/finding.h"
#include "oracle/signature.h"

namespace passdiff {
namespace {

// Cases per round. Findings are put in order and written at the end of a round, so a campaign that is killed loses one round.
constexpr std::int64_t kRound = 128;
// After so many reductions of one key in a row that bring no new signature, further cases of the key are only counted.
constexpr int kFruitless = 4;
// Reductions at the end of one round. Candidates beyond these wait for a later one.
constexpr std::size_t kReductionsPerRound = 12;
// What a campaign calls a check whose target is as wrong after fewer of the pipeline's passes.
constexpr const char* kShownEarlier = "shown-earlier";
// Candidates tried in each reduction of what still waits when a bound on time is reached.
constexpr int kLateReductionChecks = 40;
// How long these reductions may last, as a multiple of the campaign's time, its own included.
constexpr double kLateShare = 1.5;

using Clock = std::chrono::steady_clock;

struct Candidate {
  std::int64_t index;
  TestCase test;
  Pipeline pipeline;
  Verdict verdict;
};

// What one job saw in one round.
struct Share {
  std::int64_t checks = 0;
  double seconds_in_passes = 0;
  std::map<std::string, std::int64_t> discarded;
  std::map<std::string, std::int64_t> unsupported;
  std::map<std::string, std::int64_t> rejected;
  std::map<std::string, std::int64_t> unconfirmed;
  std::map<std::string, std::int64_t> checks_by_pass;
  std::int64_t inconclusive = 0;
  std::map<std::string, std::int64_t> unsettled;
  std::map<std::string, std::int64_t> keys;
  std::vector<Candidate> candidates;
  std::map<std::string, Candidate> first_unconfirmed;  // by key
};

void add(std::map<std::string, std::int64_t>& sum, const std::map<std::string, std::int64_t>& part) {
  for (const auto& [name, count] : part) sum[name] += count;
}

struct KeyState {
  std::int64_t count = 0;
  int reductions = 0;
  int fruitless = 0;  // reductions in a row, the last included, that brought no new signature
  std::set<std::string> signatures;
};

class Campaign {
 public:
  Campaign(const CampaignOptions& options, Jobs& jobs, const std::function<void(const Progress&)>& tell,
           const std::atomic<bool>& stop)
      : options_(options), jobs_(jobs), tell_(tell), stop_(stop), start_(Clock::now()) {}

  Result<CampaignResult> run() {
    names_ = TRY(select_passes(jobs_.subject(0), options_.passes));
    load_known();
    while (!finished()) {
      const std::int64_t first = result_.cases;
      std::int64_t count = kRound;
      if (options_.cases) count = std::min(count, *options_.cases - first);
      wait(fuzz_round(first, count));
      if (auto error = jobs_.error()) return *std::move(error);
      result_.cases += count;
      if (auto error = reduce_round(options_.reduce)) return *std::move(error);
      if (auto error = keep_unconfirmed()) return *std::move(error);
      progress("fuzzing");
    }
    if (auto error = reduce_the_rest()) return *std::move(error);
    finish();
    return std::move(result_);
  }

 private:
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  bool finished() const {
    if (stop_) return true;
    if (options_.cases && result_.cases >= *options_.cases) return true;
    return options_.seconds && elapsed() >= *options_.seconds;
  }

  void progress(std::string doing) const {
    Progress now{
        .cases = result_.cases, .checks = result_.checks, .seconds = elapsed(), .doing = std::move(doing)};
    for (const DistinctBug& s : result_.signatures) (s.known ? now.known : now.findings) += 1;
    tell_(now);
  }

  // Replays the tree of known cases: a finding of this campaign is known if one of them has its signature, on this subject in
  // this version.
  void load_known() {
    if (options_.known.empty()) return;
    progress("replaying known findings");
    for (const auto& folder : find_cases(options_.known)) {
      const Result<CaseFolder> content = read_case(folder);
      if (!content || !content->arguments_given) continue;  // a finding has arguments
      CheckOptions quick = options_.check;
      quick.confirm = false;
      quick.sampling = Sampling::every_case();
      const Checked checked = check(jobs_.subject(0), content->test, content->passes, quick);
      if (!is_finding(checked.verdict.symptom)) continue;
      known_.insert(signature_of(checked.verdict, content->test.module, content->test.entry));
      // Where the compiler threw, the throw site names the bug whatever the module: all findings of that key are known.
      if (checked.verdict.stage == Stage::transform && !checked.verdict.site.empty())
        known_.insert(key_of(checked.verdict));
    }
  }
  bool is_known(const Finding& finding) const {
    return known_.contains(finding.signature) || known_.contains(key_of(finding.checked.verdict));
  }

  std::vector<Candidate> fuzz_round(std::int64_t first, std::int64_t count) {
    std::vector<Share> shares(static_cast<std::size_t>(jobs_.count()));
    jobs_.for_each(count, [&](int job, std::int64_t i) {
      // A bound on time may end a round early. A bound on cases never does, so that its results are reproducible.
      if (options_.cases ? static_cast<bool>(stop_) : finished()) return;
      check_case(jobs_.subject(job), first + i, shares[static_cast<std::size_t>(job)]);
    });
    std::vector<Candidate> candidates;
    for (Share& share : shares) {
      result_.checks += share.checks;
      result_.seconds_in_passes += share.seconds_in_passes;
      result_.inconclusive += share.inconclusive;
      add(result_.unsettled, share.unsettled);
      add(result_.discarded, share.discarded);
      add(result_.unsupported, share.unsupported);
      add(result_.rejected, share.rejected);
      add(result_.unconfirmed, share.unconfirmed);
      add(result_.checks_by_pass, share.checks_by_pass);
      for (const auto& [key, n] : share.keys) keys_[key].count += n;
      for (auto& [key, candidate] : share.first_unconfirmed) note_unconfirmed(key, std::move(candidate));
      std::move(share.candidates.begin(), share.candidates.end(), std::back_inserter(candidates));
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      return std::tie(a.index, a.verdict.culprit) < std::tie(b.index, b.verdict.culprit);
    });
    return candidates;
  }

  void check_case(Subject& subject, std::int64_t index, Share& share) const {
    std::vector<const Pass*> passes;
    for (const std::string& name : names_) passes.push_back(find_pass(subject, name));
    const DrawnCase drawn =
        draw_case(options_.seed, static_cast<std::uint64_t>(index), passes, options_.draw);
    CheckOptions quick = options_.check;
    quick.confirm = false;  // confirmed once reduced
    quick.more_arguments = true;
    std::vector<Checked> checked = check(subject, drawn.test, drawn.pipelines, quick);
    std::vector<bool> earlier;  // found out before verdicts are moved from
    for (std::size_t i = 0; i < checked.size(); ++i) earlier.push_back(shows_earlier(checked, drawn.pipelines, i));
    for (std::size_t i = 0; i < checked.size(); ++i) {
      if (!earlier[i]) {
        count(checked[i], index, drawn.test, drawn.pipelines[i], share);
        continue;
      }
      ++share.checks;
      ++share.checks_by_pass[drawn.pipelines[i].back().name];
      ++share.discarded[kShownEarlier];
    }
  }

  // Whether what is wrong with a pipeline's target is so, too, after fewer of its passes, which another pipeline of the case runs: lowering
  // passes stand one after the other, and the first that errs is the one to blame.
  static bool shows_earlier(const std::vector<Checked>& checked, const std::vector<Pipeline>& pipelines, std::size_t at) {
    const Verdict& verdict = checked[at].verdict;
    if (!is_finding(verdict.symptom) && verdict.symptom != Symptom::unconfirmed) return false;
    const Pipeline& whole = pipelines[at];
    for (std::size_t i = 0; i < pipelines.size(); ++i) {
      const Verdict& other = checked[i].verdict;
      const bool alike = other.symptom == verdict.symptom && other.site == verdict.site;
      if (alike && pipelines[i].size() < whole.size() && std::equal(pipelines[i].begin(), pipelines[i].end(), whole.begin())) return true;
    }
    return false;
  }

  static void count(Checked& checked, std::int64_t index, const TestCase& test, const Pipeline& pipeline,
                    Share& share) {
    ++share.checks;
    ++share.checks_by_pass[pipeline.back().name];
    share.seconds_in_passes += checked.seconds_in_pass;
    Verdict& verdict = checked.verdict;
    switch (verdict.symptom) {
      case Symptom::agree:
        return;
      case Symptom::inconclusive:
        ++share.inconclusive;
        return;
      case Symptom::unsettled:
        ++share.unsettled[verdict.culprit];
        return;
      case Symptom::rejected:
        ++share.rejected[verdict.culprit];
        return;
      case Symptom::unconfirmed:
        if (share.unconfirmed[key_of(verdict)]++ == 0)
          share.first_unconfirmed.emplace(key_of(verdict), Candidate{index, test, pipeline, verdict});
        return;
      default:
        break;
    }
    if (!is_finding(verdict.symptom)) {
      ++share.discarded[std::string(symptom_name(verdict.symptom))];
      if (verdict.symptom == Symptom::unsupported) ++share.unsupported[verdict.site.empty() ? verdict.detail : verdict.site];
      return;
    }
    // Each job keeps one case per key for reduction; when the round is joined, the one of the lowest index wins.
    if (share.keys[key_of(verdict)]++ > 0) return;
    TestCase shown = test;
    if (verdict.arguments) shown.arguments = *std::exchange(verdict.arguments, std::nullopt);
    share.candidates.push_back({index, std::move(shown), pipeline, std::move(verdict)});
  }

  // Of the cases with this key the one of the lowest index is kept, so that the number of jobs does not matter.
  void note_unconfirmed(const std::string& key, Candidate candidate) {
    const auto [found, inserted] = unconfirmed_.try_emplace(key, std::nullopt);
    std::optional<Candidate>& first = found->second;
    if (inserted || (first && candidate.index < first->index)) first = std::move(candidate);
  }
  // Writes the unconfirmed cases of this round. Their keys stay in the map, without a case, so that no second case of a key is
  // written.
  std::optional<Error> keep_unconfirmed() {
    for (auto& [key, candidate] : unconfirmed_) {
      if (!candidate) continue;
      TRY(write_unconfirmed(jobs_.subject(0), candidate->test, candidate->pipeline, candidate->verdict,
                            origin_of(*candidate), options_.findings / "unconfirmed"));
      candidate.reset();
    }
    return std::nullopt;
  }

  std::string origin_of(const Candidate& candidate) const {
    return fmt::format("seed {}, case {}", options_.seed, candidate.index);
  }

  // Of the cases with one key the earliest waits, unless the key's last reductions brought nothing new.
  void wait(std::vector<Candidate> candidates) {
    for (Candidate& candidate : candidates) {
      std::string key = key_of(candidate.verdict);
      if (keys_[key].fruitless < kFruitless) waiting_.try_emplace(std::move(key), std::move(candidate));
    }
  }

  // Takes the candidates to reduce now: those of the keys that were reduced least often, in the order of the cases.
  std::vector<Candidate> take_waiting() {
    std::vector<std::tuple<int, std::int64_t, std::string>> order;
    for (const auto& [key, candidate] : waiting_) order.emplace_back(keys_[key].reductions, candidate.index, key);
    std::sort(order.begin(), order.end());
    if (order.size() > kReductionsPerRound) order.resize(kReductionsPerRound);
    std::vector<Candidate> chosen;
    for (const auto& entry : order) chosen.push_back(std::move(waiting_.extract(std::get<std::string>(entry)).mapped()));
    return chosen;
  }

  // So that nothing found stays unreported: candidates of keys of which none has been reduced yet.
  std::optional<Error> reduce_the_rest() {
    std::erase_if(waiting_, [&](const auto& entry) { return keys_[entry.first].reductions > 0; });
    ReduceOptions reduce = options_.reduce;
    if (!options_.cases) reduce.max_checks = std::min(reduce.max_checks, kLateReductionChecks);
    const auto may_go_on = [&] { return !options_.seconds || elapsed() < kLateShare * *options_.seconds; };
    while (!waiting_.empty() && !stop_ && may_go_on()) {
      if (auto error = reduce_round(reduce)) return error;
    }
    result_.not_reduced = static_cast<std::int64_t>(waiting_.size());
    return keep_unconfirmed();
  }

  std::optional<Error> reduce_round(const ReduceOptions& reduce) {
    const std::vector<Candidate> chosen = take_waiting();
    if (chosen.empty()) return std::nullopt;
    progress(fmt::format("reducing {} finding{}, {} more wait", chosen.size(), chosen.size() == 1 ? "" : "s", waiting_.size()));
    std::vector<std::optional<Finding>> findings(chosen.size());
    std::vector<std::string> unconfirmed(chosen.size());
    jobs_.for_each(static_cast<std::int64_t>(chosen.size()), [&](int job, std::int64_t i) {
      const Candidate& c = chosen[static_cast<std::size_t>(i)];
      findings[static_cast<std::size_t>(i)] =
          make_finding(jobs_.subject(job), c.test, c.pipeline, c.verdict, options_.check, reduce,
                       origin_of(c), &unconfirmed[static_cast<std::size_t>(i)]);
    });
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      KeyState& key = keys_[key_of(chosen[i].verdict)];
      ++key.reductions;
      if (!findings[i]) {
        ++key.fruitless;
        ++result_.unconfirmed[key_of(chosen[i].verdict)];
        Candidate doubtful = chosen[i];
        doubtful.verdict.detail = unconfirmed[i];
        note_unconfirmed(key_of(doubtful.verdict), std::move(doubtful));
        continue;
      }
      if (auto error = keep(*findings[i], key)) return error;
    }
    return std::nullopt;
  }

  std::optional<Error> keep(const Finding& finding, KeyState& key) {
    const bool seen = std::any_of(result_.signatures.begin(), result_.signatures.end(),
                                  [&](const DistinctBug& bug) { return bug.signature == finding.signature; });
    if (!key.signatures.insert(finding.signature).second || seen) {
      ++key.fruitless;
      return std::nullopt;
    }
    key.fruitless = 0;
    const Verdict& verdict = finding.checked.verdict;
    DistinctBug entry{.signature = finding.signature,
                      .pass = verdict.culprit,
                      .check = verdict.check,
                      .symptom = verdict.symptom,
                      .detail = explain(verdict),
                      .bindings = count_bindings(finding.test.module),
                      .known = is_known(finding)};
    entry.folder =
        TRY(write_finding(jobs_.subject(0), finding, options_.findings / (entry.known ? "known" : "")));
    result_.signatures.push_back(std::move(entry));
    return std::nullopt;
  }

  // Cases are counted per key, not per signature, since few of them are reduced: all signatures of a key show the key's count.
  void finish() {
    result_.seconds = elapsed();
    result_.sampling = options_.check.sampling;
    for (DistinctBug& s : result_.signatures) {
      for (const auto& [name, state] : keys_) {
        if (state.signatures.contains(s.signature)) s.count = state.count;
      }
    }
    progress("done");
  }

  const CampaignOptions& options_;
  Jobs& jobs_;
  const std::function<void(const Progress&)>& tell_;
  const std::atomic<bool>& stop_;
  Clock::time_point start_;
  std::vector<std::string> names_;
  std::set<std::string> known_;  // signatures and keys
  std::map<std::string, KeyState> keys_;
  std::map<std::string, Candidate> waiting_;  // by key: to be reduced
  std::map<std::string, std::optional<Candidate>>
      unconfirmed_;  // by key: the case to write, until it is written
  CampaignResult result_;
};

}  // namespace

Result<CampaignResult> run_campaign(const MakeSubject& make_subject, const CampaignOptions& options,
                                    const std::function<void(const Progress&)>& tell,
                                    const std::atomic<bool>& stop) {
  Jobs jobs(options.jobs, make_subject);
  if (auto error = jobs.error()) return *std::move(error);
  return Campaign(options, jobs, tell, stop).run();
}

}  // namespace passdiff
