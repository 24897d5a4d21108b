#include "fuzz/campaign/corpus.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <xxhash.h>

#include "core/documents/files.h"
#include "oracle/report_format.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kSuffix = ".input.json";
// A file that is larger is none of ours.
constexpr std::uintmax_t kLargestFile = 1 << 20;

std::string hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::optional<std::vector<std::uint8_t>> bytes_of(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::vector<std::uint8_t> bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char* const begin = text.data() + 2 * i;
    const auto [end, error] = std::from_chars(begin, begin + 2, bytes[i], 16);
    if (error != std::errc() || end != begin + 2) return std::nullopt;
  }
  return bytes;
}

std::optional<CorpusEntry> entry_from(const json& document) {
  auto input = bytes_of(document.at("input").get_ref<const std::string&>());
  if (!input) return std::nullopt;
  CorpusEntry entry{.kind = document.at("kind").get<std::string>(), .input = *std::move(input), .first = {},
                    .active = {}, .seed = document.at("seed").get<std::uint64_t>(), .index = document.at("case").get<std::int64_t>()};
  document.at("first").get_to(entry.first);
  document.at("active").get_to(entry.active);
  for (auto& [pass, numbers] : entry.first) std::erase_if(numbers, [](std::uint16_t number) { return number >= kFeaturesOfAPass; });
  return entry;
}

}  // namespace

std::string CorpusEntry::name() const {
  const std::string from = fmt::format("{} {} {}", kind, seed, index);
  return fmt::format("{:016x}", XXH3_64bits_withSeed(input.data(), input.size(), XXH3_64bits(from.data(), from.size())));
}

std::optional<CorpusEntry> read_entry(const fs::path& file) {
  std::error_code error;
  if (const auto size = fs::file_size(file, error); error || size > kLargestFile) return std::nullopt;
  const json document = json::parse(text_of(file), nullptr, false);
  if (!document.is_object()) return std::nullopt;
  try {
    return entry_from(document);
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

std::optional<Error> write_entry(const CorpusEntry& entry, const fs::path& folder) {
  const json document = {{"format", kReportFormat}, {"kind", entry.kind},   {"seed", entry.seed},
                         {"case", entry.index},     {"first", entry.first}, {"active", entry.active},
                         {"input", hex(entry.input)}};
  return write_whole(folder / (entry.name() + kSuffix), document.dump() + "\n");
}

std::vector<fs::path> entry_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().ends_with(kSuffix)) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Behaviour unseen(const Behaviour& shown, const Behaviour& seen) {
  Behaviour fresh;
  for (const auto& [pass, numbers] : shown) {
    const auto known = seen.find(pass);
    for (const std::uint16_t number : numbers) {
      if (known == seen.end() || !known->second.contains(number)) fresh[pass].insert(number);
    }
  }
  return fresh;
}

void add(Behaviour& sum, const Behaviour& part) {
  for (const auto& [pass, numbers] : part) sum[pass].insert(numbers.begin(), numbers.end());
}

std::size_t count_features(const Behaviour& behaviour) {
  std::size_t count = 0;
  for (const auto& [pass, numbers] : behaviour) count += numbers.size();
  return count;
}

void Corpus::read() {
  std::vector<CorpusEntry> come;
  for (const fs::path& file : entry_files(folder_)) {
    if (!known_files_.insert(file.filename().string()).second) continue;
    std::optional<CorpusEntry> entry = read_entry(file);
    if (entry && entry->kind == kind_) come.push_back(*std::move(entry));
  }
  const auto place = [&](const CorpusEntry& entry) { return std::tuple(entry.seed == seed_, entry.seed, entry.index); };
  std::sort(come.begin(), come.end(), [&](const CorpusEntry& a, const CorpusEntry& b) {
    return std::tuple_cat(place(a), std::tie(a.input)) < std::tuple_cat(place(b), std::tie(b.input));
  });
  for (CorpusEntry& entry : come) {
    entry.first = unseen(entry.first, seen_);
    if (!entry.first.empty()) take_up(std::move(entry));
  }
}

void Corpus::forget(std::int64_t first, std::int64_t end) const {
  for (const fs::path& file : entry_files(folder_)) {
    const std::optional<CorpusEntry> entry = read_entry(file);
    if (!entry || entry->kind != kind_ || entry->seed != seed_ || entry->index < first || entry->index >= end) continue;
    std::error_code ignored;  // an entry that stays is one more to start from
    fs::remove(file, ignored);
  }
}

Result<Behaviour> Corpus::add(std::span<const std::uint8_t> input, const Behaviour& shown, std::int64_t index, const std::set<std::string>& active) {
  Behaviour first = unseen(shown, seen_);
  if (first.empty()) return first;
  CorpusEntry entry{.kind = kind_, .input = {input.begin(), input.end()}, .first = first, .active = active, .seed = seed_, .index = index};
  if (auto error = write_entry(entry, folder_)) return *std::move(error);
  known_files_.insert(entry.name() + kSuffix);
  take_up(std::move(entry));
  return first;
}

void Corpus::take_up(CorpusEntry entry) {
  for (const auto& [pass, numbers] : entry.first) by_pass_[pass].push_back(entries_.size());
  passdiff::add(seen_, entry.first);
  entries_.push_back(std::move(entry));
}

}  // namespace passdiff
