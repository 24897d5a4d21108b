#include "passes/tvm/repro_parts.h"
#include "passes/tvm/repro_symptoms.h"

#include <span>

namespace passdiff {

ReproFacts repro_facts(Subject& subject, const ReproRequest& request) {
  ReproFacts facts{.version = subject.version()};
  for (const PassCall& call : request.pipeline) {
    const Pass* pass = find_pass(subject, call.name);
    if (pass != nullptr && pass->source == "plugin") facts.plugin.names.insert(call.name);
  }
  if (request.symptom == symptoms::kCrash || request.symptom == symptoms::kTimeout ||
      request.symptom == symptoms::kMemory)
    return facts;
  TransformReply reply =
      std::move(subject.transform(request.test.module, std::span(&request.pipeline, 1), {}).at(0));
  if (std::holds_alternative<Refused>(reply.result))
    facts.failing_pass = static_cast<std::size_t>(reply.pass_index);
  auto* transformed = std::get_if<Transformed>(&reply.result);
  if (transformed == nullptr) return facts;
  facts.well_formed = transformed->unchanged ? true : reply.subject_well_formed;
  facts.target = transformed->unchanged ? request.test.module : std::move(transformed->target);
  if (const std::optional<Module> alone = binding_in_question(request, facts)) {
    const auto replies = subject.infer_types(std::span(&*alone, 1));
    const bool inferred = replies && replies->front().module && !replies->front().module->functions.empty();
    if (inferred) facts.inferred = replies->front().module->functions[0].function->result_type;
  }
  return facts;
}

}  // namespace passdiff
