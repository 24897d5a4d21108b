#include "fuzz/campaign/campaign_slot.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace passdiff {
namespace {

namespace fs = std::filesystem;

// A campaign has so many cases at most: `fuzz --cases` takes no more.
constexpr std::int64_t kMostCases = std::int64_t{1} << 40;
// More places than this are an accident: something starts campaigns again and again.
constexpr int kMostSlots = 1000;

fs::path numbered(const fs::path& folder, std::string_view name, int number) {
  if (number == 1) return folder / name;
  const fs::path path(name);
  return folder / fmt::format("{}-{}{}", path.stem().string(), number, path.extension().string());
}

constexpr const char* kLockFile = "campaign.lock";

// Campaigns find out whether others run by taking their locks for a moment: a lock that is held may be free at once.
constexpr int kTries = 3;
constexpr std::chrono::milliseconds kBetweenTries{20};

Result<FileLock> lock_patiently(const fs::path& file) {
  FileLock lock = TRY(FileLock::try_lock(file));
  for (int i = 1; i < kTries && !lock.held(); ++i) {
    std::this_thread::sleep_for(kBetweenTries);
    lock = TRY(FileLock::try_lock(file));
  }
  return lock;
}

}  // namespace

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<FileLock> FileLock::try_lock(const fs::path& file) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return Error{"case.write", fmt::format("{}: {}", file.parent_path().string(), error.message())};
  FileLock lock;
  lock.descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);  // a host process must not keep the lock
  const auto failed = [&] { return Error{"case.write", fmt::format("{}: {}", file.string(), std::strerror(errno))}; };
  if (lock.descriptor_ < 0) return failed();
  if (flock(lock.descriptor_, LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) return failed();
  return FileLock();
}

fs::path CampaignSlot::file(std::string_view name) const {
  return numbered(folder_, name, number_);
}

std::int64_t CampaignSlot::end_case() const {
  return first_case_ + kMostCases;
}

Result<CampaignSlot> CampaignSlot::take(const fs::path& folder, const CampaignIdentity& identity) {
  std::optional<CampaignSlot> free;
  bool twin = false;  // a process runs the same campaign now
  bool first = true;
  for (int number = 1; number <= kMostSlots; ++number) {
    const bool last = !fs::exists(numbered(folder, kLockFile, number));
    CampaignSlot slot;
    slot.folder_ = folder;
    slot.number_ = number;
    slot.is_first_ = first;
    slot.lock_ = TRY(lock_patiently(slot.file(kLockFile)));
    slot.state_ = read_state(slot.file(kStateFile));
    const bool mine = slot.state_ && slot.state_->identity == identity;
    if (!slot.lock_.held()) {
      twin = twin || mine;
      first = false;
    } else if (mine) {
      slot.first_case_ = slot.state_->first_case;
      return slot;
    } else if (!free && (!slot.state_ || slot.state_->finished)) {
      free = std::move(slot);
    }
    if (last && free) break;
  }
  if (!free) return Error{"case.write", folder.string() + ": too many campaigns that were not finished; use another folder"};
  free->state_.reset();
  if (twin) free->first_case_ = free->number_ * kMostCases;
  return *std::move(free);
}

bool CampaignSlot::is_shared() const {
  for (int number = 1; number <= kMostSlots; ++number) {
    const fs::path file = numbered(folder_, kLockFile, number);
    if (!fs::exists(file)) return false;
    if (number == number_) continue;
    const Result<FileLock> lock = FileLock::try_lock(file);
    if (lock && !lock->held()) return true;
  }
  return false;
}

}  // namespace passdiff
