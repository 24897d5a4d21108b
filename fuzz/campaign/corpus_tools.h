// What may be done to a corpus between campaigns.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "core/result.h"
#include "fuzz/campaign/corpus.h"
#include "passes/pass.h"

namespace passdiff {

// The inputs of one kind.
struct CorpusSize {
  std::int64_t entries = 0;
  std::uintmax_t bytes = 0;                          // of their files
  std::map<std::string, std::int64_t> features;      // which they were the first to show, by pass as in Behaviour
};
struct CorpusStats {
  std::map<std::string, CorpusSize> kinds;  // "tvm 0.27.0.post1, graphs"
  std::int64_t unreadable = 0;              // files that are named like entries, and are none
};
CorpusStats corpus_stats(const std::filesystem::path& folder);

struct CorpusChange {
  std::int64_t entries = 0;  // that were there
  std::int64_t kept = 0;     // minimise: of these; merge: that were added
  std::int64_t features = 0;
};

// Copies those entries of `from` into `into` that claim a feature of which nothing there does. Fails with case.write, or with
// corpus.missing for a folder that is not there.
Result<CorpusChange> merge_corpora(const std::filesystem::path& into, std::span<const std::filesystem::path> from);

// Runs every input of the subject's over the passes that can be driven, the shortest first, and removes those that show nothing
// more. Entries say afterwards what they show now. Inputs of other subjects stay. `tell` is called before each input. Fails as
// merge_corpora() does.
Result<CorpusChange> minimise_corpus(Subject& subject, const std::filesystem::path& folder, const std::function<void()>& tell);

}  // namespace passdiff
