// What became of the cases of one round of a campaign.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/campaign/check_counts.h"
#include "fuzz/campaign/reduction_queue.h"
#include "fuzz/campaign/steering.h"
#include "fuzz/cases/coverage.h"
#include "fuzz/cases/drawn_case.h"
#include "oracle/check.h"

namespace passdiff {

// What passes did to a case: for a guided campaign.
struct SeenCase {
  std::int64_t index = 0;
  std::map<std::string, std::int64_t> checks;  // by pass; by ">" and the pass for random pipelines
  Behaviour shown;                             // without what was seen before the round
  std::set<std::string> active;                // the passes that did something, or failed
};

// Under which name the behaviour of a pipeline goes: that of its last pass, with ">" before it if there is more than that pass and what it needs.
std::string behaviour_name(const Subject& subject, const Pipeline& pipeline);

// The features of one check that count as behaviour: of a random pipeline its verdict alone. What it changes is what its passes change; how
// it fails may be its own.
Features behaviour_features(std::string_view name, const Module& source, const Checked& checked);

// Counts of checks, and the cases that are worth keeping.
struct Judged : CheckCounts {
  std::map<std::string, std::int64_t> keys;             // findings, by key
  std::vector<Candidate> candidates;                    // the first of each key
  std::map<std::string, Candidate> first_unconfirmed;   // by key
  FormCounts forms;
  std::vector<SeenCase> seen;   // of a guided campaign
  std::set<Rewrite> rewrites;   // if they are asked for
};

// How the cases of a round are judged.
struct JudgeOptions {
  std::uint64_t seed = 1;
  const Steering& steering;
  CheckOptions check;
  const Behaviour* seen = nullptr;  // what was seen before the round; null: what passes do is not recorded
  bool rewrites = false;
};

// What is spared on most cases is done on some, by their number: FoldConstant's constants by the compiler's own code, types by its inference.
CheckOptions options_of_case(CheckOptions options, std::int64_t index);

// Runs the pipelines of a drawn case over it, each in the form that the steering asks for, and adds what is said of them.
void judge_case(Subject& subject, const DrawnCase& drawn, std::int64_t index, const JudgeOptions& options, Judged& into);

// Adds the counts of `part`, and moves its cases. Of two candidates with one key both are kept.
void add(Judged& sum, Judged part);

// Judges the case and adds what comes of it. If the subject's processes died before they answered, since others may have killed them, it is judged
// again; what is lost then is a case. Adds nothing once `stop` is set: the subject need not have answered. Candidates of keys that are met already are
// left out.
void judge_until_answered(Subject& subject, const DrawnCase& drawn, std::int64_t index, const JudgeOptions& options, const std::atomic<bool>& stop,
                          Judged& into);

}  // namespace passdiff
