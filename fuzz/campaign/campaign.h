// A campaign: draws cases from a seed, checks them in any number of jobs, and writes findings to disk.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/result.h"
#include "fuzz/campaign/check_counts.h"
#include "fuzz/campaign/jobs.h"
#include "fuzz/cases/drawn_case.h"
#include "oracle/check.h"
#include "oracle/findings/cause.h"
#include "oracle/reduction/reduce.h"
#include "passes/pass.h"

namespace passdiff {

struct CampaignOptions {
  std::vector<std::string> passes;  // empty: every pass that can be driven
  std::uint64_t seed = 1;
  int jobs = 1;
  std::optional<std::int64_t> cases;            // stop after so many
  std::optional<double> seconds;                // or so long after what is known was replayed; one of the two
  std::optional<std::int64_t> checks;           // and after about so many checks, if that comes first
  // Whether cases are chosen by what earlier ones showed (fuzz/campaign/guided_search.h); else case i is a function of the seed and i.
  bool guided = false;
  std::filesystem::path corpus;                 // of a guided campaign; empty: the folder `corpus` beside the findings
  std::uintmax_t disk = std::uintmax_t{2} << 30;  // the most bytes on disk besides the findings
  bool count_rewrites = false;                  // for measurements
  std::filesystem::path findings = "findings";  // the folder to write to; its unconfirmed/ holds the first case of each
                                                // unconfirmed key
  std::filesystem::path known;                  // a tree of case folders; empty: none
  std::optional<Severity> severity;             // report these alone
  std::set<std::string> ignored;                // names of causes that are not reported
  DrawOptions draw;
  // Says which ops the subject does not take, to be left out of what is drawn; it is asked once, at the beginning. Empty: all are drawn.
  std::function<std::vector<std::string>(Subject&)> refused_ops;
  CheckOptions check = {.sampling = Sampling::of_campaigns()};
  ReduceOptions reduce;
};

// What a campaign tells its caller while it runs: from any of its threads, one at a time.
struct Progress {
  std::int64_t cases = 0;
  std::int64_t checks = 0;
  double seconds = 0;
  int findings = 0;
  int known = 0;
  std::string doing;  // "fuzzing", "reducing 3 findings"
  std::string news;   // a finding that was written just now, in one line; else empty
  std::map<Severity, int> by_severity = {};   // findings
  std::optional<double> last_new = std::nullopt;  // when the last finding was written, in seconds of the campaign; nothing if none was
  int jobs = 1;
  const CheckCounts* counts = nullptr;  // of all rounds that have ended
};

// One cause, by the first finding that showed it.
struct DistinctBug {
  std::string name;  // of the cause (oracle/findings/cause.h)
  Cause cause;
  std::string signature;
  std::string pass;
  std::string check;
  Symptom symptom = Symptom::agree;
  std::string detail;
  std::int64_t count = 0;  // how many cases showed its keys
  int bindings = 0;        // how many the reduced module has
  std::filesystem::path folder;
  bool known = false;
};

struct CampaignResult : CheckCounts {
  std::int64_t cases = 0;
  double seconds = 0;
  int jobs = 1;
  // Keys of findings that still waited for their first reduction when the time was over. Their cases are in the findings' folder
  // `waiting`, where the next campaign takes them up.
  std::int64_t not_reduced = 0;
  Sampling sampling;                    // how often the costly checks were made
  std::vector<DistinctBug> signatures;  // findings, then known ones, each by rank (fuzz/campaign/ranking.h)
  bool subject_gone = false;            // in the last round no subject answered at all
  std::int64_t keys = 0;                // how many keys of findings were met, whether they were reduced or not
  std::int64_t rewrites = 0;            // if they were to be counted
  std::int64_t corpus_entries = 0;      // of a guided campaign
  std::int64_t features = 0;            // which these have shown
  std::vector<std::string> refused_ops;  // which the subject does not take, and were not drawn
  std::int64_t restarts = 0;            // how often subjects were started again because their process had died
};

// Runs a campaign until it reaches its bound, or until `stop` is set: then no subject need answer any more, the cases under way count for nothing,
// and what is being reduced waits again. Cases are checked in rounds. A failing case that a round meets waits,
// unless its verdict alone shows that it has a cause which was met already. A later round reduces it beside its own cases, and writes what comes
// of that at its end, in the order in which the candidates were chosen, so that with a bound on cases results do not depend on the number of
// jobs. A finding is on disk, whole, as soon as that round ends. After the last round what still waits is reduced where no case of its key has
// been, as far as a bound on time allows. The causes that are in the folder of findings already are not written again. Several campaigns may use
// one folder at the same time (fuzz/campaign/campaign_slot.h). Fails with campaign.pass for an unknown pass, with case.write, or as `make_subject` does.
Result<CampaignResult> run_campaign(const MakeSubject& make_subject, const CampaignOptions& options,
                                    const std::function<void(const Progress&)>& tell,
                                    const std::atomic<bool>& stop);

}  // namespace passdiff
