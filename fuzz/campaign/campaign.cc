#include "fuzz/campaign/campaign.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/documents/files.h"
#include "fuzz/campaign/campaign_clock.h"
#include "fuzz/campaign/campaign_slot.h"
#include "fuzz/campaign/campaign_state.h"
#include "fuzz/campaign/cause_list.h"
#include "fuzz/campaign/disk_bound.h"
#include "fuzz/campaign/event_log.h"
#include "fuzz/campaign/guided_search.h"
#include "fuzz/campaign/index.h"
#include "fuzz/campaign/jobs.h"
#include "fuzz/campaign/judged_case.h"
#include "fuzz/campaign/reduction_queue.h"
#include "fuzz/campaign/report.h"
#include "fuzz/campaign/round_size.h"
#include "fuzz/campaign/told_causes.h"
#include "fuzz/campaign/unconfirmed_cases.h"
#include "oracle/findings/finding.h"
#include "oracle/findings/signature.h"

namespace passdiff {
namespace {

// While a reduction or one of its cases goes on, a timed guided round draws further cases, up to so many times its size: both may take a minute.
constexpr std::int64_t kLongestRound = 16;
// How often the disk is looked at, in seconds.
constexpr double kDiskInterval = 60;
// Candidates tried in each reduction of what still waits when a bound on time is reached.
constexpr int kLateReductionChecks = 40;
// So many of them at once for each job, so that jobs seldom wait for each other.
constexpr int kLateAtOnce = 4;

using Clock = std::chrono::steady_clock;
// How often a round tells how far it is, at most.
constexpr std::chrono::milliseconds kTick{500};

class Campaign {
 public:
  Campaign(const CampaignOptions& options, Jobs& jobs, const std::function<void(const Progress&)>& tell, const std::atomic<bool>& stop)
      : options_(options), jobs_(jobs), tell_(tell), stop_(stop), clock_(options.seconds), draw_(options.draw), queue_(full_name(jobs.subject(0))) {}

  Result<CampaignResult> run() {
    names_ = TRY(select_passes(jobs_.subject(0), options_.passes));
    draw_.builds = jobs_.subject(0).build_pipelines();
    if (options_.refused_ops) {
      progress("asking which ops the compiler takes");
      draw_.generate.avoid = options_.refused_ops(jobs_.subject(0));
    }
    slot_ = TRY(CampaignSlot::take(options_.findings, identity()));
    log_.emplace(slot_->file(kEventsFile));
    if (options_.guided) guided_.emplace(options_.seed, corpus_folder(), jobs_.subject(0), passes_of(0), draw_, jobs_.count());
    if (auto error = take_up_what_is_there()) return *std::move(error);
    if (!clock_.has_started()) {  // stopped before it began: what is on disk stays as it is
      result_.sampling = options_.check.sampling;
      return std::move(result_);
    }
    while (!finished()) {
      if (auto error = round()) return *std::move(error);
      progress("fuzzing");
    }
    if (auto error = reduce_the_rest()) return *std::move(error);
    if (auto error = finish()) return *std::move(error);
    return std::move(result_);
  }

 private:
  bool finished() const {
    if (stop_) return true;
    if (options_.cases && result_.cases >= *options_.cases) return true;
    if (options_.checks && result_.checks >= *options_.checks) return true;
    return clock_.is_over();
  }

  void progress(std::string doing, std::string news = {}) const {
    Progress now{.cases = result_.cases + round_cases_,
                 .checks = result_.checks + round_checks_,
                 .seconds = clock_.elapsed(),
                 .doing = std::move(doing),
                 .news = std::move(news)};
    for (const DistinctBug& s : result_.signatures) {
      (s.known ? now.known : now.findings) += 1;
      if (!s.known) ++now.by_severity[symptom_info(s.symptom).severity.value_or(Severity::broken_promise)];
    }
    now.last_new = last_new_;
    now.jobs = jobs_.count();
    now.counts = &result_;
    tell_(now);
  }

