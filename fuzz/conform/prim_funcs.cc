#include "fuzz/conform/prim_funcs.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/eval/interpret.h"
#include "core/gen/recorded.h"
#include "core/ir/tir/structural.h"
#include "core/tensor/tensor.h"
#include "fuzz/campaign/jobs.h"
#include "fuzz/cases/drawn_case.h"
#include "fuzz/conform/compiled.h"
#include "fuzz/conform/known_prim_funcs.h"
#include "fuzz/conform/texts.h"
#include "oracle/source_run.h"
#include "oracle/witness.h"

namespace passdiff {
namespace {

constexpr std::string_view kLowering = "LegalizeOps";
constexpr std::int64_t kSourcesInRound = 64;  // progress is told, and a stop looked for, after each

// A function of TensorIR on the arguments of one call of it.
struct CalledFunction {
  std::string origin;
  TestCase test;
};

const tir::PrimFuncPtr& called_function(const CalledFunction& called) {
  return called.test.module.prim_funcs.front().function;
}

// Tensors may be written by the run that goes on.
Value copy_of(const Value& value) {
  const TensorPtr* tensor = value.as_tensor();
  return tensor == nullptr ? value : Value(make_tensor(**tensor));
}

// The functions that one module calls when it is run, each once.
struct Called {
  std::vector<CalledFunction> functions = {};
  std::int64_t calls = 0;
  std::string not_lowered = {};  // why it is not; empty: it is
  bool ended = false;
};

// Why there is no target to run; empty: there is one.
std::string why_no_target(const TransformReply& reply) {
  const auto* transformed = std::get_if<Transformed>(&reply.result);
  if (transformed != nullptr) return transformed->target || transformed->unchanged ? "" : transformed->unreadable;
  if (const auto* refused = std::get_if<Refused>(&reply.result)) return refused->site;
  if (const auto* source = std::get_if<CannotBuild>(&reply.result)) return "the source: " + source->site;
  return "the compiler dies or hangs";
}

Called functions_called(Subject& subject, const TestCase& test, const std::string& origin) {
  Called called;
  const Pipeline pipeline = {{std::string(kLowering), "{}"}};
  const TransformReply reply = subject.transform(test.module, {&pipeline, 1}, {.subject_well_formed = false}).front();
  called.not_lowered = why_no_target(reply);
  if (!called.not_lowered.empty()) return called;
  InterpretOptions options;
  options.observe_prim_func = [&](const GlobalPrimFunc& global, std::span<const Value> args) {
    ++called.calls;
    if (std::ranges::find(called.functions, global.function, called_function) != called.functions.end()) return;
    CalledFunction& one = called.functions.emplace_back(CalledFunction{origin, {}});
    one.test.module.prim_funcs.push_back({global.name, global.function, true});
    one.test.entry = global.name;
    std::ranges::transform(args, std::back_inserter(one.test.arguments), copy_of);
  };
  // Arguments that the source does not take, as channels that do not fall into groups, say nothing of its target.
  if (std::holds_alternative<Trapped>(interpret(test.module, test.entry, test.arguments))) return called;
  const std::optional<Module>& changed = std::get<Transformed>(reply.result).target;
  const Module& target = changed ? *changed : test.module;
  called.ended = std::holds_alternative<Returned>(interpret(target, test.entry, test.arguments, options));
  return called;
}

std::string without_number(std::string name) {
  while (!name.empty() && std::isdigit(static_cast<unsigned char>(name.back())) != 0) name.pop_back();
  return name;
}

// A module with the arguments to run it on, or several of one folder.
struct Source {
  std::vector<TestCase> tests;
  std::string origin;
  std::string unreadable = {};  // why there are none
};

class Conformance {
 public:
  Conformance(Jobs& jobs, const PrimFuncOptions& options) : jobs_(jobs), options_(options) {}

