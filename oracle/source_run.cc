#include "oracle/source_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/tensor/rounding.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "oracle/execute.h"

namespace passdiff {
namespace {

Verdict not_judged(Symptom symptom, std::string site, const std::string& detail) {
  return {.symptom = symptom,
          .stage = Stage::execute,
          .site = std::move(site),
          .detail = "source: " + detail};
}

Verdict not_judged(const Module& source, const UndefinedRecord& record) {
  Verdict verdict = not_judged(Symptom::undefined, {}, describe(record));
  verdict.place = place_of(record, source, kSourceFile);
  return verdict;
}

// Whether a float lies within three bits of overflow, or beyond.
bool is_extreme(const Value& value) {
  if (const TupleValue* tuple = value.as_tuple()) return std::any_of(tuple->fields.begin(), tuple->fields.end(), is_extreme);
  const TensorPtr* tensor = value.as_tensor();
  if (tensor == nullptr || !is_float((*tensor)->dtype)) return false;
  const Tensor::Floats& floats = (*tensor)->floats();
  const double least = largest_finite((*tensor)->dtype) / 8;
  return std::any_of(floats.begin(), floats.end(), [least](double element) { return std::fabs(element) >= least; });
}

PassCall first_of(const Pipeline& pipeline) {
  return pipeline.empty() ? PassCall{} : pipeline.front();
}

}  // namespace

bool may_have_effects(const Module& module) {
  const auto has_effect = [](const Binding& binding) {
    const Call* call = as<Call>(binding.value);
    if (call == nullptr) return false;
    const OpDef* op = called_op(*call);
    return std::holds_alternative<ExternFunc>(call->callee) || (op != nullptr && op->eval == nullptr);
  };
  return std::ranges::any_of(module.functions,
                             [&](const GlobalFunction& global) { return any_binding<Enter::all>(global.function->body, has_effect); });
}

bool SourceRun::may_have_effects() const {
  if (!may_have_effects_) may_have_effects_ = passdiff::may_have_effects(test_.module);
  return *may_have_effects_;
}

SourceRun::SourceRun(const TestCase& test)
    : test_(test),
      plan_(direct_plan(test.entry, static_cast<int>(test.arguments.size()))),
      known_runs_(std::make_shared<KnownRuns>()),
      outcome_(run_plan(test.module, plan_, test.arguments, {.known_runs = known_runs_})) {}

Rerun SourceRun::rerun() const {
  return [this](const Rounding& rounding) {
    return run_plan(test_.module, plan_, test_.arguments, {.rounding = rounding});
  };
}

Rerun SourceRun::rerun_as_compiled() const {
  return [this](const Rounding& rounding) {
    return run_plan(test_.module, plan_, test_.arguments, {.rounding = rounding, .library_errors = true});
  };
}

bool SourceRun::leaves_values_open(Numerics numerics) const {
  if (numerics == Numerics::exact) return false;
  bool met = false;
  const auto observe = [&met](std::span<const Value> args, const Value& result) {
    met = met || is_extreme(result) || std::any_of(args.begin(), args.end(), is_extreme);
  };
  run_plan(test_.module, plan_, test_.arguments, {.observe = observe});
  return met;
}

const OutputPrecision& SourceRun::precision() const {
  if (!precision_) precision_.emplace(test_.module, test_.entry);
  return *precision_;
}

const Comparison* SourceRun::known_comparison(const Contract& contract, const Pipeline& pipeline, const Value& value) const {
  if (contract.numerics == Numerics::exact) return nullptr;  // equal bits decide at once, and the signs of zeros count
  const PassCall first = first_of(pipeline);
  // What agrees where less is allowed agrees where more is. Earlier passes of a pipeline may have used what they were allowed.
  const auto holds = [&](const Compared& one) {
    if (is_finding(one.comparison.symptom)) return one.numerics == contract.numerics && one.first == first;
    return one.numerics == contract.numerics || (one.numerics < contract.numerics && one.comparison.symptom == Symptom::agree);
  };
  const auto found = std::find_if(compared_.begin(), compared_.end(), [&](const Compared& one) {
    return holds(one) && one.executes == contract.executes && bit_equal(one.value, value);
  });
  return found == compared_.end() ? nullptr : &found->comparison;
}

void SourceRun::remember(const Contract& contract, const Pipeline& pipeline, Value value, Comparison comparison) const {
  compared_.push_back({contract.numerics, contract.executes, first_of(pipeline), std::move(value), std::move(comparison)});
}

Verdict SourceRun::verdict() const {
  if (const auto* undefined = std::get_if<Undefined>(&outcome_)) return not_judged(test_.module, undefined->records.back());
  if (const auto* trapped = std::get_if<Trapped>(&outcome_))
    return not_judged(Symptom::trapped, trapped->code, trapped->message);
  if (const auto* limit = std::get_if<LimitExceeded>(&outcome_))
    return not_judged(Symptom::limit, limit->what, "limit on " + limit->what);
  if (const Returned* returned = this->returned(); returned != nullptr && !returned->overflows.empty())
    return not_judged(test_.module, returned->overflows.front());
  return not_judged(Symptom::unsupported, {}, to_string(outcome_));
}

FurtherRun::FurtherRun(const TestCase& like, ArgumentSet set)
    : test{like.module, like.entry, std::move(set.arguments)}, floats(set.floats), source(test) {}

const std::deque<FurtherRun>& FurtherRuns::all() {
  if (wanted_) {
    for (ArgumentSet& set : more_arguments(test_)) runs_.emplace_back(test_, std::move(set));
  }
  wanted_ = false;
  return runs_;
}

std::string describe(const UndefinedRecord& record) {
  return fmt::format("{} in {} (binding {}): {}", rule_name(record.rule), record.op, record.binding,
                     record.detail);
}

std::optional<Place> place_of(const UndefinedRecord& record, const Module& module, std::string_view file) {
  if (record.statement < 0) return std::nullopt;
  const std::optional<TextLine> line = line_of_statement(module, record.op, record.statement);
  if (!line) return std::nullopt;
  return Place{std::string(file), line->number, line->text};
}

}  // namespace passdiff
