// The corpus of a guided campaign: the inputs that were the first to show a behaviour of a pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "fuzz/cases/coverage.h"

namespace passdiff {

struct CorpusEntry {
  std::string kind;                 // what the input makes cases for: "tvm 0.27.0.post1, graph"
  std::vector<std::uint8_t> input;  // bytes of choices (fuzz/cases/mutate.h)
  Behaviour first;                  // what it was the first to show
  std::set<std::string> active;     // the passes that did something to its module, or failed on it
  std::uint64_t seed = 0;           // of the campaign that added it
  std::int64_t index = 0;           // of the case in that campaign

  std::string name() const;  // a hash of the input and of where it comes from, which names its file
};

// Reads and writes one entry, as a file of JSON that is written whole. Nothing for a file that is no entry; fails with case.write.
std::optional<CorpusEntry> read_entry(const std::filesystem::path& file);
std::optional<Error> write_entry(const CorpusEntry& entry, const std::filesystem::path& folder);
// The files of a folder that are named as entries are, sorted; none if there is no such folder.
std::vector<std::filesystem::path> entry_files(const std::filesystem::path& folder);

// What of `shown` is not in `seen`.
Behaviour unseen(const Behaviour& shown, const Behaviour& seen);
void add(Behaviour& sum, const Behaviour& part);
std::size_t count_features(const Behaviour& behaviour);

// The entries of one kind in a folder, as the campaign of one seed sees them. Several campaigns may share the folder.
// Each entry shows something that no earlier one shows: there are never more of them than features.
class Corpus {
 public:
  Corpus(std::filesystem::path folder, std::string kind, std::uint64_t seed)
      : folder_(std::move(folder)), kind_(std::move(kind)), seed_(seed) {}

  // Takes up the entries that have come since the last call: those of other campaigns, and then, in the order in which they were added, what
  // this one added before it was killed. Files that are no entries, or of another kind, are left alone.
  void read();
  // Removes the entries that the campaign made from its cases [first, end): it will draw these again. To be called before read().
  void forget(std::int64_t first, std::int64_t end) const;
  // Adds the input of a case if it shows something new, and writes it; says what that was. Fails with case.write.
  Result<Behaviour> add(std::span<const std::uint8_t> input, const Behaviour& shown, std::int64_t index,
                        const std::set<std::string>& active = {});

  const std::vector<CorpusEntry>& entries() const { return entries_; }
  // Which entries were the first to show something of a pass (or of pipelines that end with it), in the order in which they came.
  const std::map<std::string, std::vector<std::size_t>>& by_pass() const { return by_pass_; }
  const Behaviour& seen() const { return seen_; }

 private:
  void take_up(CorpusEntry entry);

  std::filesystem::path folder_;
  std::string kind_;
  std::uint64_t seed_;
  std::vector<CorpusEntry> entries_;
  std::map<std::string, std::vector<std::size_t>> by_pass_;
  Behaviour seen_;
  std::set<std::string> known_files_;  // names that were read, or written
};

}  // namespace passdiff
