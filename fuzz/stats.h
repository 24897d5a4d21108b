// Statistics of generation: what cases are made of, and what passes do with them.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/gen/census.h"
#include "fuzz/campaign/campaign.h"

namespace passdiff {

struct PassStats {
  std::int64_t drawn_for =
      0;  // cases for which an idiom of the pass was drawn; if it has none, those that it was given
  std::int64_t given = 0;    // cases that it ran on, after the passes that it needs
  std::int64_t changed = 0;  // of these: its target is not what they made
  std::int64_t changed_of_drawn_for = 0;
  std::int64_t refused = 0;    // the pass threw, or died
  std::int64_t undecided = 0;  // no verdict on the target, but for the next line
  std::int64_t unreadable =
      0;  // the target cannot be held here; it would be judged by running it, which statistics do not
  // The behaviour features (coverage.h) of all changes: so many ways.
  std::set<std::uint64_t> ways;
  std::map<std::string, std::int64_t> symptoms;

  void add(const PassStats& other);
  double share() const;  // changed_of_drawn_for / drawn_for; changed / given where no case was drawn for the pass
};

// What a pass must reach in the statistics, or it is driven in vain.
inline constexpr double kLeastShare = 0.1;
inline constexpr std::size_t kLeastWays = 20;

struct Stats {
  std::int64_t cases = 0;
  Census census;
  Census::Counts idioms;  // made, by name; those that never were, too
  std::map<std::string, PassStats> passes;

  void add(const Stats& other);
};

struct StatsOptions {
  std::vector<std::string> passes;  // empty: every pass that can be driven
  std::uint64_t seed = 1;
  std::int64_t cases = 1000;
  int jobs = 1;
};

// Draws cases as a campaign of this seed does, and runs the passes over them. Nothing is compiled, no finding is kept. The results do
// not depend on the number of jobs unless `stop` is set. Fails as run_campaign does.
Result<Stats> measure_stats(const MakeSubject& make_subject, const StatsOptions& options,
                            const std::atomic<bool>& stop);

// For people, and one line of JSON.
std::string table(const Stats& stats);
std::string json_line(const Stats& stats);

}  // namespace passdiff
