// The event log of a campaign: lines of JSON, one for each round and for each reduction, in the order in which they ended.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/result.h"
#include "fuzz/campaign/campaign.h"

namespace passdiff {

// What became of a failing case that was reduced.
struct ReductionEvent {
  std::string key;               // of the case (oracle/findings/signature.h)
  double took = 0;               // in seconds
  const char* became = "";       // "finding", "met" where its cause was met before, or "unconfirmed"
  std::filesystem::path folder;  // of the finding, or of the one with the same cause; empty if unconfirmed
};

class EventLog {
 public:
  explicit EventLog(std::filesystem::path file) : file_(std::move(file)) {}

  // A round that has ended: what was counted so far. `features` are those that the passes have shown to a guided campaign. The first line,
  // one in ten minutes and the one that `ends` the campaign also hold the checks of each pass, so that the log of a month stays small. Fails with
  // case.write.
  struct Round {
    double seconds = 0;  // since the campaign began
    std::int64_t findings = 0, known = 0, waiting = 0, features = 0, restarts = 0;
    bool ends = false;
  };
  std::optional<Error> round(const CampaignResult& counts, const Round& round);
  // Fails with case.write.
  std::optional<Error> reduction(double seconds, const ReductionEvent& event) const;

 private:
  std::filesystem::path file_;
  double next_by_pass_ = 0;  // when the checks of each pass are due again
};

}  // namespace passdiff
