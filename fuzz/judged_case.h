// What became of the cases of one round of a campaign.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fuzz/check_counts.h"
#include "fuzz/drawn_case.h"
#include "fuzz/reduction_queue.h"
#include "fuzz/steering.h"
#include "oracle/check.h"

namespace passdiff {

// Counts of checks, and the cases that are worth keeping.
struct Judged : CheckCounts {
  std::map<std::string, std::int64_t> keys;             // findings, by key
  std::vector<Candidate> candidates;                    // the first of each key
  std::map<std::string, Candidate> first_unconfirmed;   // by key
  FormCounts forms;
};

// Runs the pipelines of a drawn case over it, each in the form that the steering asks for, and adds what is said of them.
void judge_case(Subject& subject, const DrawnCase& drawn, std::uint64_t seed, std::int64_t index, const Steering& steering,
                const CheckOptions& options, Judged& into);

// Adds the counts of `part`, and moves its cases. Of two candidates with one key both are kept.
void add(Judged& sum, Judged part);

}  // namespace passdiff
