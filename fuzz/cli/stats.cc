// passdiff stats: what the generator makes, and what passes do with it.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "fuzz/cli/command_line.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/signals.h"
#include "fuzz/stats.h"

namespace passdiff {
namespace {

struct StatsFlags {
  SubjectFlags subject;
  StatsOptions options;
  bool json = false;
};

int run_stats(const StatsFlags& flags) {
  stop_on_signals();
  const auto make = [&] { return make_subject(flags.subject); };
  const Result<Stats> stats = measure_stats(make, flags.options, stop_requested());
  if (!stats) return fail(stats.error());
  fmt::print("{}", flags.json ? json_line(*stats) + "\n" : table(*stats));
  return kExitClean;
}

}  // namespace

void add_stats(CLI::App& app, Run& run) {
  auto flags = std::make_shared<StatsFlags>();
  CLI::App* command = app.add_subcommand(
      "stats", "Count what cases are made of, and how often and in how many ways each pass changes them");
  add_subject_flags(*command, flags->subject);
  command->add_option("--passes", flags->options.passes, "Passes, separated by commas (default: all)")
      ->delimiter(',');
  command->add_option("--cases", flags->options.cases, "Modules to generate")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->capture_default_str();
  add_seed(*command, flags->options.seed, "Where the cases come from");
  add_jobs(*command, flags->options.jobs, "Threads, each with a compiler process of its own (default: one for each core)");
  command->add_flag("--json", flags->json, "Print one JSON object");
  command->callback([flags, &run] { run = [flags] { return run_stats(*flags); }; });
}

}  // namespace passdiff
