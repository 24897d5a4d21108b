// passdiff corpus: what is in the corpus of a guided campaign, smaller ones, and one of several.
#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "fuzz/campaign/corpus_tools.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/status_line.h"
#include "oracle/report_format.h"

namespace passdiff {
namespace {

struct CorpusFlags {
  SubjectFlags subject;
  std::string folder;
  std::vector<std::string> from;
  bool json = false;
};

int run_stats(const CorpusFlags& flags) {
  if (!std::filesystem::is_directory(flags.folder)) return fail({"usage.corpus", flags.folder + ": no such folder"});
  const CorpusStats stats = corpus_stats(flags.folder);
  auto kinds = nlohmann::json::object();
  for (const auto& [kind, size] : stats.kinds) {
    kinds[kind] = {{"entries", size.entries}, {"bytes", size.bytes}, {"features", size.features}};
    if (flags.json) continue;
    std::int64_t features = 0;
    for (const auto& [pass, count] : size.features) features += count;
    fmt::print("{}: {} inputs, {} bytes, {} features of {} passes\n", kind, size.entries, size.bytes, features, size.features.size());
    for (const auto& [pass, count] : size.features) fmt::print("  {:>5} {}\n", count, pass);
  }
  if (flags.json) {
    const nlohmann::json object = {{"format", kReportFormat}, {"kinds", std::move(kinds)}, {"unreadable", stats.unreadable}};
    fmt::print("{}\n", object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  } else if (stats.unreadable > 0) {
    fmt::print("{} files that cannot be read as inputs, and are left alone\n", stats.unreadable);
  } else if (stats.kinds.empty()) {
    fmt::print("no inputs there\n");
  }
  return kExitClean;
}

int run_minimise(const CorpusFlags& flags) {
  Result<std::unique_ptr<Subject>> subject = make_subject(flags.subject);
  if (!subject) return fail(subject.error());
  StatusLine status;
  int at = 0;
  const Result<CorpusChange> change = minimise_corpus(**subject, flags.folder, [&] { status.show(std::to_string(++at)); });
  status.show({});
  if (!change) return fail(change.error());
  fmt::print("kept {} of {} inputs, which show all {} features ({} {})\n", change->kept, change->entries, change->features, (*subject)->name(),
             (*subject)->version());
  return kExitClean;
}

int run_merge(const CorpusFlags& flags) {
  const std::vector<std::filesystem::path> from(flags.from.begin(), flags.from.end());
  const Result<CorpusChange> change = merge_corpora(flags.folder, from);
  if (!change) return fail(change.error());
  fmt::print("{} inputs were there, {} are added; they claim {} features\n", change->entries, change->kept, change->features);
  return kExitClean;
}

}  // namespace

void add_corpus(CLI::App& app, Run& run) {
  auto flags = std::make_shared<CorpusFlags>();
  CLI::App* command = app.add_subcommand("corpus", "The inputs of guided campaigns: count, minimise and merge them");
  command->require_subcommand(1);
  CLI::App* stats = command->add_subcommand("stats", "How many inputs there are, and how much of each pass they were the first to show");
  stats->add_option("folder", flags->folder, "A corpus")->required();
  stats->add_flag("--json", flags->json, "Print one JSON object");
  stats->callback([flags, &run] { run = [flags] { return run_stats(*flags); }; });
  CLI::App* minimise = command->add_subcommand(
      "minimise", "Run every input, keep the shortest that show all that all of them show, and remove the rest");
  add_subject_flags(*minimise, flags->subject);
  minimise->add_option("folder", flags->folder, "A corpus")->required();
  minimise->callback([flags, &run] { run = [flags] { return run_minimise(*flags); }; });
  CLI::App* merge = command->add_subcommand("merge", "Copy the inputs of other corpora that show something new");
  merge->add_option("into", flags->folder, "The corpus that is added to; made if there is none")->required();
  merge->add_option("from", flags->from, "Corpora to take inputs from")->required();
  merge->callback([flags, &run] { run = [flags] { return run_merge(*flags); }; });
}

}  // namespace passdiff