  // Counts a case that was judged, and tells how far a round is, now and then. Jobs call it after each case.
  void tick(std::int64_t index, std::int64_t checks) {
    const std::lock_guard lock(ticking_);
    ++round_cases_;
    round_end_ = std::max(round_end_, index + 1);
    round_checks_ += checks;
    const auto now = Clock::now();
    if (now < next_tick_) return;
    next_tick_ = now + kTick;
    progress("checking cases");
  }

  std::filesystem::path corpus_folder() const { return options_.corpus.empty() ? options_.findings / kCorpusFolder : options_.corpus; }

  std::vector<const Pass*> passes_of(int job) {
    std::vector<const Pass*> passes;
    for (const std::string& name : names_) passes.push_back(find_pass(jobs_.subject(job), name));
    return passes;
  }

  // Known bugs, and what earlier campaigns with this folder have found or left to do.
  std::optional<Error> take_up_what_is_there() {
    next_case_ = slot_->first_case();
    remove_partial(options_.findings, corpus_folder());
    // At once, so that others that start now see which campaign this is.
    if (!slot_->state()) TRY_VOID(save(false));
    if (std::filesystem::is_directory(options_.known)) replay(find_cases(options_.known), true);
    const bool goes_on = slot_->state() && !slot_->state()->finished;
    // The round that was stopped is made again, and must know no more than it did. A guided one draws other cases, and time may end one early.
    const bool made_again = !options_.guided && !options_.seconds && !slot_->is_shared();
    auto folders = finding_folders(options_.findings);
    take_up(goes_on ? in_order_of(*slot_->state(), std::move(folders), made_again) : std::move(folders));
    if (goes_on) causes_.restore(slot_->state()->causes.value_or(std::vector<GrownCause>()));
    if (stop_) return std::nullopt;  // the subject need not have answered
    clock_.start();
    if (slot_->state()) go_on_from(*slot_->state());
    if (slot_->is_first())
      queue_.load(options_.findings / kWaitingFolder, [&](const Candidate& candidate) { return goes_on || is_asked_for(candidate); });
    return std::nullopt;
  }

  // Whether the campaign is for the pass on which the case failed, and for so severe a failure.
  bool is_asked_for(const Candidate& candidate) const {
    const bool severe = !options_.severity || symptom_info(candidate.verdict.symptom).severity == options_.severity;
    return severe && std::ranges::find(names_, candidate.pipeline.back().name) != names_.end();
  }

  // The findings on disk that are not among the causes yet: of earlier campaigns, and of others that run beside this one.
  void take_up(std::vector<std::filesystem::path> folders) {
    std::erase_if(folders, [&](const std::filesystem::path& folder) { return !replayed_.insert(folder).second; });
    replay(folders, false);
  }

  void replay(std::span<const std::filesystem::path> folders, bool known) {
    std::size_t at = 0;
    causes_.replay(jobs_, folders, known, [&] { progress(fmt::format("replaying what is known, {} of {}", ++at, folders.size())); });
  }

  CampaignIdentity identity() {
    return {options_.seed, names_, options_.draw.longest_pipeline, full_name(jobs_.subject(0)), options_.guided};
  }

  // A campaign that was killed goes on, counts and time included. After one that reached its bound, a bound on time begins anew, with the
  // cases that come next; a bound on cases or checks is the whole campaign's, and where it was reached, the campaign is made again.
  void go_on_from(const CampaignState& state) {
    const bool again = state.finished && ((options_.cases && state.counts.cases >= *options_.cases) ||
                                          (options_.checks && state.counts.checks >= *options_.checks));
    if (again) return;
    next_case_ = state.next_case;
    queue_.restore(state.queue);
    steering_.add(state.forms);
    if (guided_) guided_->restore(state.guide);
    if (state.finished && options_.seconds) return;
    if (guided_) guided_->forget(next_case_, slot_->end_case());
    result_ = state.counts;
    checks_before_ = state.checks_before;
    clock_.go_on_from(state.counts.seconds);
    for (const MetCause& met : causes_.causes()) {
      const auto keys = state.keys_of.find(met.folder.string());
      if (keys == state.keys_of.end()) {
        // Told after the state was written. The cases of its round are drawn again, but others if another process has added to the corpus.
        const bool drawn_again = guided_ && is_guided_case(met.finding.origin, options_.seed, next_case_, slot_->end_case());
        if (drawn_again && !met.known) told_.tell(met, key_of(met.finding.checked.verdict));
        continue;
      }
      for (const std::string& key : keys->second) told_.tell(met, key);
    }
  }

