// passdiff replay: case folders, expected verdict against actual.
#include <cstdio>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "fuzz/cli/commands.h"
#include "oracle/replay.h"

namespace passdiff {
namespace {

struct ReplayFlags {
  SubjectFlags subject;
  std::vector<std::string> paths;
};

struct Tally {
  int as_expected = 0, other = 0, unsupported = 0, unreadable = 0;
};

void replay_one(Subject& subject, const std::filesystem::path& folder, Tally& tally) {
  const Result<CaseFolder> content = read_case(folder);
  if (!content) {
    ++tally.unreadable;
    std::printf("unreadable   %s: %s\n", folder.c_str(), content.error().message.c_str());
    return;
  }
  const Replay result = replay(subject, *content);
  const std::string actual(symptom_name(result.actual.symptom));
  if (result.missing_pass) {
    ++tally.unsupported;
    std::printf("unsupported  %s: %s\n", folder.c_str(), result.actual.detail.c_str());
  } else if (result.as_expected()) {
    ++tally.as_expected;
    std::printf("ok           %s: %s%s\n", folder.c_str(), actual.c_str(),
                result.expected.empty() ? " (nothing expected)" : "");
  } else {
    ++tally.other;
    std::printf("DIFFERS      %s: expected %s, got %s: %s\n", folder.c_str(), result.expected.c_str(),
                actual.c_str(), result.actual.detail.c_str());
  }
  std::fflush(stdout);
}

int run_replay(const ReplayFlags& flags) {
  std::vector<std::filesystem::path> folders;
  for (const std::string& path : flags.paths) {
    if (!std::filesystem::exists(path)) return fail({"usage.path", path + ": no such file or folder"});
    const auto found = find_cases(path);
    if (found.empty()) return fail({"usage.path", path + ": no case folder here (a folder with case.json)"});
    folders.insert(folders.end(), found.begin(), found.end());
  }
  Result<std::unique_ptr<Subject>> subject = make_subject(flags.subject);
  if (!subject) return fail(subject.error());
  Tally tally;
  for (const auto& folder : folders) replay_one(**subject, folder, tally);
  std::printf("%d as expected, %d otherwise, %d unsupported, %d unreadable (%s %s)\n", tally.as_expected,
              tally.other, tally.unsupported, tally.unreadable, std::string((*subject)->name()).c_str(),
              (*subject)->version().c_str());
  if (tally.unreadable > 0) return kExitUsage;
  return tally.other > 0 ? kExitFindings : kExitClean;
}

}  // namespace

void add_replay(CLI::App& app, Run& run) {
  auto flags = std::make_shared<ReplayFlags>();
  CLI::App* command =
      app.add_subcommand("replay", "Run case folders and compare their verdicts with the expected ones");
  add_subject_flags(*command, flags->subject);
  command->add_option("paths", flags->paths, "Case folders, or trees of them")->required();
  command->callback([flags, &run] { run = [flags] { return run_replay(*flags); }; });
}

}  // namespace passdiff
