#include "fuzz/targets/fuzz_target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text/text.h"
#include "fuzz/cases/coverage.h"
#include "fuzz/cases/mutate.h"
#include "fuzz/targets/crash_on.h"
#include "oracle/check_row.h"
#include "oracle/findings/finding.h"
#include "oracle/findings/signature.h"
#include "oracle/report_format.h"

namespace passdiff {
namespace {

// After so many reductions of one key that bring no new signature, further inputs with that key are only counted.
constexpr int kFruitlessReductions = 3;
constexpr int kChecksPerReduction = 150;

class FuzzTarget {
 public:
  FuzzTarget(std::unique_ptr<Subject> subject, TargetInfo info, TargetFlags flags)
      : subject_(std::move(subject)), info_(std::move(info)), flags_(std::move(flags)) {
    passes_ = passes_of(info_.rule, *subject_);
    checks_ = {.confirm = false, .sampling = Sampling::of_campaigns(), .interprets_constants = true, .trusts_types = true};
    for (const Check& check : all_checks()) {
      if (check.compiles) checks_.sampling.set(check.name, 0);
    }
  }
  ~FuzzTarget() { write_stats(); }
  FuzzTarget(const FuzzTarget&) = delete;
  FuzzTarget& operator=(const FuzzTarget&) = delete;

  InputMutator& mutator() { return mutator_; }

  void run(std::span<const std::uint8_t> input) {
    ++executions_;
    const TestCase test = mutator_.make_case(input);
    const Pipeline pipeline = pipeline_of(info_.rule, passes_, input, test.module);
    if (pipeline.empty()) return;
    const Checked checked = check(*subject_, test, pipeline, checks_);
    if (!info_.behaviour_counters.empty() && flags_.features)
      count_behaviour(pipeline, test.module, checked, info_.behaviour_counters);
    if (!flags_.stats.empty()) collect_rewrites(pipeline, test.module, checked, rewrites_);
    if (is_finding(checked.verdict.symptom)) report(test, pipeline, checked.verdict);
  }

 private:
  void report(const TestCase& test, const Pipeline& pipeline, const Verdict& verdict) {
    const bool reduce = flags_.keep_going || info_.confirm || !flags_.findings.empty();
    if (!reduce) end_run(test, pipeline, verdict, "as it was met, for want of --findings");
    int& fruitless = fruitless_[key_of(verdict)];
    if (flags_.keep_going && fruitless >= kFruitlessReductions) return;
    CheckOptions options = checks_;
    options.confirm = info_.confirm && !flags_.keep_going;
    options.interprets_constants = false;
    options.trusts_types = false;
    const auto finding = make_finding(*subject_, test, pipeline, verdict, options,
                                      {.max_checks = kChecksPerReduction}, "libFuzzer");
    if (!finding || !signatures_.insert(finding->signature).second) {
      ++fruitless;
      return;
    }
    fruitless = 0;
    if (flags_.keep_going) return;
    std::string where = "reduced, and not written for want of --findings";
    if (!flags_.findings.empty()) {
      const auto folder = write_finding(*subject_, *finding, flags_.findings);
      where = folder ? folder->string() : folder.error().message;
    }
    end_run(finding->test, finding->pipeline, finding->checked.verdict, where);
  }

  // Ends the run as engines expect it, with an abort. ClusterFuzz takes what follows "ASSERTION FAILED" for the cause of a crash, and
  // tells crashes apart by it: their stacks are all the same.
  [[noreturn]] static void end_run(const TestCase& test, const Pipeline& pipeline, const Verdict& verdict,
                                   const std::string& where) {
    fmt::print(stderr, "passdiff: {}\npassdiff: finding: {}\n", to_string(verdict), where);
    for (const PassCall& call : pipeline) fmt::print(stderr, "passdiff: pass: {} {}\n", call.name, call.options);
    fmt::print(stderr, "{}\nASSERTION FAILED: {}\n", print(test.module), key_of(verdict));
    std::abort();
  }

  void write_stats() const {
    if (flags_.stats.empty()) return;
    const nlohmann::json object = {{"format", kReportFormat},
                                   {"executions", executions_},
                                   {"signatures", signatures_.size()},
                                   {"keys", fruitless_.size()},
                                   {"rewrites", rewrites_.size()}};
    if (std::FILE* file = std::fopen(flags_.stats.c_str(), "w")) {
      fmt::print(file, "{}\n", object.dump());
      std::fclose(file);
    }
  }

