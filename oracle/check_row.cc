#include "oracle/check_row.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/form/well_formed.h"
#include "oracle/check.h"
#include "oracle/execute.h"
#include "oracle/judged_targets.h"
#include "oracle/pipeline_contract.h"
#include "oracle/source_run.h"
#include "oracle/witness.h"

namespace passdiff {
namespace {

std::vector<Check> in_order(std::vector<Check> rows) {
  std::vector<Check> ordered;
  const auto is_ready = [&](const Check& row) {
    return row.after.empty() || std::any_of(ordered.begin(), ordered.end(), [&](const Check& earlier) {
             return earlier.name == row.after;
           });
  };
  while (!rows.empty()) {
    const auto next = std::find_if(rows.begin(), rows.end(), is_ready);
    CHECK(next != rows.end()) << rows.front().name << ": no check " << rows.front().after
                              << " can be made before it";
    ordered.push_back(*next);
    rows.erase(next);
  }
  return ordered;
}

}  // namespace

std::span<const Check> all_checks() {
  static const std::vector<Check> rows = in_order(joined_checks());
  return rows;
}

const Check* find_check(std::string_view name) {
  const std::span<const Check> rows = all_checks();
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Check& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

std::optional<Verdict> judged_by_machine(const CheckContext& context) {
  return context.machine_judged
      .of(context,
          [&]() -> Judgement {
            Verdict verdict = context.options.only_compiles ? context.witness.judge_compilation(context.pipeline, context.contract, context.plan)
                                                            : context.witness.judge(context.pipeline, context.contract, context.plan, {});
            if (!is_finding(verdict.symptom)) return {};
            return {std::move(verdict)};
          })
      .verdict;
}

Verdict verdict_on(const WrongType& wrong) {
  return {.symptom = Symptom::wrong_type,
          .stage = Stage::compare,
          .site = std::string(kWrongType),
          .detail = fmt::format("target: {}: {}", wrong.binding, wrong.message)};
}

namespace {

std::optional<Module> run_again(const CheckContext& context, const Module& module, const Pipeline& pipeline, std::size_t together) {
  const TransformOptions quick{.subject_well_formed = false,
                               .again = true,
                               .together = together,
                               .cpu_seconds = context.options.cpu_seconds,
                               .interprets_constants = context.options.interprets_constants,
                               .trusts_types = context.options.trusts_types};
  auto replies = context.subject.transform(module, std::span(&pipeline, 1), quick);
  context.seconds_in_pass += replies.at(0).seconds_in_pass;
  auto* reply_target = std::get_if<Transformed>(&replies.at(0).result);
  if (reply_target == nullptr || !reply_target->unreadable.empty()) return std::nullopt;
  return reply_target->unchanged ? module : std::move(reply_target->target);
}

}  // namespace

Outcome CheckContext::run_target(std::span<const Value> arguments, const Rounding& rounding) const {
  return run_plan(*target, plan, arguments, {.rounding = rounding, .known_runs = source.known_runs()});
}

const Outcome& CheckContext::target_run() const {
  if (!target_outcome) target_outcome = run_target(test.arguments);
  return *target_outcome;
}

std::optional<Module> CheckContext::transformed(const Module& module, const TransformOptions& how) const {
  return run_again(*this, module, pipeline, how.together);
}

std::optional<Module> CheckContext::transformed_twice() const {
  Pipeline twice = pipeline;
  twice.insert(twice.end(), pipeline.begin(), pipeline.end());
  return run_again(*this, test.module, twice, 0);
}

std::optional<Verdict> CheckContext::further_finding(
    const std::function<std::optional<Verdict>(const SourceRun&)>& judge) const {
  if (contract.joined.binds_arguments) return std::nullopt;
  // With infinities and extremes another order of computation makes NaN of what was none.
  const bool exact = contract.joined.numerics == Numerics::exact && !contract.joined.executes;
  for (const FurtherRun& run : further.all()) {
    if (run.floats == FloatValues::special && !exact) continue;
    const Returned* returned = run.source.returned();
    if (returned == nullptr || !returned->overflows.empty()) continue;
    std::optional<Verdict> verdict = judge(run.source);
    if (!verdict || !is_finding(verdict->symptom)) continue;
    verdict->arguments = run.test.arguments;
    return verdict;
  }
  return std::nullopt;
}

}  // namespace passdiff
