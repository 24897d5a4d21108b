// passdiff bench: checks per second on one core, and the share of them spent inside the passes.
#include <sched.h>
#include <algorithm>
#include <chrono>
#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/ir/module.h"
#include "fuzz/cli/commands.h"
#include "fuzz/drawn_case.h"
#include "oracle/check.h"

namespace passdiff {
namespace {

using Clock = std::chrono::steady_clock;

struct BenchFlags {
  std::string python;
  double seconds = 10;
  bool native_only = false;
};

// Binds this process, and the host processes that it will start, to one processor, so that wall time is one core's time.
void pin_to_one_cpu() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

int measure(const SubjectFlags& flags, const std::vector<std::string>& names, double seconds) {
  Result<std::unique_ptr<Subject>> subject = make_subject(flags);
  if (!subject) return fail(subject.error());
  std::vector<const Pass*> passes;
  for (const Pass& pass : (*subject)->passes()) {
    if (names.empty() || std::find(names.begin(), names.end(), pass.name) != names.end())
      passes.push_back(&pass);
  }
  CheckOptions options;
  options.confirm = false;
  std::int64_t checks = 0;
  std::uint64_t index = 0;
  double in_pass = 0;
  std::vector<int> bindings;
  const auto start = Clock::now();
  double elapsed = 0;
  while (elapsed < seconds) {
    const DrawnCase drawn = draw_case(1, index++, passes, {});
    bindings.push_back(count_bindings(drawn.test.module));
    for (const Checked& checked : check(**subject, drawn.test, drawn.pipelines, options)) {
      ++checks;
      in_pass += checked.seconds_in_pass;
    }
    elapsed = std::chrono::duration<double>(Clock::now() - start).count();
  }
  std::nth_element(bindings.begin(), bindings.begin() + static_cast<std::ptrdiff_t>(bindings.size() / 2),
                   bindings.end());
  fmt::print(
      "{:<7} {:>8.0f} checks/s  {:>5.1f} % inside the passes  {} checks, {} modules, {} bindings in the "
      "median\n",
      flags.subject, static_cast<double>(checks) / elapsed, 100 * in_pass / elapsed, checks, index,
      bindings[bindings.size() / 2]);
  std::fflush(stdout);
  return kExitClean;
}

int run_bench(const BenchFlags& flags) {
  pin_to_one_cpu();
  SubjectFlags native{.subject = "native", .python = {}, .plugin = {}, .fault = {}};
  const int status = measure(native, {}, flags.seconds);
  if (status != kExitClean || flags.native_only) return status;
  SubjectFlags tvm{.subject = "tvm", .python = flags.python, .plugin = {}, .fault = {}};
  return measure(
      tvm,
      {"CanonicalizeBindings", "EliminateCommonSubexpr", "ReorderTakeAfterMatmul", "LiftTransformParams"},
      flags.seconds);
}

}  // namespace

void add_bench(CLI::App& app, Run& run) {
  auto flags = std::make_shared<BenchFlags>();
  CLI::App* command = app.add_subcommand("bench", "Measure checks per second on one core, native and TVM");
  command->add_option("--python", flags->python, "The Python whose tvm is measured");
  command->add_option("--seconds", flags->seconds, "How long for each subject")
      ->check(CLI::Range(0.001, 86400.0))
      ->capture_default_str();
  command->add_flag("--native-only", flags->native_only, "Leave TVM out");
  command->callback([flags, &run] { run = [flags] { return run_bench(*flags); }; });
}

}  // namespace passdiff
