#include "fuzz/campaign/disk_bound.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

#include "fuzz/campaign/corpus.h"
#include "fuzz/campaign/index.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;

// Nothing takes so long to write.
constexpr std::chrono::minutes kWriteTime(10);

// Something that may be removed as a whole.
struct Item {
  int order = 0;         // of its folder
  std::size_t use = 0;   // what it showed
  fs::file_time_type time;
  fs::path path;
  std::uintmax_t bytes = 0;
};

// The bytes of a file, or of all files below a folder. Other processes may remove them meanwhile.
std::uintmax_t bytes_of(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    const std::uintmax_t size = fs::file_size(path, error);
    return error ? 0 : size;
  }
  std::uintmax_t sum = 0;
  for (fs::recursive_directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (!at->is_regular_file(ignored)) continue;
    const std::uintmax_t size = at->file_size(ignored);
    if (!ignored) sum += size;
  }
  return sum;
}

void collect(const fs::path& folder, int order, std::vector<Item>& items) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    items.push_back({.order = order, .use = 0, .time = at->last_write_time(ignored), .path = at->path(), .bytes = bytes_of(at->path())});
  }
}

}  // namespace

std::uintmax_t keep_within(std::uintmax_t bytes, const fs::path& findings, const fs::path& corpus) {
  enum : int { kUnconfirmed, kCorpus, kWaiting };
  std::vector<Item> items;
  collect(findings / kUnconfirmedFolder, kUnconfirmed, items);
  collect(corpus, kCorpus, items);
  collect(findings / kWaitingFolder, kWaiting, items);
  std::uintmax_t sum = 0;
  for (const Item& item : items) sum += item.bytes;
  if (sum <= bytes) return sum;
  for (Item& item : items) {
    if (item.order != kCorpus) continue;
    if (const auto entry = read_entry(item.path)) item.use = count_features(entry->first);
  }
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return std::tie(a.order, a.use, a.time, a.path) < std::tie(b.order, b.use, b.time, b.path);
  });
  for (const Item& item : items) {
    if (sum <= bytes) break;
    std::error_code ignored;  // what cannot be removed is tried again
    fs::remove_all(item.path, ignored);
    if (!fs::exists(item.path, ignored)) sum -= item.bytes;
  }
  return sum;
}

void remove_partial(const fs::path& findings, const fs::path& corpus) {
  const fs::file_time_type latest = fs::file_time_type::clock::now() - kWriteTime;
  for (const fs::path& folder : {findings, findings / kUnconfirmedFolder, findings / kWaitingFolder, corpus}) {
    std::vector<Item> items;
    collect(folder, 0, items);
    for (const Item& item : items) {
      std::error_code ignored;  // what stays is removed another time
      if (item.path.extension() == ".partial" && item.time < latest) fs::remove_all(item.path, ignored);
    }
  }
}

}  // namespace passdiff
