// passdiff mutants: does a campaign find the faults that we switch on, and nothing without them?
#include <fnmatch.h>
#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "fuzz/cli/command_line.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/signals.h"
#include "fuzz/mutants.h"
#include "oracle/report_format.h"

namespace passdiff {
namespace {

struct MutantFlags {
  MutantOptions options;
  std::vector<std::string> faults;
  bool json = false;
};

Result<std::vector<const Fault*>> matching(const std::vector<std::string>& patterns) {
  std::vector<const Fault*> chosen;
  std::vector<bool> used(patterns.size());
  for (const Fault& fault : all_faults()) {
    bool matches = false;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      if (fnmatch(patterns[i].c_str(), std::string(fault.name).c_str(), 0) != 0) continue;
      matches = used[i] = true;
    }
    if (matches) chosen.push_back(&fault);
  }
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (!used[i]) return Error{"usage.fault", patterns[i] + ": matches no fault; see `passdiff list faults`"};
  }
  return chosen;
}

std::string json_line(const MutationScore& score, const MutantOptions& options) {
  auto faults = nlohmann::json::array();
  for (const Detection& found : score.detections) {
    nlohmann::json row{{"fault", found.fault->name}, {"found", found.cases > 0}};
    if (found.cases > 0) {
      row.update({{"cases", found.cases},
                  {"check", found.check},
                  {"symptom", symptom_name(found.symptom)},
                  {"severity", severity_name(found.symptom)},
                  {"bindings", found.bindings}});
    }
    faults.push_back(std::move(row));
  }
  const nlohmann::json object = {{"format", kReportFormat},
                                 {"seed", options.seed},
                                 {"cases_per_fault", options.cases_per_fault},
                                 {"faults", std::move(faults)},
                                 {"found", score.found()},
                                 {"median_bindings", score.median_bindings()},
                                 {"sound_cases", score.sound.cases},
                                 {"sound_checks", score.sound.checks},
                                 {"false_alarms", score.sound.signatures.size()}};
  return object.dump();
}

int run_mutants(const MutantFlags& flags) {
  MutantOptions options = flags.options;
  Result<std::vector<const Fault*>> faults = matching(flags.faults);
  if (!faults) return fail(faults.error());
  options.faults = *std::move(faults);
  std::FILE* out = flags.json ? stderr : stdout;
  stop_on_signals();
  const auto tell = [out](const std::string& text) {
    fmt::print(out, "{}\n", text);
    std::fflush(out);
  };
  const Result<MutationScore> score = measure_mutants(options, tell, stop_requested());
  if (!score) return fail(score.error());
  for (const DistinctBug& bug : score->sound.signatures) {
    fmt::print(out, "false alarm: {} {} {}: {}\n", bug.pass, bug.check, symptom_name(bug.symptom), bug.detail);
  }
  fmt::print(out, "{} of {} faults found, seed {}; reduced to {:g} bindings in the median\n", score->found(),
             score->detections.size(), options.seed, score->median_bindings());
  fmt::print(out, "sound passes: {} checks of {} cases, {} reported\n", score->sound.checks,
             score->sound.cases, score->sound.signatures.size());
  if (stop_requested()) {
    fmt::print(stderr, "passdiff: stopped before the end; the score above is not whole\n");
    return kExitFindings;
  }
  if (flags.json) fmt::print("{}\n", json_line(*score, options));
  return score->perfect() ? kExitClean : kExitFindings;
}

}  // namespace

void add_mutants(CLI::App& app, Run& run) {
  auto flags = std::make_shared<MutantFlags>();
  CLI::App* command = app.add_subcommand("mutants",
                                         "Switch each fault of the native passes on and see whether it is "
                                         "found; exits 0 if all are and no sound pass is reported");
  command
      ->add_option("--cases-per-fault", flags->options.cases_per_fault, "Cases in which each fault is sought")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->capture_default_str();
  command
      ->add_option("--faults", flags->faults,
                   "Only these, by name or pattern: 'fold-constant/*' (default: all)")
      ->delimiter(',');
  add_seed(*command, flags->options.seed, "Where the cases come from");
  add_jobs(*command, flags->options.jobs, "Threads (default: one for each core)");
  command->add_flag("--json", flags->json, "The last line of standard output is a JSON object");
  command->callback([flags, &run] { run = [flags] { return run_mutants(*flags); }; });
}

}  // namespace passdiff
