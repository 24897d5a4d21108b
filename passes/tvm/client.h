// TVM as a subject: its passes run in a host process, under the user's own Python.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "passes/pass.h"
#include "passes/tvm/deaths.h"

namespace passdiff {

class HostConnection;
struct Answer;

struct TvmOptions {
  std::string python;                 // empty: default_tvm_python() of location.h
  std::filesystem::path host_folder;  // of host.py; empty: default_host_folder() of location.h
  std::filesystem::path adapter;      // empty: the host finds it beside itself
  std::filesystem::path plugin;       // a Python file with the user's own passes; empty: none
  double start_seconds = 60;
  double execute_cpu_seconds = 60;                      // for code generation and the run together
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // the most that a worker may use; 0: no limit
  // Waits before a host that died is started again; empty: sleeps. For tests.
  std::function<void(std::chrono::milliseconds)> pause = nullptr;
  // Once it is set, the host is asked nothing more, and what waits for it ends: every reply is then that the host is lost. Null: never.
  const std::atomic<bool>* stop = nullptr;
};

// A subject is used by the thread that made it, which must outlive it: the host dies with the thread that started it.
class TvmSubject final : public Subject {
 public:
  // Starts the host. Errors are subject.*: no-python, no-host, no-tvm, tvm-version, ffi-version, no-adapter, adapter, plugin, start,
  // start-timeout, killed, protocol (its first frame is no hello); their message is one line that names the remedy, or what happened.
  static Result<std::unique_ptr<TvmSubject>> start(const TvmOptions& options);
  ~TvmSubject() override;

  std::string_view name() const override { return "tvm"; }
  std::string version() const override { return version_; }
  std::span<const Pass> passes() const override { return passes_; }
  std::span<const BuildPipeline> build_pipelines() const override;
  // A worker that crashes, hangs or eats memory costs its own pipeline only. Where the host cannot be kept alive,
  // the replies are CannotBuild of kind subject.lost, whose message says why: such a pipeline was not run. The
  // next call starts the host again, after a pause of at most ten seconds.
  std::vector<TransformReply> run_pipelines(const Module& module, std::span<const Pipeline> pipelines, const TransformOptions& options) override;
  std::optional<VmReply> execute(const TestCase& test, const Pipeline& pipeline,
                                 const CallPlan& plan, const MachineCode& code) override;
  std::optional<bool> contradicts_types(const Module& module, double cpu_seconds) override;
  bool analyses_blocks() const override;
  BlockAnalysis analyse_block(const Module& module, const Pipeline& pipeline, const BlockClaim& claim) override;
  // A worker that dies in the middle of the calls fails the module as a whole.
  std::optional<CallsReply> call_functions(const Module& module, std::span<const FunctionCall> calls) override;
  std::optional<std::vector<InferReply>> infer_types(std::span<const Module> modules) override;
  std::optional<std::vector<std::string>> op_names() override;
  std::optional<std::string> repro_script(const ReproRequest& request) override;
  std::string documented_promise(std::string_view symptom, std::string_view site) const override;
  std::int64_t restarts() const override;

  // For tests, which kill the host's processes.
  const HostConnection& connection() const { return *connection_; }

 private:
  TvmSubject(const TvmOptions& options, std::unique_ptr<HostConnection> connection);

  std::unique_ptr<HostConnection> connection_;
  double execute_cpu_seconds_;
  std::uint64_t memory_bytes_;
  std::filesystem::path host_folder_;
  std::string plugin_;  // the plugin's file; empty: none
  std::string version_;
  std::vector<Pass> passes_;
  Deaths deaths_;
};

Result<std::unique_ptr<Subject>> make_tvm_subject(const TvmOptions& options);

}  // namespace passdiff
