// passdiff: finds bugs in the optimisation passes of tensor compilers.
#include <csignal>
#include <cstdio>
#include <span>
#include <system_error>

#include <CLI/CLI.hpp>

#include "fuzz/cli/command_line.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/streams.h"

namespace passdiff {
namespace {

int run_command(int argc, char** argv) {
  CLI::App app{"Finds bugs in the optimisation passes of tensor compilers."};
  app.name("passdiff");
  app.require_subcommand(1);
  app.set_version_flag("--version", "passdiff " PASSDIFF_VERSION, "Print the version and exit");
  app.footer(
      "Exit codes: 0 nothing found, 1 findings, 2 usage or bad input, 3 the subject cannot be started.");
  Run run;
  add_fuzz(app, run);
  add_replay(app, run);
  add_record(app, run);
  add_case_commands(app, run);
  add_list(app, run);
  add_run(app, run);
  add_mutants(app, run);
  add_agreement(app, run);
  add_conform(app, run);
  add_corpus(app, run);
  add_causes(app, run);
  add_matrix(app, run);
  add_report(app, run);
  add_doctor(app, run);
  add_bench(app, run);
  add_stats(app, run);
  add_completion(app, run);
  add_manual(app, run);
  refuse_empty_values(app);
  if (const auto fault = fault_of_arguments(app, std::span(argv, argv + argc).subspan(argc > 0 ? 1 : 0))) return fail(*fault);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitClean : kExitUsage;
  }
  try {
    return run();
  } catch (const InternalError& error) {
    std::fprintf(stderr, "passdiff: a bug of passdiff itself: %s\n", error.what());
    return 70;  // EX_SOFTWARE
  } catch (const std::system_error& error) {  // fmt::print could not write
    // A reader such as `head` may close the pipe: that is no error.
    if (error.code() == std::errc::broken_pipe) return 128 + SIGPIPE;
    // Of standard output flush_output tells.
    if (std::ferror(stdout) == 0) std::fprintf(stderr, "passdiff: %s\n", error.what());
    return kExitUsage;
  }
}

}  // namespace
}  // namespace passdiff

int main(int argc, char** argv) {
  passdiff::open_missing_streams();
  std::signal(SIGPIPE, SIG_IGN);  // writing to a host that has died must fail, not end this process
  return passdiff::flush_output(passdiff::run_command(argc, argv));
}
