// For tests: a subject whose passes, and whose machine if it has one, are functions given by the test.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/form/well_formed.h"
#include "oracle/check.h"
#include "passes/pass.h"

namespace passdiff {

class ScriptedSubject final : public Subject {
 public:
  using Run = std::function<TransformReply(const Module&, const TransformOptions&)>;
  // What execute() replies.
  using Machine = std::function<VmReply(const TestCase&, const Pipeline&, const CallPlan&, const MachineCode&)>;

  void add(Pass pass, Run run) {
    passes_.push_back(std::move(pass));
    runs_.push_back(std::move(run));
  }
  // A pass that returns `run(module)` and keeps its contract otherwise.
  void add(std::string name, std::function<Module(const Module&)> run, Contract contract = {}) {
    Pass pass;
    pass.name = std::move(name);
    pass.contract = std::move(contract);
    add(std::move(pass), [run = std::move(run)](const Module& module, const TransformOptions&) {
      return reply_of(run(module));
    });
  }
  static TransformReply reply_of(Module target) {
    TransformReply reply;
    reply.subject_well_formed = !well_formed(target).has_value();
    reply.result = Transformed{std::move(target), false, {}};
    return reply;
  }
  void set_machine(Machine machine) { machine_ = std::move(machine); }
  // What the subject's analysis of blocks of TensorIR says of every target; without it there is no such analysis.
  void set_block_analysis(BlockAnalysis analysis) { block_analysis_ = std::move(analysis); }
  void set_build_pipeline(std::vector<std::string_view> passes) { builds_ = {{"build", std::move(passes)}}; }
  // Whether the subject infers other types than the modules declare.
  void set_contradicts_types(bool contradicts) { contradicts_types_ = contradicts; }

  // How often the machine was asked to run anything.
  int executions() const { return executions_; }

  std::string_view name() const override { return "scripted"; }
  std::string version() const override { return "test"; }
  std::span<const Pass> passes() const override { return passes_; }
  std::span<const BuildPipeline> build_pipelines() const override { return builds_; }

  std::vector<TransformReply> run_pipelines(const Module& module, std::span<const Pipeline> pipelines, const TransformOptions& options) override {
    std::vector<TransformReply> replies;
    for (const Pipeline& pipeline : pipelines) replies.push_back(run(module, pipeline, options));
    return replies;
  }
  std::optional<VmReply> execute(const TestCase& test, const Pipeline& pipeline, const CallPlan& plan, const MachineCode& code) override {
    if (!machine_) return std::nullopt;
    executions_ += code.only_compiled ? 0 : 1;
    return machine_(test, pipeline, plan, code);
  }
  std::optional<bool> contradicts_types(const Module&, double) override { return contradicts_types_; }
  bool analyses_blocks() const override { return block_analysis_.has_value(); }
  BlockAnalysis analyse_block(const Module&, const Pipeline&, const BlockClaim&) override { return block_analysis_.value(); }

 private:
  TransformReply run(const Module& module, const Pipeline& pipeline, const TransformOptions& options) const {
    TransformReply reply;
    reply.result = Transformed{module, false, {}};
    Module current = module;
    for (std::size_t i = 0; i < pipeline.size(); ++i) {
      for (std::size_t k = 0; k < passes_.size(); ++k) {
        if (passes_[k].name != pipeline[i].name) continue;
        reply = runs_[k](current, options);
        reply.pass_index = static_cast<int>(i);
        const auto* transformed = std::get_if<Transformed>(&reply.result);
        if (transformed == nullptr || !transformed->target) return reply;
        current = *transformed->target;
      }
    }
    return reply;
  }

  std::vector<Pass> passes_;
  std::vector<Run> runs_;
  std::vector<BuildPipeline> builds_;
  Machine machine_;
  int executions_ = 0;
  std::optional<bool> contradicts_types_;
  std::optional<BlockAnalysis> block_analysis_;
};

// What the check of one pass without options says of a case.
inline Symptom symptom_of(ScriptedSubject& subject, const TestCase& test, const std::string& pass, const CheckOptions& options = {}) {
  return check(subject, test, Pipeline{{pass, "{}"}}, options).verdict.symptom;
}

}  // namespace passdiff