  // The sources of one round: those numbered from `first` on, of which `make` makes each.
  void round(std::int64_t first, std::int64_t count, const std::function<Source(std::int64_t)>& make) {
    std::vector<std::vector<Called>> called(static_cast<std::size_t>(count));
    jobs_.for_each(count, [&](int job, std::int64_t i) {
      const Source source = make(first + i);
      std::vector<Called>& here = called[static_cast<std::size_t>(i)];
      for (const TestCase& test : source.tests) here.push_back(functions_called(jobs_.subject(job), test, source.origin));
      if (!source.unreadable.empty()) here.push_back({.not_lowered = source.unreadable});
    });
    for (std::vector<Called>& some : called) {
      for (Called& one : some) take(std::move(one));
    }
    const auto size = static_cast<std::size_t>(options_.batch);
    compare(pending_.size() / size * size);
  }

  PrimFuncConformance finish() {
    compare(pending_.size());
    return std::move(result_);
  }
  const PrimFuncConformance& so_far() const { return result_; }

 private:
  void take(Called called) {
    ++result_.modules;
    if (!called.not_lowered.empty()) {
      ++result_.not_lowered;
      ++result_.reasons["not lowered: " + called.not_lowered];
    } else if (!called.ended) {
      ++result_.not_ended;
    }
    result_.calls += called.calls;
    for (CalledFunction& one : called.functions) {
      std::vector<tir::PrimFuncPtr>& alike = known_[tir::structural_hash(*called_function(one))];
      const auto equal = [&](const tir::PrimFuncPtr& other) { return tir::structural_equal(*other, *called_function(one)); };
      if (std::ranges::any_of(alike, equal)) continue;
      alike.push_back(called_function(one));
      ++result_.functions;
      pending_.push_back(std::move(one));
    }
  }

  // How one function fared. Without a symptom nothing is to be told but the count.
  struct Fate {
    std::int64_t PrimFuncConformance::* count = nullptr;
    std::string symptom = {};
    std::string why = {};
    std::string detail = {};
  };

  // Compares the first so many of those that wait. They are compiled in batches, and interpreted one by one: a few may take longer than all
  // others together.
  void compare(std::size_t count) {
    const std::span<const CalledFunction> all = std::span(pending_).first(count);
    std::vector<std::optional<SourceRun>> runs(count);
    std::vector<Fate> fates(count);
    const auto functions = static_cast<std::int64_t>(count);
    jobs_.for_each(functions, [&](int, std::int64_t index) {
      const auto i = static_cast<std::size_t>(index);
      runs[i].emplace(all[i].test);
      fates[i] = fate_here(*runs[i]);
    });
    const std::vector<VmReply> replies = compiled(all, fates);
    jobs_.for_each(functions, [&](int job, std::int64_t index) {
      const auto i = static_cast<std::size_t>(index);
      if (fates[i].count == nullptr) fates[i] = fate_of(jobs_.subject(job), *runs[i], replies[i]);
    });
    for (std::size_t i = 0; i < count; ++i) note(all[i], fates[i]);
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(count));
  }

