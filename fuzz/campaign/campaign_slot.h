// The place of one campaign among those that share a folder of findings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "fuzz/campaign/campaign_state.h"

namespace passdiff {

// A lock on a file, which ends with the process that holds it, however that ends.
class FileLock {
 public:
  FileLock() = default;
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  // Makes the file if there is none, with its folder. A lock that is not held if another one holds it; fails with case.write.
  static Result<FileLock> try_lock(const std::filesystem::path& file);
  bool held() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

// Each of the campaigns in a folder keeps its state, its events and its report in files of its own: state.json, state-2.json, ...
class CampaignSlot {
 public:
  // The place whose state is of this campaign, if no process holds it; else the first that no process holds and where nothing is to be
  // gone on with. Fails with case.write.
  static Result<CampaignSlot> take(const std::filesystem::path& folder, const CampaignIdentity& identity);

  // The state to go on from, if there is one.
  const std::optional<CampaignState>& state() const { return state_; }
  // "state.json" -> FOLDER/state.json, or FOLDER/state-2.json.
  std::filesystem::path file(std::string_view name) const;
  // Where the cases begin: at 0, unless a campaign with the same seed and passes was running when this one was started. Then each has its own.
  std::int64_t first_case() const { return first_case_; }
  std::int64_t end_case() const;
  // Whether no process holds an earlier place: it is the one to take up what waits for reduction.
  bool is_first() const { return is_first_; }
  // Whether another process runs a campaign in this folder now.
  bool is_shared() const;

 private:
  std::filesystem::path folder_;
  int number_ = 1;
  FileLock lock_;
  std::optional<CampaignState> state_;
  std::int64_t first_case_ = 0;
  bool is_first_ = true;
};

}  // namespace passdiff
