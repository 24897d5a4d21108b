// passdiff replay: case folders, expected verdict against actual.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/gen/recorded.h"
#include "core/ir/structural.h"
#include "core/text/text.h"
#include "fuzz/cli/commands.h"
#include "oracle/replay.h"

namespace passdiff {
namespace {

struct ReplayFlags {
  SubjectFlags subject;
  std::vector<std::string> paths;
  std::uint64_t seed = 1;
};

struct Tally {
  int as_expected = 0, other = 0, unsupported = 0, unreadable = 0;
  int recorded = 0;  // cases whose arguments were drawn
  std::map<std::string, int> symptoms;
};

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// Whether the passes gave what the program that the case was recorded in got of them; nothing if that cannot be said.
std::optional<bool> as_recorded(const std::filesystem::path& folder, const Module& source,
                                const Replay& result) {
  std::ifstream stream(folder / "target.py", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (text.empty() || (!result.target && result.actual.symptom != Symptom::agree)) return std::nullopt;
  const Result<Module> recorded = parse_text(text);
  if (!recorded) return std::nullopt;
  return structural_equal(*recorded, result.target ? *result.target : source);
}

// A test case with arguments that were drawn: nothing is expected of it, but a finding is told as one.
void tell_drawn(const std::filesystem::path& folder, const TestCase& test, const Replay& result,
                Tally& tally) {
  ++tally.symptoms[std::string(symptom_name(result.actual.symptom))];
  const bool finding = is_finding(result.actual.symptom);
  ++(finding ? tally.other : tally.as_expected);
  const std::optional<bool> same = as_recorded(folder, test.module, result);
  std::string explanation = first_line(explain(result.actual));
  if (!explanation.empty()) explanation.insert(0, ": ");
  fmt::print("{:<12} {} ({}): {}{}{}\n", finding ? "FINDING" : "ok", folder.string(), test.entry,
             symptom_name(result.actual.symptom), explanation,
             same == false ? " [not the target that was recorded]" : "");
}

void tell(const std::filesystem::path& folder, const Replay& result, Tally& tally) {
  const std::string_view actual = symptom_name(result.actual.symptom);
  if (result.missing_pass) {
    ++tally.unsupported;
    fmt::print("unsupported  {}: {}\n", folder.string(), result.actual.detail);
  } else if (result.as_expected()) {
    ++tally.as_expected;
    fmt::print("ok           {}: {}{}\n", folder.string(), actual,
               result.expected.empty() ? " (nothing expected)" : "");
  } else {
    ++tally.other;
    fmt::print("DIFFERS      {}: expected {}, got {}: {}\n", folder.string(), result.expected, actual,
               result.actual.detail);
  }
}

void replay_one(Subject& subject, const std::filesystem::path& folder, std::uint64_t seed, Tally& tally) {
  Result<CaseFolder> content = read_case(folder);
  if (!content) {
    ++tally.unreadable;
    fmt::print("unreadable   {}: {}\n", folder.string(), content.error().message);
    return;
  }
  std::vector<Error> refused;
  const bool drawn = !content->arguments_given;
  tally.recorded += drawn ? 1 : 0;
  for (TestCase& test : test_cases_of(*content, seed, refused)) {
    content->test = std::move(test);
    const Replay result = replay(subject, *content);
    if (drawn && result.expected.empty() && !result.missing_pass) {
      tell_drawn(folder, content->test, result, tally);
    } else {
      tell(folder, result, tally);
    }
    if (result.missing_pass) break;
  }
  for (const Error& error : refused) {
    ++tally.unsupported;
    fmt::print("unsupported  {}: no arguments: {}\n", folder.string(), error.message);
  }
  std::fflush(stdout);
}

void print_totals(const Tally& tally, const Subject& subject, std::uint64_t seed) {
  if (tally.recorded > 0) {
    fmt::print("arguments of {} recorded cases drawn from seed {}; their verdicts:", tally.recorded, seed);
    for (const auto& [symptom, count] : tally.symptoms) fmt::print(" {} {}", count, symptom);
    fmt::print("\n");
  }
  fmt::print("{} as expected, {} otherwise, {} unsupported, {} unreadable ({} {})\n", tally.as_expected,
             tally.other, tally.unsupported, tally.unreadable, subject.name(), subject.version());
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
  for (const auto& folder : folders) replay_one(**subject, folder, flags.seed, tally);
  print_totals(tally, **subject, flags.seed);
  if (tally.unreadable > 0) return kExitUsage;
  return tally.other > 0 ? kExitFindings : kExitClean;
}

}  // namespace

void add_replay(CLI::App& app, Run& run) {
  auto flags = std::make_shared<ReplayFlags>();
  CLI::App* command =
      app.add_subcommand("replay", "Run case folders and compare their verdicts with the expected ones");
  add_subject_flags(*command, flags->subject);
  command->add_option("--seed", flags->seed, "Where arguments come from that cases do not give")
      ->capture_default_str();
  command->add_option("paths", flags->paths, "Case folders, or trees of them")->required();
  command->callback([flags, &run] { run = [flags] { return run_replay(*flags); }; });
}

}  // namespace passdiff
