#include "oracle/pipeline_contract.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/ir/queries.h"
#include "oracle/messages.h"

namespace passdiff {

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
    result.joined.idempotent &= contract.idempotent;
    result.joined.executes |= contract.executes;
    result.joined.binds_arguments |= contract.binds_arguments;
    if (!result.joined.derivatives) result.joined.derivatives = contract.derivatives;
    result.joined.alters.insert(result.joined.alters.end(), contract.alters.begin(), contract.alters.end());
    result.each.push_back(std::move(contract));
  }
  result.joined.idempotent &= pipeline.size() == 1;
  return result;
}

std::optional<Error> follow_conventions(const PipelineContract& contract, const Module& source,
                                        std::span<const std::optional<Module>> snapshots, const Module& target,
                                        CallPlan& plan) {
  const Module* before = &source;
  for (std::size_t i = 0; i < contract.each.size(); ++i) {
    const bool last = i + 1 == contract.each.size();
    const bool seen = !last && i < snapshots.size() && snapshots[i];
    // What cannot be read, and is called as before, may be taken for what was there before.
    if (!last && !seen && contract.each[i].convention == Convention::unchanged) continue;
    const Module* after = seen ? &*snapshots[i] : &target;
    plan = TRY(apply_convention(contract.each[i].convention, plan, *before, *after));
    before = after;
  }
  const CallStep& call = plan.steps.back();
  const std::optional<std::size_t> params = count_params(target, call.function);
  if (!params) return Error{"convention.missing-function", "the target has no function " + call.function};
  if (*params != call.args.size()) {
    return Error{"convention.arity",
                 fmt::format("{}: {} parameters against {} arguments", call.function, *params, call.args.size())};
  }
  return std::nullopt;
}

bool is_rejection(const Contract& contract, const Refused& refused) {
  return std::any_of(contract.rejections.begin(), contract.rejections.end(), [&](std::string_view rejection) {
    if (rejection.starts_with(kSays)) return refused.message.find(rejection.substr(kSays.size())) != std::string::npos;
    if (rejection == kRefusesUnknownRank) return refuses_unknown_rank(refused.message);
    return refused.kind == rejection || refused.site.find(rejection) != std::string::npos;
  });
}

}  // namespace passdiff