  std::optional<Error> round() {
    if (slot_->is_shared()) take_up(finding_folders(options_.findings));
    const std::int64_t count = cases_of_round(options_, result_, names_.size());
    const std::int64_t checks_before = std::exchange(checks_before_, result_.checks);
    const std::size_t most = reductions_of_round(options_, checks_before, result_.checks, names_.size(), queue_.unseen());
    const std::size_t again = (most + 1) / 2;  // of keys that were reduced before: one in 24 brings a cause, where of others two in three do
    Reductions reductions(queue_.take({most, clock_.waits_left(jobs_.count()), again}), options_.reduce);
    const std::int64_t ran = TRY(fuzz_round(next_case_, count, reductions));
    if (reductions.put_back) checks_before_ = checks_before;
    if (ran == 0) return std::nullopt;
    next_case_ = std::max(next_case_ + count, round_end_);
    result_.cases += ran;
    if (auto error = keep_unconfirmed()) return error;
    if (auto error = save(false)) return error;
    bound_disk();
    return log_round(false);
  }

  void bound_disk() {
    if (clock_.elapsed() < next_look_at_disk_) return;
    next_look_at_disk_ = clock_.elapsed() + kDiskInterval;
    keep_within(options_.disk, options_.findings, corpus_folder());
  }

  // Lines of a campaign that goes on follow those of the one that was killed.
  std::optional<Error> log_round(bool ends) {
    EventLog::Round now{
        .seconds = clock_.elapsed(), .findings = told_.count(false), .known = told_.count(true), .waiting = queue_.waiting(), .ends = ends};
    if (guided_) now.features = static_cast<std::int64_t>(count_features(guided_->seen()));
    now.restarts = result_.restarts + (ends ? 0 : jobs_.restarts());  // the result has them once it ends
    return log_->round(result_, now);
  }

  // Puts all that a campaign needs to go on on disk: first the cases that are new, last what is not needed any more.
  std::optional<Error> save(bool finished) {
    const std::filesystem::path waiting = options_.findings / kWaitingFolder;
    if (auto error = queue_.save(waiting)) return error;
    CampaignState state{.identity = identity(), .first_case = slot_->first_case(), .next_case = next_case_, .checks_before = checks_before_,
                        .finished = finished, .counts = result_, .forms = steering_.counts(), .keys_of = {}, .queue = queue_.counts(),
                        .guide = guided_ ? guided_->counts() : Guide::Counts{}};
    if (clock_.has_started()) state.causes = causes_.grown();
    state.counts.seconds = clock_.elapsed();
    for (const auto& [folder, keys] : told_.keys()) state.keys_of[folder.string()] = keys;
    if (auto error = write_state(state, slot_->file(kStateFile))) return error;
    queue_.forget_taken(waiting);
    return std::nullopt;
  }

  // What reduction makes of candidates: for each a finding, or why it is none.
  struct Reductions {
    Reductions(std::vector<Candidate> candidates, const ReduceOptions& options)
        : how(options), chosen(std::move(candidates)), findings(chosen.size()), unconfirmed(chosen.size()), took(chosen.size()) {}
    ReduceOptions how;
    std::vector<Candidate> chosen;
    std::vector<std::optional<Finding>> findings;
    std::vector<std::string> unconfirmed;
    std::vector<double> took;  // in seconds
    bool put_back = false;     // some candidates wait again, since the campaign was stopped
  };

