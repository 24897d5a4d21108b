#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "oracle/check.h"
#include "oracle/check_row.h"
#include "oracle/compare.h"
#include "oracle/execute.h"
#include "oracle/pipeline_contract.h"
#include "oracle/source_run.h"

namespace passdiff {
namespace checks::effects {
namespace {

using Names = std::set<std::string, std::less<>>;

// The functions that the source promises to be pure: a pass that takes the promise away (RemovePurityChecking) leaves calls that
// look like effects, and any number of them may be gone.
Names pure_functions(const std::vector<Effect>& effects) {
  Names names;
  for (const Effect& effect : effects) {
    if (effect.pure) names.insert(effect.function);
  }
  return names;
}

// What was called, and the tuple of what it was called with, call by call.
struct Trace {
  std::vector<std::string> calls;
  TupleValue arguments;
};
Trace trace_of(const std::vector<Effect>& effects, const Names& pure) {
  Trace trace;
  for (const Effect& effect : effects) {
    if (effect.pure || pure.contains(effect.function)) continue;
    trace.calls.push_back(effect.function);
    trace.arguments.fields.push_back(TupleValue{effect.arguments});
  }
  return trace;
}

std::string difference_in_calls(const Trace& source, const Trace& target) {
  const auto [mine, theirs] = std::ranges::mismatch(source.calls, target.calls);
  const auto index = mine - source.calls.begin();
  const auto name = [](const auto& at, const auto& end) { return at == end ? std::string("none") : *at; };
  return fmt::format("effect {}: {} in the source, {} in the target", index, name(mine, source.calls.end()),
                     name(theirs, target.calls.end()));
}

Verdict other_effects(std::string detail, std::vector<std::string> reasons = {}) {
  return {.symptom = Symptom::other_effects,
          .stage = Stage::compare,
          .detail = std::move(detail),
          .reasons = std::move(reasons)};
}

// Runs again, for the arguments of effects in place of the value.
Rerun arguments_of(Rerun run, const Names& pure) {
  return [run = std::move(run), &pure](const Rounding& rounding) {
    Outcome outcome = run(rounding);
    if (auto* returned = std::get_if<Returned>(&outcome))
      returned->value = trace_of(returned->effects, pure).arguments;
    return outcome;
  };
}

std::optional<Verdict> compare_effects(const CheckContext& context, const SourceRun& run) {
  const Returned* source = run.returned();
  const Rerun rerun_target = [&](const Rounding& rounding) {
    return context.run_target(run.test().arguments, rounding);
  };
  const Outcome outcome = &run == &context.source ? context.target_run() : rerun_target({});
  const auto* target = std::get_if<Returned>(&outcome);
  if (target == nullptr) return std::nullopt;  // which outputs-refine has judged
  const Names pure = pure_functions(source->effects);
  Trace before = trace_of(source->effects, pure);
  Trace after = trace_of(target->effects, pure);
  if (before.calls != after.calls) return other_effects(difference_in_calls(before, after));
  Comparison comparison = compare_values(
      std::move(before.arguments), std::move(after.arguments), {context.contract.joined.numerics, nullptr},
      arguments_of(run.rerun(), pure), arguments_of(rerun_target, pure));
  if (comparison.symptom != Symptom::mismatch) return std::nullopt;
  if (run.leaves_values_open(context.contract.joined.numerics)) return std::nullopt;
  return other_effects("arguments of effects: " + comparison.detail, std::move(comparison.reasons));
}

std::optional<Verdict> judge(const CheckContext& context) {
  if (context.unchanged || context.target == nullptr || context.source.returned() == nullptr) return std::nullopt;
  if (!context.source.may_have_effects() && !may_have_effects(*context.target)) return std::nullopt;
  const auto compare = [&](const SourceRun& run) { return compare_effects(context, run); };
  const std::optional<Verdict> verdict = compare(context.source);
  return verdict ? verdict : context.further_finding(compare);
}

}  // namespace
}  // namespace checks::effects

std::vector<Check> effects_rows() {
  using namespace checks::effects;
  return {
      {.name = "effects",
       .promise = "the target prints, and calls functions of the host, as the source does, in the same order",
       .after = "outputs-refine",
       .judge = judge}};
}

}  // namespace passdiff
