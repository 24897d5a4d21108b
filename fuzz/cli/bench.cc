// passdiff bench: checks per second on one core, and the share of them spent inside the passes; modules
// generated and interpreted per second; the time of single ops.
#include <sched.h>
#include <algorithm>
#include <chrono>
#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/eval/interpret.h"
#include "core/ir/module.h"
#include "fuzz/campaign/judged_case.h"
#include "fuzz/cases/drawn_case.h"
#include "fuzz/cli/command_line.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/kernels.h"
#include "oracle/check.h"

namespace passdiff {
namespace {

using Clock = std::chrono::steady_clock;

struct BenchFlags {
  std::string python;
  double seconds = 10;
  std::uint64_t cases = 0;  // in place of seconds, unless 0
  bool native_only = false;
  bool kernels = false;
  bool lowered = false;
  std::vector<std::string> passes;  // of TVM; empty: four cheap ones
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

// Counts cases until there are enough, or the time is over.
class Meter {
 public:
  explicit Meter(const BenchFlags& flags) : flags_(flags) {}

  bool goes_on() {
    elapsed_ = std::chrono::duration<double>(Clock::now() - start_).count();
    return flags_.cases != 0 ? cases_ < flags_.cases : elapsed_ < flags_.seconds;
  }
  std::uint64_t next_case() { return cases_++; }
  std::uint64_t cases() const { return cases_; }
  double elapsed() const { return elapsed_; }  // when goes_on was last asked