  // Checks `count` cases from `first` on, beside the reductions, and says how many: fewer where the time was over, more where a reduction or one of the
  // cases went on and nothing bounds their number, so that no job waits. Where cases are bounded, a round that is stopped in the middle counts for
  // nothing, so that the campaign goes on as if it had not been stopped: 0.
  Result<std::int64_t> fuzz_round(std::int64_t first, std::int64_t count, Reductions& reductions) {
    std::vector<Judged> shares(static_cast<std::size_t>(jobs_.count()));
    if (guided_) guided_->begin_round();
    const Behaviour* const seen = guided_ ? &guided_->seen() : nullptr;
    JudgeOptions judging{.seed = options_.seed, .steering = steering_, .check = options_.check, .seen = seen, .rewrites = options_.count_rewrites};
    judging.check.confirm = false;  // confirmed once reduced
    judging.check.more_arguments = true;
    judging.check.cpu_seconds = std::min(judging.check.cpu_seconds, kQuickSeconds);
    const auto to_reduce = static_cast<std::int64_t>(reductions.chosen.size());
    std::atomic<std::int64_t> outstanding = to_reduce + count;
    const std::int64_t most = guided_ && !options_.cases && !options_.checks ? kLongestRound * count : count;
    jobs_.for_each(to_reduce + most, [&](int job, std::int64_t item) {
      if (item < to_reduce) {
        reduce(job, static_cast<std::size_t>(item), reductions);
        --outstanding;
        return;
      }
      const std::int64_t i = item - to_reduce;
      if (i >= count && outstanding == 0) return;
      // A bound on time may end a round early. A bound on cases never does, so that its results are reproducible.
      if (options_.cases ? static_cast<bool>(stop_) : finished()) return;
      const std::vector<const Pass*> passes = passes_of(job);
      const DrawnCase drawn = guided_ ? guided_->draw(job, first + i, passes)
                                      : draw_case(options_.seed, static_cast<std::uint64_t>(first + i), passes, draw_);
      Judged& share = shares[static_cast<std::size_t>(job)];
      const std::int64_t before = share.checks;
      judge_until_answered(jobs_.subject(job), drawn, first + i, judging, stop_, share);
      if (stop_) return;  // the case counts for nothing
      tick(first + i, share.checks - before);
      if (i < count) --outstanding;
    });
    const std::int64_t ran = std::exchange(round_cases_, 0);
    round_checks_ = 0;
    if (auto error = keep(reductions)) return *std::move(error);
    if (options_.cases && ran < count) return 0;
    Judged round;
    for (Judged& share : shares) add(round, std::move(share));
    std::sort(round.candidates.begin(), round.candidates.end(), [](const Candidate& a, const Candidate& b) {
      return std::tie(a.index, a.verdict.culprit) < std::tie(b.index, b.verdict.culprit);
    });
    steering_.add(round.forms);
    rewrites_.merge(round.rewrites);
    count_round(round);
    if (guided_) {
      if (auto error = guided_->learn(std::move(round.seen), jobs_.subject(0), new_keys(round))) return *std::move(error);
    }
    queue_candidates(round);
    return ran;
  }

  // The first candidate of each key that was not met before this round. To be called before the round's are counted.
  std::vector<const Candidate*> new_keys(const Judged& round) const {
    std::vector<const Candidate*> first;
    std::set<std::string> told;
    for (const Candidate& candidate : round.candidates) {
      const std::string key = key_of(candidate.verdict);
      if (queue_.count_of(key) == 0 && told.insert(key).second) first.push_back(&candidate);
    }
    return first;
  }

  void count_round(Judged& round) {
    add(result_, round);
    result_.subject_gone = round.checks == 0 && round.lost > 0;
    for (auto& [key, candidate] : round.first_unconfirmed) unconfirmed_.add(key, std::move(candidate));
  }

  void queue_candidates(Judged& round) {
    for (const auto& [key, n] : round.keys) queue_.count(key, n);
    std::set<std::string> queued;  // the earliest case of each key, so that the number of jobs does not matter
    for (Candidate& candidate : round.candidates) {
      if (!queued.insert(key_of(candidate.verdict)).second) continue;
      if (options_.severity && symptom_info(candidate.verdict.symptom).severity != options_.severity) continue;
      if (const MetCause* met = causes_.fails_alike(candidate.verdict, candidate.test.module)) {
        told_.tell(*met, key_of(candidate.verdict));
      } else {
        queue_.add(std::move(candidate));
      }
    }
  }

