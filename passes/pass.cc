#include "passes/pass.h"

namespace passdiff {

std::optional<VmReply> Subject::execute(const TestCase&, const Pipeline&, const CallPlan&, const MachineCode&) {
  return std::nullopt;
}

BlockAnalysis Subject::analyse_block(const Module&, const Pipeline&, const BlockClaim&) { return {}; }

std::optional<bool> Subject::contradicts_types(const Module&, double) {
  return std::nullopt;
}

std::optional<CallsReply> Subject::call_functions(const Module&, std::span<const FunctionCall>) {
  return std::nullopt;
}

std::optional<std::vector<InferReply>> Subject::infer_types(std::span<const Module>) {
  return std::nullopt;
}

std::optional<std::vector<std::string>> Subject::op_names() {
  return std::nullopt;
}

std::string Subject::documented_promise(std::string_view, std::string_view) const {
  return {};
}

std::optional<std::string> Subject::repro_script(const ReproRequest&) {
  return std::nullopt;
}

std::vector<TransformReply> Subject::transform(const Module& module, std::span<const Pipeline> pipelines, const TransformOptions& options) {
  std::vector<TransformReply> replies = run_pipelines(module, pipelines, options);
  for (const TransformReply& reply : replies) seconds_in_passes_ += reply.seconds_in_pass;
  return replies;
}

std::string full_name(const Subject& subject) {
  return std::string(subject.name()) + " " + subject.version();
}

const Pass* find_pass(const Subject& subject, std::string_view name) {
  for (const Pass& pass : subject.passes()) {
    if (pass.name == name) return &pass;
  }
  return nullptr;
}

Contract contract_of(const Pass& pass, std::string_view options) {
  return pass.contract_for == nullptr ? pass.contract : pass.contract_for(pass.contract, options);
}

}  // namespace passdiff
