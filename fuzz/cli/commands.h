// The commands of passdiff. Each registers itself with CLI11; main.cc runs the one that was chosen.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/documents/case.h"
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
  double machine_seconds = 60;  // CPU time that the subject's own machine may take to compile a module and run it
  const std::atomic<bool>* stop = nullptr;  // once it is set, no answer of the subject's process is waited for; null: never
};
void add_subject_flags(CLI::App& app, SubjectFlags& flags);
// Fails with usage.subject for a flag that means nothing to the subject, with usage.fault, and as make_tvm_subject does.
Result<std::unique_ptr<Subject>> make_subject(const SubjectFlags& flags);

// The flags of every command that looks at one case.
struct CaseFlags {
  std::string folder;
  std::string entry;
  std::uint64_t seed = 1;
};
void add_case_flags(CLI::App& app, CaseFlags& flags);
// Reads a case folder. Fails with usage.case where there is none at the path, and as read_judged_case does.
Result<CaseFolder> read_one_case(const std::string& folder);
// The case with arguments: those of a recorded one are drawn, but for those that the options of its passes tell. Fails with usage.entry,
// too, where an entry is asked for of a case that gives its arguments, and as draw_arguments does.
Result<CaseFolder> with_arguments(CaseFolder content, const CaseFlags& flags, const Subject& subject);

// Prints `passdiff: message` and returns the exit code that the error's code calls for.
int fail(const Error& error);

// The text up to where its first line ends: messages are one line.
inline std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

using Run = std::function<int()>;
// Each adds its subcommand and sets `run` if it is chosen.
void add_fuzz(CLI::App& app, Run& run);
void add_replay(CLI::App& app, Run& run);
void add_record(CLI::App& app, Run& run);
void add_case_commands(CLI::App& app, Run& run);  // reduce, show, repro
void add_list(CLI::App& app, Run& run);
void add_bench(CLI::App& app, Run& run);
void add_stats(CLI::App& app, Run& run);
void add_mutants(CLI::App& app, Run& run);
void add_run(CLI::App& app, Run& run);
void add_agreement(CLI::App& app, Run& run);
void add_conform(CLI::App& app, Run& run);
void add_corpus(CLI::App& app, Run& run);  // stats, minimise, merge
void add_causes(CLI::App& app, Run& run);
void add_matrix(CLI::App& app, Run& run);
void add_report(CLI::App& app, Run& run);
void add_doctor(CLI::App& app, Run& run);
void add_completion(CLI::App& app, Run& run);
void add_manual(CLI::App& app, Run& run);

}  // namespace passdiff