  std::optional<Error> keep_unconfirmed() {
    return unconfirmed_.write(jobs_.subject(0), options_.findings / kUnconfirmedFolder);
  }

  // Candidates of keys of which none has been reduced yet, so that nothing stays unreported. What is left waits on disk for the next campaign.
  std::optional<Error> reduce_the_rest() {
    ReduceOptions how = options_.reduce;
    if (options_.seconds) how.max_checks = std::min(how.max_checks, kLateReductionChecks);
    while (queue_.unseen() > 0 && !stop_ && !clock_.is_late()) {
      // Few, so that the time is kept; of passes that hang at least one, so that a short campaign tells of them, too.
      const std::size_t hanging = std::max(clock_.waits_left(jobs_.count()), std::size_t{1});
      Reductions rest(queue_.take_unseen({static_cast<std::size_t>(kLateAtOnce * jobs_.count()), hanging}), how);
      if (rest.chosen.empty()) break;
      progress(fmt::format("reducing {} finding{}, {} more wait", rest.chosen.size(), rest.chosen.size() == 1 ? "" : "s", queue_.unseen()));
      jobs_.for_each(std::ssize(rest.chosen), [&](int job, std::int64_t i) { reduce(job, static_cast<std::size_t>(i), rest); });
      if (auto error = keep(rest)) return error;
    }
    result_.not_reduced = queue_.unseen();
    return keep_unconfirmed();
  }

  // Does a part of a reduction with this subject, and adds its seconds to those that the reduction took.
  void count_reducing(Subject& subject, double& took, const std::function<void()>& work) {
    const Clock::time_point start = Clock::now();
    const double seconds_before = subject.seconds_in_passes();
    work();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    took += seconds;
    const std::lock_guard lock(ticking_);
    result_.seconds_reducing += seconds;
    result_.seconds_in_passes += subject.seconds_in_passes() - seconds_before;
  }

  void reduce(int job, std::size_t i, Reductions& reductions) {
    if (stop_ || clock_.is_late()) return;
    const Candidate& c = reductions.chosen[i];
    Subject& subject = jobs_.subject(job);
    const FindingContext context{.is_known = [this](const Cause& cause) { return causes_.has(cause); }, .unconfirmed = &reductions.unconfirmed[i]};
    count_reducing(subject, reductions.took[i], [&] {
      reductions.findings[i] =
          make_finding(subject, c.test, c.pipeline, c.verdict, options_.check, clock_.reduction_from_now(reductions.how), c.origin, context);
    });
  }

  // Tells what was found, in the order in which the candidates were chosen.
  std::optional<Error> keep(Reductions& reductions) {
    for (std::size_t i = 0; i < reductions.chosen.size(); ++i) {
      Candidate& candidate = reductions.chosen[i];
      const std::string key = key_of(candidate.verdict);
      const MetCause* met = nullptr;
      if (reductions.findings[i] && !stop_)
        count_reducing(jobs_.subject(0), reductions.took[i], [&] { met = met_cause(*reductions.findings[i], reductions.how); });
      // Those that were not tried wait again; once the campaign was stopped all do, since a subject need not have answered what they asked.
      const bool tried = reductions.findings[i] || !reductions.unconfirmed[i].empty();
      reductions.put_back |= stop_;
      if (reductions.put_back || !tried) {
        queue_.add(std::move(candidate));
        continue;
      }
      if (hangs(candidate.verdict.symptom)) clock_.waited(reductions.took[i]);
      queue_.reduced(key, candidate.edit, reductions.findings[i] && met == nullptr);
      ReductionEvent event{.key = key, .took = reductions.took[i], .became = "unconfirmed", .folder = {}};
      if (reductions.findings[i]) {
        event.became = met == nullptr ? "finding" : "met";
        event.folder = TRY(keep(*std::move(reductions.findings[i]), key, met));
      } else {
        ++result_.unconfirmed[key];
        candidate.verdict.detail = reductions.unconfirmed[i];
        unconfirmed_.add(key, std::move(candidate));
      }
      TRY_VOID(log_->reduction(clock_.elapsed(), event));
    }
    return std::nullopt;
  }

