#include "oracle/check.h"
#include "oracle/check_row.h"
#include "oracle/compare.h"
#include "oracle/execute.h"
#include "oracle/features.h"
#include "oracle/judged_targets.h"
#include "oracle/pipeline_contract.h"
#include "oracle/source_run.h"
#include "oracle/witness.h"

namespace passdiff {
namespace checks::outputs_refine {
namespace {

// The verdict on a target that our IR cannot hold, so that the interpreter cannot run it: the subject's own machine does.
Verdict judge_unreadable(const CheckContext& context) {
  if (context.source.returned() == nullptr) return context.source.verdict();
  // If the pass changes the calls, how to call the target is known only from the target, which is not readable.
  if (!context.judges_unreadable || context.contract.changes_calls()) {
    return {.symptom = Symptom::unsupported,
            .stage = Stage::execute,
            .site = context.unreadable,
            .detail = "not judged: " + context.unreadable};
  }
  return context.witness.judge(context.pipeline, context.contract, context.plan, context.unreadable);
}

// Whether the target's value refines the source's, which both are run for again and again where roundings may explain a difference.
Comparison compare(const CheckContext& context, const SourceRun& source, const Value& value) {
  const Contract& contract = context.contract.joined;
  const Rerun rerun_target = [&](const Rounding& rounding) { return context.run_target(source.test().arguments, rounding); };
  // What a pass folds by running compiled code is as accurate as the compiler's library functions.
  const Rerun rerun_source = contract.executes ? source.rerun_as_compiled() : source.rerun();
  Comparison comparison =
      compare_values(source.returned()->value, value, {contract.numerics, &source.precision()}, rerun_source, rerun_target);
  if (is_finding(comparison.symptom) && source.leaves_values_open(contract.numerics)) {
    comparison.symptom = Symptom::inconclusive;
    comparison.reasons.emplace_back(kValuesLeftOpen);
  }
  return comparison;
}

// What the target does and the source does not.
Verdict only_in_target(const CheckContext& context, Symptom symptom, const UndefinedRecord& record) {
  return {.symptom = symptom,
          .stage = Stage::compare,
          .site = std::string(rule_name(record.rule)),
          .detail = "target: " + describe(record),
          .place = place_of(record, *context.target, kTargetFile)};
}

// Compares the values that source and target returned.
std::optional<Verdict> refine_values(const CheckContext& context, const SourceRun& source, const Returned& returned) {
  const Contract& contract = context.contract.joined;
  const Comparison* known = source.known_comparison(contract, context.pipeline, returned.value);
  Comparison comparison = known != nullptr ? *known : compare(context, source, returned.value);
  if (known == nullptr) source.remember(contract, context.pipeline, returned.value, comparison);
  if (comparison.symptom != Symptom::agree) {
    return Verdict{.symptom = comparison.symptom,
                   .stage = Stage::compare,
                   .site = site_of(comparison),
                   .detail = std::move(comparison.detail),
                   .leaf = std::move(comparison.leaf),
                   .reasons = std::move(comparison.reasons)};
  }
  context.reasons = std::move(comparison.reasons);
  // Later passes rely on what blocks declare; but only a subject that analyses what they access can show that a run contradicts it.
  if (!returned.contradictions.empty() && source.returned()->contradictions.empty()) {
    const Symptom symptom = context.subject.analyses_blocks() ? Symptom::ill_formed : Symptom::unconfirmed;
    Verdict verdict = only_in_target(context, symptom, returned.contradictions.front());
    verdict.contradiction = true;
    return verdict;
  }
  if (returned.overflows.empty()) return std::nullopt;
  const bool may_reassociate = contract.numerics != Numerics::exact;
  return only_in_target(context, may_reassociate ? Symptom::inconclusive : Symptom::added_undefined, returned.overflows.front());
}

// Whether the source has branches, which may hang on values that another order of computation makes others. Of what a target does in no branch
// such values say nothing.
bool leaves_branches_open(const CheckContext& context, const SourceRun& source) {
  return features_of(source.test().module).contains("if") && source.leaves_values_open(context.contract.joined.numerics);
}

std::optional<Verdict> refine(const CheckContext& context, const SourceRun& source, const Outcome& target_run) {
  if (const auto* returned = std::get_if<Returned>(&target_run)) return refine_values(context, source, *returned);
  const auto* undefined = std::get_if<Undefined>(&target_run);
  const auto* trapped = std::get_if<Trapped>(&target_run);
  if ((undefined != nullptr || trapped != nullptr) && leaves_branches_open(context, source))
    return Verdict{.symptom = Symptom::inconclusive, .stage = Stage::compare, .detail = std::string(kValuesLeftOpen)};
  if (undefined != nullptr) {
    if (undefined->records.back().rule == UndefinedRule::uninitialised_read && source.returned()->from_nothing) {
      return Verdict{.symptom = Symptom::inconclusive,
                     .stage = Stage::compare,
                     .detail = "compiled code leaves unset what is made of no elements"};
    }
    return only_in_target(context, Symptom::added_undefined, undefined->records.back());
  }
  if (trapped != nullptr) {
    return Verdict{.symptom = Symptom::added_trap,
                   .stage = Stage::compare,
                   .site = trapped->code,
                   .detail = "target: " + trapped->message};
  }
  if (const auto* wrong = std::get_if<WrongType>(&target_run)) return verdict_on(*wrong);
  const auto* unsupported = std::get_if<Unsupported>(&target_run);
  return Verdict{.symptom = unsupported == nullptr ? Symptom::limit : Symptom::unsupported,
                 .stage = Stage::execute,
                 .site = unsupported == nullptr ? std::string() : unsupported->what,
                 .detail = "target: " + to_string(target_run)};
}

void confirm(const CheckContext& context, const Outcome& target_run, Verdict& verdict) {
  if (verdict.contradiction) return context.witness.confirm_contradiction(context.pipeline, verdict);
  const bool of_values = verdict.symptom == Symptom::mismatch || verdict.symptom == Symptom::less_precise;
  const Value* target_value = of_values ? &std::get<Returned>(target_run).value : nullptr;
  context.witness.confirm(context.pipeline, context.plan, target_value, verdict);
}

// Runs the target, on further arguments if those of the case show nothing.
std::optional<Verdict> judge_values(const CheckContext& context) {
  const Outcome& target_run = context.target_run();
  std::optional<Verdict> verdict = refine(context, context.source, target_run);
  if (!verdict || !is_finding(verdict->symptom) || verdict->contradiction) {
    std::optional<Verdict> further = context.further_finding([&](const SourceRun& run) {
      std::optional<Verdict> found = refine(context, run, context.run_target(run.test().arguments));
      return found && found->contradiction && verdict ? std::nullopt : found;  // the case's own arguments show one already
    });
    if (further) return further;
  }
  if (verdict && is_finding(verdict->symptom) && context.options.confirm) confirm(context, target_run, *verdict);
  return verdict;
}

std::optional<Verdict> judge(const CheckContext& context) {
  if (context.target == nullptr) return judge_unreadable(context);
  const Returned* source = context.source.returned();
  if (source == nullptr) return context.source.verdict();
  if (context.unchanged) {
    context.reasons = {"the pass returns the module as it was"};
    return std::nullopt;
  }
  if (!source->overflows.empty()) return context.source.verdict();
  // The machine confirms one pipeline, and not the next; without it, equal targets have equal verdicts.
  if (context.options.confirm) return judge_values(context);
  const Judgement& judgement = context.judged.of(context, [&] { return Judgement{judge_values(context), context.reasons}; });
  context.reasons = judgement.reasons;
  return judgement.verdict;
}

}  // namespace
}  // namespace checks::outputs_refine

std::vector<Check> outputs_refine_rows() {
  using namespace checks::outputs_refine;
  return {{.name = "outputs-refine",
           .promise = "on the same arguments the target returns what the source returns, undefined behaviour apart",
           .after = "convention",
           .judge = judge}};
}

}  // namespace passdiff
