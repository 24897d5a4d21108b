#include "oracle/pipeline_contract.h"

#include <algorithm>
#include <utility>

#include "core/ops/op.h"

namespace passdiff {
namespace {

double library_accuracy(const SeqExpr& body) {
  double worst = 1;
  for (const Block& block : body.blocks) {
    for (const Binding& binding : block.bindings) {
      if (const Call* call = as<Call>(binding.value)) {
        if (const OpDef* op = called_op(*call))
          worst = std::max(worst, 1 + op->ulps);
      } else if (const If* branch = as<If>(binding.value)) {
        worst =
            std::max({worst, library_accuracy(*branch->then_branch), library_accuracy(*branch->else_branch)});
      } else if (const FunctionPtr* inner = as<FunctionPtr>(binding.value)) {
        worst = std::max(worst, library_accuracy((*inner)->body));
      }
    }
  }
  return worst;
}

}  // namespace

bool PipelineContract::changes_calls() const {
  return std::any_of(each.begin(), each.end(),
                     [](const Contract& own) { return own.convention != Convention::unchanged; });
}

PipelineContract contract_of_pipeline(const Subject& subject, const Pipeline& pipeline) {
  PipelineContract result;
  for (const PassCall& call : pipeline) {
    const Pass* pass = find_pass(subject, call.name);
    Contract contract = pass == nullptr ? Contract{} : contract_of(*pass, call.options);
    result.joined.numerics = std::max(result.joined.numerics, contract.numerics);
    result.joined.level = std::max(result.joined.level, contract.level);
    result.joined.idempotent &= contract.idempotent && contract.convention == Convention::unchanged;
    result.joined.executes |= contract.executes;
    result.each.push_back(std::move(contract));
  }
  result.joined.idempotent &= pipeline.size() == 1;
  return result;
}

double library_accuracy(const Module& module) {
  double worst = 1;
  for (const GlobalFunction& f : module.functions)
    worst = std::max(worst, library_accuracy(f.function->body));
  return worst;
}

}  // namespace passdiff