  // The finding's cause, if it was met before; else null, with the finding reduced further where that goes.
  const MetCause* met_cause(Finding& finding, const ReduceOptions& reduction) {
    if (const MetCause* met = causes_.find(jobs_.subject(0), finding).cause) return met;
    auto further = reduced_further(jobs_.subject(0), finding, options_.check, clock_.reduction_from_now(reduction));
    if (!further) return nullptr;
    finding = *std::move(further);
    return causes_.find(jobs_.subject(0), finding).cause;
  }

  // A finding whose cause is new is written and told; one whose cause is known or was told by an earlier campaign is told. The folder of the cause.
  Result<std::filesystem::path> keep(Finding finding, const std::string& key, const MetCause* met) {
    if (met == nullptr) {
      const std::filesystem::path folder = TRY(write_finding(jobs_.subject(0), finding, options_.findings));
      replayed_.insert(folder);
      met = &causes_.add(std::move(finding), folder);
      told_.tell(*met, key);
      last_new_ = clock_.elapsed();
      const Verdict& verdict = met->finding.checked.verdict;
      progress("reducing", fmt::format("{} {}: {}: {}", severity_name(verdict.symptom), symptom_name(verdict.symptom),
                                       fmt::join(met->finding.cause.passes, ", "), folder.string()));
      return folder;
    }
    // Of a case that an earlier campaign left to wait, and whose cause is told there: this one has met nothing of the kind.
    if (queue_.count_of(key) > 0) told_.tell(*met, key);
    return met->folder;
  }

  std::optional<Error> finish() {
    result_.seconds = clock_.elapsed();
    result_.jobs = jobs_.count();
    result_.sampling = options_.check.sampling;
    result_.refused_ops = draw_.generate.avoid;
    result_.keys = static_cast<std::int64_t>(queue_.counts().size());
    result_.rewrites = static_cast<std::int64_t>(rewrites_.size());
    if (guided_) {
      result_.corpus_entries = static_cast<std::int64_t>(guided_->corpus().entries().size());
      result_.features = static_cast<std::int64_t>(count_features(guided_->seen()));
    }
    result_.restarts += jobs_.restarts();
    told_.rank(jobs_.subject(0), causes_.causes(), queue_);
    progress("done");
    if (auto error = save(!stop_)) return error;
    if (auto error = log_round(true)) return error;
    if (auto error = write_whole(slot_->file(kCampaignFile), json_line(result_) + "\n")) return error;
    return write_index(options_.findings);
  }

  const CampaignOptions& options_;
  Jobs& jobs_;
  const std::function<void(const Progress&)>& tell_;
  const std::atomic<bool>& stop_;
  CampaignClock clock_;
  DrawOptions draw_;                // those of the options, with the subject's own pipelines
  std::int64_t checks_before_ = 0;  // the last round
  std::int64_t next_case_ = 0;
  std::vector<std::string> names_;
  std::optional<CampaignSlot> slot_;
  std::optional<EventLog> log_;
  std::optional<GuidedSearch> guided_;
  std::set<std::filesystem::path> replayed_;  // folders of findings that are among the causes
  std::set<Rewrite> rewrites_;
  double next_look_at_disk_ = kDiskInterval;
  CauseList causes_;
  ReductionQueue queue_;
  Steering steering_;
  UnconfirmedCases unconfirmed_;
  CampaignResult result_;
  ToldCauses told_{options_.ignored, result_.signatures};
  std::optional<double> last_new_;  // when the last finding was written
  // Of the round that runs, for progress; the jobs add to them.
  std::mutex ticking_;
  std::int64_t round_cases_ = 0;
  std::int64_t round_checks_ = 0;
  std::int64_t round_end_ = 0;  // the case after the last that was judged
  Clock::time_point next_tick_;
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