  // What compiled code makes of the functions whose fate is not known; the reply on any other says nothing.
  std::vector<VmReply> compiled(std::span<const CalledFunction> all, std::span<const Fate> fates) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (fates[i].count == nullptr) open.push_back(i);
    }
    std::vector<VmReply> replies(all.size());
    const auto size = static_cast<std::size_t>(options_.batch);
    jobs_.for_each(static_cast<std::int64_t>((open.size() + size - 1) / size), [&](int job, std::int64_t index) {
      const std::size_t first = static_cast<std::size_t>(index) * size;
      const std::span<const std::size_t> batch = std::span(open).subspan(first, std::min(size, open.size() - first));
      std::vector<const TestCase*> tests;
      for (const std::size_t i : batch) tests.push_back(&all[i].test);
      std::vector<VmReply> of_batch = run_compiled(jobs_.subject(job), tests);
      for (std::size_t k = 0; k < batch.size(); ++k) replies[batch[k]] = std::move(of_batch[k]);
    });
    return replies;
  }

  // Of a function of which nothing is to be compared.
  static Fate fate_here(const SourceRun& run) {
    if (run.is_undefined()) return {&PrimFuncConformance::undefined};
    if (run.returned() == nullptr) return {&PrimFuncConformance::not_run, {}, {}, start_of(to_string(run.outcome()))};
    if (!run.returned()->overflows.empty()) return {&PrimFuncConformance::undefined};
    return {};
  }

  static Fate fate_of(Subject& subject, const SourceRun& run, const VmReply& reply) {
    Fate fate{&PrimFuncConformance::agreed};
    if (!reply.value) {
      fate = {&PrimFuncConformance::refused, fmt::format("{} {}", reply.stage, reply.error.site), why_refused(subject, run.test(), reply),
              start_of(reply.error.message)};
    } else if (const Comparison comparison = compare_with_compiled(run, *reply.value, Numerics::exact); is_finding(comparison.symptom)) {
      fate = {&PrimFuncConformance::differ, std::string(symptom_name(comparison.symptom)), why_differs(subject, run.test(), *reply.value),
              comparison.detail};
    } else if (comparison.symptom != Symptom::agree) {
      fate.count = &PrimFuncConformance::undetermined;
    }
    if (!fate.why.empty()) fate.count = &PrimFuncConformance::explained;
    return fate;
  }

  void note(const CalledFunction& called, const Fate& fate) {
    ++(result_.*fate.count);
    if (fate.count == &PrimFuncConformance::not_run) ++result_.reasons["not run: " + fate.detail];
    if (fate.symptom.empty()) return;
    const std::string name = without_number(called.test.entry);
    const auto alike = [&](const PrimFuncDisagreement& one) { return one.function == name && one.symptom == fate.symptom && one.why == fate.why; };
    auto found = std::ranges::find_if(result_.disagreements, alike);
    if (found == result_.disagreements.end()) {
      result_.disagreements.push_back({name, fate.symptom, fate.why, fate.detail, 0, called.origin, called.test});
      found = result_.disagreements.end() - 1;
    }
    ++found->count;
  }

  Jobs& jobs_;
  const PrimFuncOptions& options_;
  std::unordered_map<std::uint64_t, std::vector<tir::PrimFuncPtr>> known_;  // by hash
  std::vector<CalledFunction> pending_;
  PrimFuncConformance result_;
};

// The cases of a folder, with arguments that are drawn where it gives none.
Source source_in(const std::filesystem::path& folder, std::uint64_t seed) {
  const Result<CaseFolder> content = read_case(folder);
  if (!content) return {{}, folder.string(), "cannot be read: " + content.error().code};
  std::vector<Error> refused;
  Source source{test_cases_of(*content, seed, refused), folder.string()};
  if (source.tests.empty()) source.unreadable = refused.empty() ? "no public function" : "no arguments: " + refused.front().code;
  return source;
}

}  // namespace

Result<PrimFuncConformance> conform_prim_funcs(const MakeConformSubject& make_subject, const PrimFuncOptions& options,
                                               const std::function<void(const PrimFuncConformance&)>& progress, const std::atomic<bool>& stop) {
  const auto start = std::chrono::steady_clock::now();
  Jobs jobs(options.jobs, make_subject);
  if (const auto error = jobs.error()) return *error;
  const Pass* lowering = find_pass(jobs.subject(0), kLowering);
  if (lowering == nullptr || !jobs.subject(0).call_functions(Module(), {}))
    return Error{"conform.subject", std::string(jobs.subject(0).name()) + ": this subject compiles nothing"};
  const auto make = [&](std::int64_t i) -> Source {
    if (!options.folders.empty()) return source_in(options.folders[static_cast<std::size_t>(i)], options.seed);
    DrawnCase drawn = draw_case(options.seed, static_cast<std::uint64_t>(i), {&lowering, 1}, {});
    return {{std::move(drawn.test)}, std::move(drawn.origin)};
  };
  const std::int64_t sources = options.folders.empty() ? options.modules : static_cast<std::int64_t>(options.folders.size());
  Conformance conformance(jobs, options);
  for (std::int64_t first = 0; first < sources && !stop; first += kSourcesInRound) {
    conformance.round(first, std::min(kSourcesInRound, sources - first), make);
    progress(conformance.so_far());
  }
  PrimFuncConformance result = conformance.finish();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace passdiff
