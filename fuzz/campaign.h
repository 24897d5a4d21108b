// A campaign: cases from a seed, checked by any number of jobs, to findings on disk.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "fuzz/drawn_case.h"
#include "oracle/check.h"
#include "oracle/reduce.h"
#include "passes/pass.h"

namespace passdiff {

// Each job owns a subject of its own; called once per job, on the job's thread.
using MakeSubject = std::function<Result<std::unique_ptr<Subject>>()>;

struct CampaignOptions {
  std::vector<std::string> passes;  // empty: every pass that can be driven
  std::uint64_t seed = 1;
  int jobs = 1;
  std::optional<std::int64_t> cases;            // stop after so many
  std::optional<double> seconds;                // or after so long; one of the two
  std::filesystem::path findings = "findings";  // in its folder unconfirmed/ the first case of each such key
  std::filesystem::path known;                  // a tree of case folders; empty: none
  DrawOptions draw;
  CheckOptions check = {.sampling = Sampling::of_campaigns()};
  ReduceOptions reduce;
};

// What is told while it runs.
struct Progress {
  std::int64_t cases = 0;
  std::int64_t checks = 0;
  double seconds = 0;
  int findings = 0;
  int known = 0;
  std::string doing;  // "fuzzing", "reducing 3 findings"
};

// One distinct bug.
struct DistinctBug {
  std::string signature;
  std::string pass;
  std::string check;
  Symptom symptom = Symptom::agree;
  std::string detail;
  std::int64_t count = 0;  // cases that showed its key
  int bindings = 0;        // of the reduced module
  std::filesystem::path folder;
  bool known = false;
};

struct CampaignResult {
  std::int64_t cases = 0;
  std::int64_t checks = 0;
  double seconds = 0;
  double seconds_in_passes = 0;
  std::map<std::string, std::int64_t> discarded;  // by reason: checks that decided nothing
  std::int64_t inconclusive = 0;
  std::map<std::string, std::int64_t> rejected;     // by pass
  std::map<std::string, std::int64_t> unconfirmed;  // by key: seen by the interpreter, not by the machine
  std::map<std::string, std::int64_t> checks_by_pass;
  Sampling sampling;                    // how often the costly checks were made
  std::vector<DistinctBug> signatures;  // findings and known ones, in order of discovery
};

// Runs until its bound, or until `stop` is set. Cases are worked off in rounds; what a round finds is reduced
// and written at its end in the order of the cases, so that results do not depend on the number of jobs. A
// finding is on disk, whole, as soon as its round ends. Fails with campaign.pass for an unknown pass, or as
// `make_subject` does.
Result<CampaignResult> run_campaign(const MakeSubject& make_subject, const CampaignOptions& options,
                                    const std::function<void(const Progress&)>& tell,
                                    const std::atomic<bool>& stop);

}  // namespace passdiff
