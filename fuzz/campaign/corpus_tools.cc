#include "fuzz/campaign/corpus_tools.h"

#include <algorithm>
#include <system_error>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "fuzz/campaign/guided_search.h"
#include "oracle/check.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;

std::optional<Error> missing(const fs::path& folder) {
  if (fs::is_directory(folder)) return std::nullopt;
  return Error{"corpus.missing", folder.string() + ": no such folder"};
}

// An entry, with all that it shows.
struct Shown {
  fs::path file;
  CorpusEntry entry;
  Behaviour shown;
};

// What the passes do to the module that an input makes, each alone; those with the pipelines that the entry was kept for as well.
Behaviour behaviour_of(Subject& subject, const CorpusEntry& entry, std::span<const Pass* const> passes) {
  const TestCase test = InputMutator(options_for(passes, {})).make_case(entry.input);
  std::vector<Pipeline> pipelines;
  for (const Pass* pass : passes) {
    const bool claimed = entry.first.contains(pass->name);
    if (!pass->rule_of.empty() && !claimed) continue;  // a campaign runs one of the rules of a pass
    if (is_meant_for(*pass, test.module)) pipelines.push_back(pipeline_of_input(*pass, entry.input, test.module));
  }
  const bool random = std::any_of(entry.first.begin(), entry.first.end(), [](const auto& claim) { return claim.first.starts_with('>'); });
  if (random) {
    for (Pipeline& pipeline : random_pipelines(passes, entry.input, test.module)) pipelines.push_back(std::move(pipeline));
    for (Pipeline& pipeline : build_prefixes_of_input(subject.build_pipelines(), passes, entry.input, test.module)) pipelines.push_back(std::move(pipeline));
  }
  // No sampled checks: features are what passes do, not what is wrong with it.
  const CheckOptions options{.confirm = false, .interprets_constants = true, .trusts_types = true};
  Behaviour shown;
  const std::vector<Checked> checked = check(subject, test, pipelines, options);
  for (std::size_t i = 0; i < checked.size(); ++i) {
    const std::string name = behaviour_name(subject, pipelines[i]);
    const Features features = behaviour_features(name, test.module, checked[i]);
    shown[name].insert(features.begin(), features.end());
  }
  return shown;
}

// What the inputs of a corpus may be for, each with all the passes that can be.
std::map<std::string, std::vector<const Pass*>> kinds_of_corpora(const Subject& subject) {
  std::map<std::string, std::vector<const Pass*>> kinds;
  for (const bool lowered : {false, true}) {
    for (const auto& [whole, distributed] : {std::pair(true, false), std::pair(true, true), std::pair(false, true)}) {
      std::vector<const Pass*> passes;
      for (const Pass& pass : subject.passes()) {
        const bool wanted = pass.over_distributed ? distributed : whole;
        if (pass.unsupported.empty() && wanted && (lowered || pass.contract.level == Level::graph)) passes.push_back(&pass);
      }
      if (!passes.empty()) kinds.try_emplace(corpus_kind(subject, passes), std::move(passes));
    }
  }
  return kinds;
}

std::vector<Shown> entries_of(Subject& subject, const fs::path& folder, const std::function<void()>& tell) {
  const std::map<std::string, std::vector<const Pass*>> passes_of_kinds = kinds_of_corpora(subject);
  std::vector<Shown> entries;
  for (const fs::path& file : entry_files(folder)) {
    std::optional<CorpusEntry> entry = read_entry(file);
    if (!entry) continue;
    const auto passes = passes_of_kinds.find(entry->kind);
    if (passes == passes_of_kinds.end()) continue;
    tell();
    Behaviour shown = behaviour_of(subject, *entry, passes->second);
    entries.push_back({file, *std::move(entry), std::move(shown)});
  }
  return entries;
}

}  // namespace

CorpusStats corpus_stats(const fs::path& folder) {
  CorpusStats stats;
  for (const fs::path& file : entry_files(folder)) {
    const std::optional<CorpusEntry> entry = read_entry(file);
    if (!entry) {
      ++stats.unreadable;
      continue;
    }
    CorpusSize& size = stats.kinds[entry->kind];
    ++size.entries;
    std::error_code error;
    if (const std::uintmax_t bytes = fs::file_size(file, error); !error) size.bytes += bytes;
    for (const auto& [pass, numbers] : entry->first) size.features[pass] += static_cast<std::int64_t>(numbers.size());
  }
  return stats;
}

Result<CorpusChange> merge_corpora(const fs::path& into, std::span<const fs::path> from) {
  for (const fs::path& folder : from) {
    if (auto error = missing(folder)) return *std::move(error);
  }
  std::map<std::string, Behaviour> seen;  // by kind
  CorpusChange change;
  for (const fs::path& file : entry_files(into)) {
    const std::optional<CorpusEntry> entry = read_entry(file);
    if (!entry) continue;
    ++change.entries;
    add(seen[entry->kind], entry->first);
  }
  for (const fs::path& folder : from) {
    for (const fs::path& file : entry_files(folder)) {
      const std::optional<CorpusEntry> entry = read_entry(file);
      if (!entry || unseen(entry->first, seen[entry->kind]).empty()) continue;
      if (auto error = write_entry(*entry, into)) return *std::move(error);
      add(seen[entry->kind], entry->first);
      ++change.kept;
    }
  }
  for (const auto& [kind, behaviour] : seen) change.features += static_cast<std::int64_t>(count_features(behaviour));
  return change;
}

Result<CorpusChange> minimise_corpus(Subject& subject, const fs::path& folder, const std::function<void()>& tell) {
  if (auto error = missing(folder)) return *std::move(error);
  std::vector<Shown> entries = entries_of(subject, folder, tell);
  std::sort(entries.begin(), entries.end(), [](const Shown& a, const Shown& b) {
    return std::tuple(a.entry.input.size(), a.file) < std::tuple(b.entry.input.size(), b.file);
  });
  CorpusChange change;
  std::map<std::string, Behaviour> seen;  // by kind
  std::vector<fs::path> spare;
  for (Shown& one : entries) {
    ++change.entries;
    one.entry.first = unseen(one.shown, seen[one.entry.kind]);
    if (one.entry.first.empty()) {
      spare.push_back(one.file);
      continue;
    }
    add(seen[one.entry.kind], one.entry.first);
    ++change.kept;
    if (auto error = write_entry(one.entry, folder)) return *std::move(error);
  }
  // At the end: whoever is interrupted has lost nothing.
  for (const fs::path& file : spare) {
    std::error_code error;
    fs::remove(file, error);
    if (error) return Error{"case.write", file.string() + ": " + error.message()};
  }
  for (const auto& [kind, behaviour] : seen) change.features += static_cast<std::int64_t>(count_features(behaviour));
  return change;
}

}  // namespace passdiff
