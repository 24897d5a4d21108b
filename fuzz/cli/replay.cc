// passdiff replay: case folders, expected verdict against actual.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/documents/files.h"
#include "core/ir/structural.h"
#include "core/text/text.h"
#include "fuzz/campaign/index.h"
#include "fuzz/campaign/jobs.h"
#include "fuzz/cli/command_line.h"
#include "fuzz/cli/commands.h"
#include "fuzz/views/replay_report.h"
#include "oracle/replay.h"

namespace passdiff {
namespace {

struct ReplayFlags {
  SubjectFlags subject;
  std::vector<std::string> paths;
  std::uint64_t seed = kArgumentsSeed;
  int jobs = 1;
  std::string junit;
  std::string sarif;
};

// Where something undefined happened, if that is why: " at target.py:14: C[i] = A[i + 1]".
std::string at_place(const Verdict& verdict) {
  return verdict.place ? " at " + to_string(*verdict.place) : std::string();
}

// Whether the passes gave what the program that the case was recorded in got of them; nothing if that cannot be said.
std::optional<bool> as_recorded(const std::filesystem::path& folder, const Module& source,
                                const Replay& result) {
  const std::string text = text_of(folder / "target.py");
  if (text.empty() || (!result.target && result.actual.symptom != Symptom::agree)) return std::nullopt;
  const Result<Module> recorded = parse_text(text);
  if (!recorded) return std::nullopt;
  return structural_equal(*recorded, result.target ? *result.target : source);
}

// The pass that is not meant for the module on which it was recorded, as one for inference is not for training: it may then change what is
// computed. Of a pipeline the first is looked at alone, since the others ran on what it made. Null: none is.
const Pass* misused_pass(const Subject& subject, const CaseFolder& content) {
  const Pass* first = content.passes.empty() ? nullptr : find_pass(subject, content.passes.front().name);
  return first == nullptr || first->applies == nullptr || first->applies(content.test.module) ? nullptr : first;
}

// A test case with arguments that were drawn: nothing is expected of it, but a finding is told as one.
ReplayedCase drawn_case(const Subject& subject, const std::filesystem::path& folder, const CaseFolder& content, const Replay& result) {
  const TestCase& test = content.test;
  const Pass* misused = symptom_info(result.actual.symptom).severity == Severity::wrong_result ? misused_pass(subject, content) : nullptr;
  if (misused != nullptr) {
    return {.folder = folder,
            .outcome = ReplayOutcome::unsupported,
            .entry = test.entry,
            .symptom = std::string(symptom_name(Symptom::unsupported)),
            .text = fmt::format("{}, but {} is not meant for such a module", symptom_name(result.actual.symptom), misused->name)};
  }
  const bool finding = is_finding(result.actual.symptom);
  const std::optional<bool> same = as_recorded(folder, test.module, result);
  std::string explanation = first_line(explain(result.actual));
  if (!explanation.empty()) explanation.insert(0, ": ");
  return {.folder = folder,
          .outcome = finding ? ReplayOutcome::finding : ReplayOutcome::as_expected,
          .entry = test.entry,
          .symptom = std::string(symptom_name(result.actual.symptom)),
          .text = fmt::format("{}{}{}{}", symptom_name(result.actual.symptom), explanation, at_place(result.actual),
                              same == false ? " [not the target that was recorded]" : "")};
}

// What of an expected verdict became true. A finding that is none any more was mended, in the compiler or in passdiff.
ReplayedCase expected_case(const std::filesystem::path& folder, const Replay& result, const std::string& version) {
  const std::string actual(symptom_name(result.actual.symptom));
  ReplayedCase replayed{.folder = folder, .outcome = ReplayOutcome::as_expected, .entry = {}, .symptom = actual, .text = actual};
  if (result.missing_pass) {
    replayed.outcome = ReplayOutcome::unsupported;
    replayed.text = result.actual.detail;
  } else if (result.as_expected()) {
    replayed.text += at_place(result.actual);
    if (result.expected.empty()) replayed.text += " (nothing expected)";
  } else if (result.actual.symptom == Symptom::agree) {
    replayed.outcome = ReplayOutcome::fixed;
    replayed.text = fmt::format("expected {}, and agrees with {}", result.expected, version);
  } else {
    replayed.outcome = ReplayOutcome::differs;
    replayed.text = fmt::format("expected {}, got {}: {}{}", result.expected, actual, first_line(result.actual.detail), at_place(result.actual));
  }
  return replayed;
}

// The folder's test cases; a recorded one may be about several functions.
std::vector<ReplayedCase> replay_folder(Subject& subject, const std::filesystem::path& folder, std::uint64_t seed) {
  Result<CaseFolder> content = read_judged_case(folder);
  if (!content) return {{.folder = folder, .outcome = ReplayOutcome::unreadable, .entry = {}, .symptom = {}, .text = content.error().message}};
  const std::string version = full_name(subject);
  std::vector<ReplayedCase> replayed;
  std::vector<Error> refused;
  const bool drawn = !content->arguments_given;
  for (TestCase& test : test_cases_for(subject, *content, seed, refused)) {
    content->test = std::move(test);
    const auto start = std::chrono::steady_clock::now();
    const Replay result = replay(subject, *content);
    const bool tells_drawn = drawn && result.expected.empty() && !result.missing_pass;
    replayed.push_back(tells_drawn ? drawn_case(subject, folder, *content, result) : expected_case(folder, result, version));
    replayed.back().drawn = drawn;
    replayed.back().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (result.missing_pass) break;
  }
  for (const Error& error : refused)
    replayed.push_back({.folder = folder, .outcome = ReplayOutcome::unsupported, .entry = {}, .symptom = {}, .text = "no arguments: " + error.message});
  return replayed;
}

// Replays the folders in so many jobs, and prints their lines in the order of the folders, each as soon as those before it are there.
std::vector<ReplayedCase> replay_all(Jobs& jobs, const std::vector<std::filesystem::path>& folders, std::uint64_t seed) {
  std::vector<std::optional<std::vector<ReplayedCase>>> done(folders.size());
  std::vector<ReplayedCase> all;
  std::size_t next = 0;
  std::mutex printing;
  jobs.for_each(static_cast<std::int64_t>(folders.size()), [&](int job, std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    std::vector<ReplayedCase> replayed = replay_folder(jobs.subject(job), folders[at], seed);
    const std::scoped_lock lock(printing);
    done[at] = std::move(replayed);
    for (; next < done.size() && done[next]; ++next) {
      for (ReplayedCase& one : *done[next]) {
        fmt::print("{}\n", replay_line(one));
        all.push_back(std::move(one));
      }
    }
    std::fflush(stdout);
  });
  return all;
}

void print_totals(const std::vector<ReplayedCase>& replayed, const Subject& subject, std::uint64_t seed) {
  std::map<std::string, int> symptoms;
  int drawn = 0;
  for (const ReplayedCase& one : replayed) {
    if (!one.drawn) continue;
    ++drawn;
    ++symptoms[one.symptom];
  }
  if (drawn > 0) {
    fmt::print("arguments of {} recorded cases drawn from seed {}; their verdicts:", drawn, seed);
    for (const auto& [symptom, count] : symptoms) fmt::print(" {} {}", count, symptom);
    fmt::print("\n");
  }
  const auto count = [&](ReplayOutcome outcome) {
    return std::count_if(replayed.begin(), replayed.end(), [&](const ReplayedCase& one) { return one.outcome == outcome; });
  };
  const auto fixed = count(ReplayOutcome::fixed);
  fmt::print("{} as expected, {} otherwise{}, {} unsupported, {} unreadable ({} {})\n", count(ReplayOutcome::as_expected),
             count(ReplayOutcome::differs) + count(ReplayOutcome::finding) + fixed, fixed > 0 ? fmt::format(" ({} fixed)", fixed) : "",
             count(ReplayOutcome::unsupported), count(ReplayOutcome::unreadable), subject.name(), subject.version());
}

int exit_code(const std::vector<ReplayedCase>& replayed) {
  int code = kExitClean;
  for (const ReplayedCase& one : replayed) {
    if (one.outcome == ReplayOutcome::unreadable) return kExitUsage;
    if (!is_good(one.outcome)) code = kExitFindings;
  }
  return code;
}

int run_replay(const ReplayFlags& flags) {
  std::vector<std::filesystem::path> folders;
  for (const std::string& path : flags.paths) {
    if (!std::filesystem::exists(path)) return fail({"usage.path", path + ": no such file or folder"});
    const auto found = cases_to_judge(path);
    if (found.empty()) return fail({"usage.path", path + ": no case folder here (a folder with case.json)"});
    folders.insert(folders.end(), found.begin(), found.end());
  }
  const MakeSubject make = [&] { return make_subject(flags.subject); };
  Jobs jobs(flags.jobs, make);
  if (auto error = jobs.error()) return fail(*error);
  const std::vector<ReplayedCase> replayed = replay_all(jobs, folders, flags.seed);
  Subject& subject = jobs.subject(0);
  print_totals(replayed, subject, flags.seed);
  const std::string version = full_name(subject);
  if (!flags.junit.empty()) {
    if (auto error = write_whole(flags.junit, junit_text(replayed, version, std::chrono::system_clock::now()))) return fail(*error);
  }
  if (!flags.sarif.empty()) {
    if (auto error = write_whole(flags.sarif, sarif_text(replayed, version))) return fail(*error);
  }
  return exit_code(replayed);
}

}  // namespace

void add_replay(CLI::App& app, Run& run) {
  auto flags = std::make_shared<ReplayFlags>();
  CLI::App* command =
      app.add_subcommand("replay", "Run case folders and compare their verdicts with the expected ones");
  add_subject_flags(*command, flags->subject);
  add_seed(*command, flags->seed, "Where arguments come from that cases do not give");
  add_jobs(*command, flags->jobs, "Threads, each with a compiler process of its own (default: one for each core)");
  command->add_option("--junit", flags->junit, "Write the outcomes to this file, as JUnit's XML");
  command->add_option("--sarif", flags->sarif, "Write what is not as expected to this file, as SARIF 2.1.0");
  command->add_option("paths", flags->paths, "Case folders, or trees of them")->required();
  command->callback([flags, &run] { run = [flags] { return run_replay(*flags); }; });
}

}  // namespace passdiff
