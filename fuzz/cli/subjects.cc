#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "fuzz/cli/commands.h"
#include "passes/tvm/client.h"

namespace passdiff {

void add_subject_flags(CLI::App& app, SubjectFlags& flags) {
  app.add_option("--subject", flags.subject, "Whose passes: tvm or native")
      ->check(CLI::IsMember({"tvm", "native"}))
      ->capture_default_str();
  app.add_option("--python", flags.python, "The Python whose tvm is tested (default: build/venv's)");
  app.add_option("--plugin", flags.plugin, "A Python file that registers passes of your own");
  app.add_option("--fault", flags.fault, "native: switch this fault on (see `passdiff list faults`)");
}

namespace {

// The option that is given, but means nothing to the subject; empty: none is. A Python may be named for all commands of a script.
std::string idle_option(const SubjectFlags& flags) {
  if (flags.subject == "tvm") return flags.fault.empty() ? "" : "--fault";
  return flags.plugin.empty() ? "" : "--plugin";
}

}  // namespace

Result<std::unique_ptr<Subject>> make_subject(const SubjectFlags& flags) {
  if (const std::string option = idle_option(flags); !option.empty()) {
    return Error{"usage.subject", fmt::format("{}: has no effect on the subject {}", option, flags.subject)};
  }
  if (flags.subject == "tvm") {
    TvmOptions options;
    options.python = flags.python;
    options.plugin = flags.plugin;
    options.execute_cpu_seconds = flags.machine_seconds;
    options.stop = flags.stop;
    return make_tvm_subject(options);
  }
  if (!flags.fault.empty() && find_fault(flags.fault) == nullptr) {
    return Error{"usage.fault", flags.fault + ": no such fault; see `passdiff list faults`"};
  }
  return make_native_subject(flags.fault);
}

int fail(const Error& error) {
  std::fprintf(stderr, "passdiff: %s\n", error.message.c_str());
  return error.code.starts_with("subject.") ? kExitSubject : kExitUsage;
}

}  // namespace passdiff
