// passdiff agreement: do the native passes do what TVM's do?
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/text/text.h"
#include "fuzz/agreement.h"
#include "fuzz/cli/command_line.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/signals.h"
#include "fuzz/cli/text_diff.h"

namespace passdiff {
namespace {

struct AgreementFlags {
  AgreementOptions options;
  std::string python;
  int show = 0;
};

void print_row(const Agreement& row) {
  fmt::print("{:<26} {:>7} {:>7} {:>7} {:>9} {:>8} {:>7} {:>7} {:>8}\n", row.pass, row.cases, row.same,
             row.tidied, row.different, row.refused, row.unjudged, row.tvm_reported, row.native_reported);
}

int run_agreement(const AgreementFlags& flags) {
  const auto native = make_subject({.subject = "native"});
  if (!native) return fail(native.error());
  const auto tvm = make_subject({.subject = "tvm", .python = flags.python});
  if (!tvm) return fail(tvm.error());
  stop_on_signals();
  int shown = 0;
  const auto tell = [&](const Difference& difference) {
    if (shown++ >= flags.show) return;
    fmt::print("# {}: source\n{}\n# native's target, and how TVM's differs\n{}\n", difference.pass,
               print(difference.source.module),
               text_diff(print(difference.native), print(difference.tvm), false));
  };
  const auto rows = measure_agreement(**native, **tvm, flags.options, tell, stop_requested());
  if (!rows) return fail(rows.error());
  fmt::print("{:<26} {:>7} {:>7} {:>7} {:>9} {:>8} {:>7} {:>7} {:>8}\n", "pass", "cases", "same", "tidied",
             "different", "refused", "unjudged", "tvm's", "native's");
  bool sound = true;
  std::int64_t compared = 0;
  for (const Agreement& row : *rows) {
    print_row(row);
    sound &= row.native_reported == 0;
    compared += row.same + row.tidied + row.different;
  }
  fmt::print(
      "tidied: equal after CanonicalizeBindings, EliminateCommonSubexpr, DeadCodeElimination, "
      "TopologicalSort;\n"
      "different: both refine, the head of the pass's file says why; tvm's, native's: targets that would be "
      "reported\n");
  if (stop_requested())
    fmt::print(stderr, "passdiff: stopped before the end; the counts above are not whole\n");
  if (compared == 0) fmt::print(stderr, "passdiff: nothing could be compared; try more --cases\n");
  return sound && compared > 0 ? kExitClean : kExitFindings;
}

}  // namespace

void add_agreement(CLI::App& app, Run& run) {
  auto flags = std::make_shared<AgreementFlags>();
  CLI::App* command = app.add_subcommand("agreement",
                                         "Run native passes and TVM's over the same modules; exits 0 if some "
                                         "were compared and no native target is refuted");
  command
      ->add_option("--passes", flags->options.passes,
                   "Passes, separated by commas (default: all that both have)")
      ->delimiter(',');
  command->add_option("--cases", flags->options.cases, "Modules to generate")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->capture_default_str();
  add_seed(*command, flags->options.seed, "Where the modules come from");
  command->add_option("--show", flags->show, "Show so many different targets as diffs")
      ->check(CLI::Range(0, 1 << 20));
  command->add_option("--python", flags->python, "The Python whose tvm is used (default: build/venv's)");
  command->callback([flags, &run] { run = [flags] { return run_agreement(*flags); }; });
}

}  // namespace passdiff
