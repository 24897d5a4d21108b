#include <fmt/format.h>

#include "oracle/check.h"
#include "oracle/check_row.h"
#include "oracle/compare.h"
#include "oracle/execute.h"
#include "oracle/pipeline_contract.h"
#include "oracle/source_run.h"
#include "oracle/witness.h"

namespace passdiff {
namespace {

// The verdict on a target that our IR cannot hold, so that the interpreter cannot run it: the subject's own machine does.
Verdict judge_unreadable(const CheckContext& context) {
  if (context.source.returned() == nullptr) return context.source.verdict();
  // If the pass changes the calls, how to call the target is known only from the target, which is not readable.
  if (context.options.sampling.compiling_one_in() == 0 || context.contract.changes_calls()) {
    return {.symptom = Symptom::unsupported,
            .stage = Stage::execute,
            .site = context.unreadable,
            .detail = "not judged: " + context.unreadable};
  }
  return context.witness.judge(context.pipeline, context.contract, context.plan, context.unreadable);
}

Comparison compare(const CheckContext& context, const Value& returned) {
  const Rerun rerun_target = [&](const Rounding& rounding) {
    return run_plan(*context.target, context.plan, context.test.arguments, {.rounding = rounding});
  };
  const Contract& contract = context.contract.joined;
  const double accuracy = contract.executes ? 64 * library_accuracy(context.test.module) : 1;
  return compare_values(context.source.returned()->value, returned, {contract.numerics, accuracy},
                        context.source.rerun(), rerun_target);
}

// Compares the values that source and target returned.
std::optional<Verdict> refine_values(const CheckContext& context, const Returned& returned) {
  const Comparison comparison = compare(context, returned.value);
  if (comparison.symptom != Symptom::agree)
    return Verdict{.symptom = comparison.symptom, .stage = Stage::compare, .detail = comparison.detail};
  if (returned.overflows.empty()) return std::nullopt;
  const bool may_reassociate = context.contract.joined.numerics != Numerics::exact;
  return Verdict{.symptom = may_reassociate ? Symptom::inconclusive : Symptom::added_undefined,
                 .stage = Stage::compare,
                 .site = std::string(rule_name(UndefinedRule::signed_overflow)),
                 .detail = "target: " + describe(returned.overflows.front())};
}

std::optional<Verdict> refine(const CheckContext& context, const Outcome& target_run) {
  if (const auto* returned = std::get_if<Returned>(&target_run)) return refine_values(context, *returned);
  if (const auto* undefined = std::get_if<Undefined>(&target_run)) {
    return Verdict{.symptom = Symptom::added_undefined,
                   .stage = Stage::compare,
                   .site = std::string(rule_name(undefined->records.back().rule)),
                   .detail = "target: " + describe(undefined->records.back())};
  }
  if (const auto* trapped = std::get_if<Trapped>(&target_run)) {
    return Verdict{.symptom = Symptom::added_trap,
                   .stage = Stage::compare,
                   .site = trapped->code,
                   .detail = "target: " + trapped->message};
  }
  if (const auto* wrong = std::get_if<WrongType>(&target_run)) {
    return Verdict{.symptom = Symptom::wrong_type,
                   .stage = Stage::compare,
                   .detail = fmt::format("target: {}: {}", wrong->binding, wrong->message)};
  }
  const bool limit = std::holds_alternative<LimitExceeded>(target_run);
  return Verdict{.symptom = limit ? Symptom::limit : Symptom::unsupported,
                 .stage = Stage::execute,
                 .detail = "target: " + to_string(target_run)};
}

std::optional<Verdict> judge(const CheckContext& context) {
  if (context.target == nullptr) return judge_unreadable(context);
  const Returned* source = context.source.returned();
  if (source == nullptr) return context.source.verdict();
  if (context.unchanged) return std::nullopt;
  if (!source->overflows.empty()) return context.source.verdict();
  const Outcome target_run = run_plan(*context.target, context.plan, context.test.arguments);
  std::optional<Verdict> verdict = refine(context, target_run);
  if (verdict && is_finding(verdict->symptom) && context.options.confirm)
    context.witness.confirm(context.pipeline, context.plan, *verdict);
  return verdict;
}

}  // namespace

std::vector<Check> outputs_refine_rows() {
  return {{.name = "outputs-refine",
           .promise = "on the same arguments the target returns what the source returns, undefined behaviour apart",
           .after = "convention",
           .judge = judge}};
}

}  // namespace passdiff