  std::unique_ptr<Subject> subject_;
  TargetInfo info_;
  TargetFlags flags_;
  std::vector<const Pass*> passes_;
  CheckOptions checks_;
  InputMutator mutator_;
  std::int64_t executions_ = 0;
  std::map<std::string, int> fruitless_;  // by key
  std::set<std::string> signatures_;
  std::set<Rewrite> rewrites_;
};

// Destroyed by exit(), with which libFuzzer ends a run: its destructor writes the statistics.
std::unique_ptr<FuzzTarget> target;

bool take_flag(std::string_view argument, std::string_view name, std::string& value) {
  if (!argument.starts_with(name)) return false;
  value = argument.substr(name.size());
  return true;
}

TargetFlags read_flags(int argc, char** argv) {
  TargetFlags flags;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "-ignore_remaining_args=1") break;  // what libFuzzer hands to programs that it starts
    if (!argument.starts_with("--")) continue;
    if (argument == "--keep-going") {
      flags.keep_going = true;
    } else if (argument == "--no-features") {
      flags.features = false;
    } else if (!take_flag(argument, "--fault=", flags.fault) &&
               !take_flag(argument, "--python=", flags.python) &&
               !take_flag(argument, "--findings=", flags.findings) &&
               !take_flag(argument, "--stats=", flags.stats) && !take_crash_flag(argument)) {
      fmt::print(stderr, "passdiff: {}: no such flag; fuzz/targets/README.md lists them\n", argument);
      std::exit(2);
    }
  }
  return flags;
}

// libFuzzer's own flags whose defaults do not suit. How often an edge is taken says little here, and a corpus that grows by
// such counts costs most of the executions; the entropic schedule costs as much again. The last flag is for targets that are
// guided by behaviour: their inputs are not replaced by shorter ones, since larger modules give passes more to do.
constexpr std::string_view kLibFuzzerFlags[] = {"-use_counters=0", "-entropic=0", "-reduce_inputs=0"};

void add_flags(std::span<const std::string_view> flags, int* argc, char*** argv) {
  static std::vector<std::string> defaults;
  static std::vector<char*> arguments;
  for (const std::string_view flag : flags) {
    const std::string_view prefix = flag.substr(0, flag.find('=') + 1);
    const auto given = [&](const char* argument) { return std::string_view(argument).starts_with(prefix); };
    if (std::none_of(*argv, *argv + *argc, given)) defaults.emplace_back(flag);
  }
  arguments.assign(*argv, *argv + 1);
  for (std::string& flag : defaults) arguments.push_back(flag.data());
  arguments.insert(arguments.end(), *argv + 1, *argv + *argc);
  *argc = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  *argv = arguments.data();
}

}  // namespace
}  // namespace passdiff

// Options of AddressSanitizer that double the time of programs which allocate as much as ours are off. To look at a crash, run
// its input again with ASAN_OPTIONS=malloc_context_size=30:detect_stack_use_after_return=1.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "malloc_context_size=0:detect_stack_use_after_return=0";
}
#endif
#endif

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  using namespace passdiff;
  const TargetFlags flags = read_flags(*argc, *argv);
  auto subject = make_target_subject(flags);
  if (!subject) {
    fmt::print(stderr, "passdiff: {}\n", subject.error().message);
    std::exit(3);
  }
  target = std::make_unique<FuzzTarget>(*std::move(subject), target_info(), flags);
  const std::span flags_of_ours(kLibFuzzerFlags);
  add_flags(flags_of_ours.first(target_info().behaviour_counters.empty() ? 2 : 3), argc, argv);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  passdiff::crash_if_asked({data, size});
  passdiff::target->run({data, size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  const auto mutated = passdiff::target->mutator().mutate({data, size}, max_size, seed);
  std::copy(mutated.begin(), mutated.end(), data);
  return mutated.size();
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second, std::size_t second_size,
                                                 std::uint8_t* out, std::size_t max_size, unsigned seed) {
  const auto crossed =
      passdiff::target->mutator().cross({first, first_size}, {second, second_size}, max_size, seed);
  std::copy(crossed.begin(), crossed.end(), out);
  return crossed.size();
}
