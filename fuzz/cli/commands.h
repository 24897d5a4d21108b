// The commands of passdiff. Each registers itself with CLI11; main.cc runs the one that was chosen.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/result.h"
#include "passes/pass.h"

namespace CLI {
class App;
}

namespace passdiff {

// Exit codes: see README.md.
inline constexpr int kExitClean = 0;
inline constexpr int kExitFindings = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitSubject = 3;

// The flags of every command that runs passes.
struct SubjectFlags {
  std::string subject = "tvm";
  std::string python;
  std::string plugin;
  std::string fault;
};
void add_subject_flags(CLI::App& app, SubjectFlags& flags);
Result<std::unique_ptr<Subject>> make_subject(const SubjectFlags& flags);

// Prints `passdiff: message` and returns the exit code that the error's code calls for.
int fail(const Error& error);

using Run = std::function<int()>;
// Each adds its subcommand and sets `run` if it is chosen.
void add_fuzz(CLI::App& app, Run& run);
void add_replay(CLI::App& app, Run& run);
void add_case_commands(CLI::App& app, Run& run);  // reduce, show, repro
void add_list(CLI::App& app, Run& run);
void add_bench(CLI::App& app, Run& run);
void add_mutants(CLI::App& app, Run& run);
void add_run(CLI::App& app, Run& run);
void add_agreement(CLI::App& app, Run& run);
void add_conform(CLI::App& app, Run& run);

}  // namespace passdiff
