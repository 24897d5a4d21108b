// passdiff record: the pass applications of a Python program, as case folders.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "fuzz/cli/commands.h"
#include "fuzz/recording.h"
#include "passes/tvm/record.h"

namespace passdiff {
namespace {

struct RecordFlags {
  std::string out;
  std::vector<std::string> command;
  bool json = false;
};

int run_record(const RecordFlags& flags) {
  int code = kExitClean;
  const std::int64_t earlier = flags.command.empty() ? 0 : recorded_applications(flags.out);
  if (!flags.command.empty()) {
    const Result<int> ended = record_command(flags.command, flags.out);
    if (!ended) return fail(ended.error());
    code = *ended;
  }
  Result<RecordingSummary> summary = summarise_recording(flags.out);
  if (!summary) {
    const int failed = fail(summary.error());
    if (flags.command.empty()) return failed;
    summary = RecordingSummary{};  // the program has ended, as it would have without a recorder: that nothing was recorded is a warning
  }
  summary->earlier = earlier;
  fmt::print(flags.json ? stderr : stdout, "{}", table(*summary));
  if (flags.json) fmt::print("{}\n", json_line(*summary));
  return code;
}

}  // namespace

void add_record(CLI::App& app, Run& run) {
  auto flags = std::make_shared<RecordFlags>();
  CLI::App* command = app.add_subcommand("record",
                                         "Run a Python program and write each application of a TVM pass in "
                                         "it to a module with a Relax function as a case folder; exits as it does");
  command->footer(
      "Exit codes: that of the program, or 128 and the number of the signal that ended it; without a program 0. 2: usage or bad input.");
  command->add_option("-o,--out", flags->out, "Folder for the cases; what it holds already stays")
      ->required();
  command->add_flag("--json", flags->json, "Print the summary as one JSON object");
  command->add_option(
      "command", flags->command,
      "The program, behind `--`: -- python -m pytest tests (none: summarise what was recorded)");
  command->callback([flags, &run] { run = [flags] { return run_record(*flags); }; });
}

}  // namespace passdiff
