#include <ctime>

#include <algorithm>

#include "passes/native/native_pass.h"

namespace passdiff {
namespace {

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

class NativeSubject : public Subject {
 public:
  explicit NativeSubject(std::string_view fault) : fault_(fault) {
    for (const NativePass& row : native_passes()) passes_.push_back(row.pass);
  }

  std::string_view name() const override { return "native"; }
  std::string version() const override { return "0.1.0"; }
  std::span<const Pass> passes() const override { return passes_; }

  std::vector<TransformReply> run_pipelines(const Module& module, std::span<const Pipeline> pipelines, const TransformOptions& options) override {
    std::vector<TransformReply> replies;
    replies.reserve(pipelines.size());
    // The kernel is asked for the thread's CPU time once: that takes as long as a small pass. Each pipeline has its share by the wall clock.
    const double cpu_start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    const double start = seconds_of(CLOCK_MONOTONIC);
    double before = start;
    for (const Pipeline& pipeline : pipelines) {
      replies.push_back(run(module, pipeline, options));
      const double now = seconds_of(CLOCK_MONOTONIC);
      replies.back().seconds_in_pass = now - before;
      before = now;
    }
    const double cpu_per_wall = before > start ? (seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu_start) / (before - start) : 0;
    for (TransformReply& reply : replies) reply.seconds_in_pass *= cpu_per_wall;
    return replies;
  }

 private:
  TransformReply run(const Module& source, const Pipeline& pipeline, const TransformOptions& options) const {
    TransformReply reply;
    Module current = source;
    Module given;  // what the pass was given, from the second one on
    for (std::size_t i = 0; i < pipeline.size(); ++i) {
      reply.pass_index = static_cast<int>(i);
      NativeRun run{.options = pipeline[i].options, .fault = fault_};
      if (i > 0) given = current;
      Result<Module> next = apply(pipeline[i].name, current, run);
      reply.input_mutated |= !same_functions(i > 0 ? given : source, current);
      if (!next) {
        const Error& error = next.error();
        reply.result = Refused{error.code, error.code + "@" + pipeline[i].name, error.message};
        return reply;
      }
      current = *std::move(next);
      if (options.snapshots) reply.snapshots.emplace_back(current);
    }
    Transformed transformed;
    transformed.unchanged = same_functions(source, current);
    transformed.target = std::move(current);
    reply.result = std::move(transformed);
    return reply;
  }

  static Result<Module> apply(std::string_view name, const Module& module, NativeRun& run) {
    for (const NativePass& row : native_passes()) {
      if (row.pass.name == name) return row.run(module, run);
    }
    return Error{"native.unknown-pass", std::string(name) + ": no native pass has this name"};
  }

  // Whether two modules hold the very same function objects, which a pass that changes nothing returns.
  static bool same_functions(const Module& a, const Module& b) {
    return a.vdevices == b.vdevices && a.attrs == b.attrs &&
           std::equal(a.functions.begin(), a.functions.end(), b.functions.begin(), b.functions.end(),
                      same<GlobalFunction>) &&
           std::equal(a.prim_funcs.begin(), a.prim_funcs.end(), b.prim_funcs.begin(), b.prim_funcs.end(), same<GlobalPrimFunc>);
  }
  template <class Global>
  static bool same(const Global& x, const Global& y) {
    return x.function == y.function && x.name == y.name && x.is_public == y.is_public;
  }

  std::string fault_;
  std::vector<Pass> passes_;
};

}  // namespace

std::unique_ptr<Subject> make_native_subject(std::string_view fault) {
  CHECK(fault.empty() || find_fault(fault) != nullptr) << "no native pass has the fault " << fault;
  return std::make_unique<NativeSubject>(fault);
}

}  // namespace passdiff
