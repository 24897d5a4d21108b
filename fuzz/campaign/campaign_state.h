// What a campaign keeps on disk beside its findings, so that it goes on where it was when it is started again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/result.h"
#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/cause_list.h"
#include "fuzz/campaign/guide.h"
#include "fuzz/campaign/reduction_queue.h"
#include "fuzz/campaign/steering.h"

namespace passdiff {

// Which campaign it is: another seed or other passes are another one.
struct CampaignIdentity {
  std::uint64_t seed = 1;
  std::vector<std::string> passes;
  int longest_pipeline = 0;
  std::string subject;  // "tvm 0.27.0.post1"
  bool guided = false;
  bool operator==(const CampaignIdentity&) const = default;
};

// Everything but the findings and the cases that wait, which are folders of their own.
struct CampaignState {
  CampaignIdentity identity;
  std::int64_t first_case = 0;  // where its cases begin (fuzz/campaign/campaign_slot.h)
  std::int64_t next_case = 0;
  std::int64_t checks_before = 0;  // the last round
  bool finished = false;  // it reached its bound; else it was killed
  CampaignResult counts;  // since it was started first; without signatures
  FormCounts forms;
  std::map<std::string, std::set<std::string>> keys_of;  // by folder: the keys under which its cause was met
  // Nothing before the campaign has taken up what was there, and where an earlier version of passdiff wrote the state.
  std::optional<std::vector<GrownCause>> causes;
  ReductionQueue::Counts queue;
  Guide::Counts guide;  // of a guided campaign
};

inline constexpr const char* kStateFile = "state.json";

// Writes it as one file, whole or not at all. Fails with case.write.
std::optional<Error> write_state(const CampaignState& state, const std::filesystem::path& file);
// What is there; nothing if there is no such file, or one that cannot be read.
std::optional<CampaignState> read_state(const std::filesystem::path& file);

// The folders of findings in the order in which a campaign that goes on from this state takes them up: as they were met, then those that the state
// does not tell of. The latter are left out if the rounds that found them are made again, with the same outcome.
std::vector<std::filesystem::path> in_order_of(const CampaignState& state, std::vector<std::filesystem::path> folders, bool made_again);

}  // namespace passdiff