 private:
  const BenchFlags& flags_;
  const Clock::time_point start_ = Clock::now();
  std::uint64_t cases_ = 0;
  double elapsed_ = 0;
};

// Modules are drawn as a campaign draws them, and run on their arguments.
void measure_generation(const BenchFlags& flags) {
  Meter meter(flags);
  while (meter.goes_on()) {
    const DrawnCase drawn = draw_case(1, meter.next_case(), {}, {});
    interpret(drawn.test.module, drawn.test.entry, drawn.test.arguments);
  }
  fmt::print("{:<9} {:>8.0f} modules/s generated and interpreted\n", "generator",
             static_cast<double>(meter.cases()) / meter.elapsed());
  std::fflush(stdout);
}

int print_kernels() {
  const Result<std::vector<KernelTime>> times = time_kernels();
  if (!times) return fail(times.error());
  for (const KernelTime& kernel : *times)
    fmt::print("{:<12} {:>10.3f} ms\n", kernel.name, 1000 * kernel.seconds);
  return kExitClean;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

template <class T>
T median_of(std::vector<T>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// How long lowered modules take in the interpreter, and compiled and run by TVM, one beside the other.
int measure_lowered(const SubjectFlags& flags, const BenchFlags& bench) {
  const Result<std::unique_ptr<Subject>> subject = make_subject(flags);
  if (!subject) return fail(subject.error());
  const Pipeline lowering = {{"LegalizeOps", "{}"}};
  std::vector<double> interpreted;
  std::vector<double> compiled;
  Meter meter(bench);
  while (meter.goes_on()) {
    TestCase test = draw_case(1, meter.next_case(), {}, {}).test;
    const std::vector<TransformReply> replies = (*subject)->transform(test.module, std::span(&lowering, 1), {});
    const auto* made = std::get_if<Transformed>(&replies.front().result);
    if (made == nullptr || !made->target || made->target->prim_funcs.empty()) continue;
    test.module = *made->target;
    const Clock::time_point before = Clock::now();
    const Outcome outcome = interpret(test.module, test.entry, test.arguments);
    const double in_interpreter = seconds_since(before);
    if (!std::holds_alternative<Returned>(outcome)) continue;
    const Clock::time_point between = Clock::now();
    const auto reply = (*subject)->execute(test, {}, direct_plan(test.entry, static_cast<int>(test.arguments.size())), {});
    if (!reply || !reply->value) continue;
    compiled.push_back(seconds_since(between));
    interpreted.push_back(in_interpreter);
  }
  if (compiled.empty()) return fail({"bench.lowered", "no lowered module was run by both; give more time"});
  const double ours = median_of(interpreted);
  const double theirs = median_of(compiled);
  fmt::print("lowered   {:.2f} ms in the interpreter, {:.1f} ms compiled and run by TVM, {:.0f} times as long: medians of {} modules\n", 1000 * ours,
             1000 * theirs, theirs / ours, compiled.size());
  return kExitClean;
}

// The passes by name; all that can be driven if there is none.
int measure(const SubjectFlags& flags, const std::vector<std::string>& names, const BenchFlags& bench) {
  Result<std::unique_ptr<Subject>> subject = make_subject(flags);
  if (!subject) return fail(subject.error());
  const Result<std::vector<std::string>> selected = select_passes(**subject, names);
  if (!selected) return fail(selected.error());
  std::vector<const Pass*> passes;
  for (const std::string& name : *selected) passes.push_back(find_pass(**subject, name));
  CheckOptions options = bench.passes.empty() ? CheckOptions{} : CheckOptions{.sampling = Sampling::of_campaigns()};
  options.confirm = false;
  options.cpu_seconds = kQuickSeconds;
  std::int64_t checks = 0;
  double in_pass = 0;
  std::vector<int> bindings;
  Meter meter(bench);
  while (meter.goes_on()) {
    const std::uint64_t index = meter.next_case();
    const DrawnCase drawn = draw_case(1, index, passes, {});
    bindings.push_back(count_bindings(drawn.test.module));
    for (const Checked& checked : check(**subject, drawn.test, drawn.pipelines, options_of_case(options, static_cast<std::int64_t>(index)))) {
      ++checks;
      in_pass += checked.seconds_in_pass;
    }
  }
  fmt::print(
      "{:<9} {:>8.0f} checks/s  {:>5.1f} % inside the passes, {:.2f} ms a check outside of them  {} checks, {} modules, {} bindings in "
      "the median\n",
      flags.subject, static_cast<double>(checks) / meter.elapsed(), 100 * in_pass / meter.elapsed(),
      1000 * (meter.elapsed() - in_pass) / static_cast<double>(std::max<std::int64_t>(checks, 1)), checks, meter.cases(),
      median_of(bindings));
  std::fflush(stdout);
  return kExitClean;
}

int run_bench(const BenchFlags& flags) {
  pin_to_one_cpu();
  if (flags.kernels) return print_kernels();
  const SubjectFlags tvm{.subject = "tvm", .python = flags.python, .plugin = {}, .fault = {}};
  if (flags.lowered) return measure_lowered(tvm, flags);
  if (!flags.passes.empty()) return measure(tvm, flags.passes, flags);
  measure_generation(flags);
  const SubjectFlags native{.subject = "native", .python = {}, .plugin = {}, .fault = {}};
  const int status = measure(native, {}, flags);
  if (status != kExitClean || flags.native_only) return status;
  return measure(
      tvm,
      {"CanonicalizeBindings", "EliminateCommonSubexpr", "ReorderTakeAfterMatmul", "LiftTransformParams"},
      flags);
}

}  // namespace

void add_bench(CLI::App& app, Run& run) {
  auto flags = std::make_shared<BenchFlags>();
  CLI::App* command = app.add_subcommand("bench", "Measure checks per second on one core, native and TVM");
  command->add_option("--python", flags->python, "The Python whose tvm is measured");
  command->add_option("--seconds", flags->seconds, "How long for each subject")
      ->check(CLI::Range(0.001, 86400.0))
      ->capture_default_str();
  command->add_option("--cases", flags->cases, "How many cases, in place of a time")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->excludes("--seconds");
  command->add_flag("--kernels", flags->kernels,
                    "Print the processor time of single ops on large operands instead");
  command->add_flag("--lowered", flags->lowered, "Measure the interpreter on lowered modules instead, beside TVM's compiler and machine")
      ->excludes("--kernels");
  command->add_flag("--native-only", flags->native_only, "Leave TVM out")->excludes("--lowered");
  command->add_option("--passes", flags->passes,
                      "Measure these passes of TVM alone, with the sampled checks of a campaign: names, separated by commas, or all")
      ->delimiter(',')
      ->excludes("--kernels")
      ->excludes("--lowered")
      ->excludes("--native-only");
  command->callback([flags, &run] { run = [flags] { return run_bench(*flags); }; });
}

}  // namespace passdiff
