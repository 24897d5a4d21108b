#include "oracle/witness.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "oracle/contradiction.h"
#include "oracle/pipeline_contract.h"

namespace passdiff {
namespace {

std::string why_not(std::string_view side, const VmReply& reply) {
  return fmt::format("the {} does not {}: {}", side, reply.stage, reply.error.message);
}

void retract(Verdict& verdict, const std::string& why) {
  verdict.symptom = Symptom::unconfirmed;
  verdict.detail += "; " + why;
}

// The finding may be one or not: whoever asks again may get an answer.
void lose(Verdict& verdict, const Refused& error) {
  verdict.symptom = Symptom::unsupported;
  verdict.stage = Stage::execute;
  verdict.site = error.site;
  verdict.detail = error.message;
}

// Whether this, of code that is made without a pass, says that there is no such code.
bool needs_pass(const std::optional<VmReply>& without) {
  return without && without->answered && !without->value && without->stage != "run";
}

bool fails_to_run(const std::optional<VmReply>& reply) {
  return reply && reply->answered && !reply->value && reply->stage == "run";
}

Verdict by_machine(Symptom symptom, Stage stage, std::string site, std::string detail) {
  return {.symptom = symptom,
          .stage = stage,
          .check = std::string(kVmAgrees),
          .site = std::move(site),
          .detail = std::move(detail)};
}

Verdict by_comparison(const Comparison& comparison) {
  Verdict verdict = by_machine(comparison.symptom, Stage::compare, site_of(comparison), comparison.detail);
  verdict.leaf = comparison.leaf;
  verdict.reasons = comparison.reasons;
  return verdict;
}

Verdict unanswered(const VmReply& reply) {
  return by_machine(Symptom::unsupported, Stage::execute, reply.error.site, reply.error.message);
}

// Whether the build of the source fails since it runs a pass that it needs: code that is made without the pass is wanting elsewhere.
bool fails_by_needed_pass(const VmReply& source, const std::optional<VmReply>& without) {
  return source.stage == "compile" && needs_pass(without) && without->error.site != source.error.site;
}

// On a target that returned nothing, where the source does.
Verdict verdict_without_value(const VmReply& target, const PipelineContract& contract, const std::string& unreadable) {
  if (target.stage == "lower") {
    return by_machine(Symptom::unsupported, Stage::execute, unreadable, "the machine cannot run the target: " + target.error.message);
  }
  // What a pass may refuse itself, the compiler may refuse of its target, and of what later passes make of that.
  const bool refused = std::ranges::any_of(contract.each, [&](const Contract& each) { return is_rejection(each, target.error); });
  return by_machine(refused ? Symptom::rejected : Symptom::does_not_compile, Stage::execute, target.error.site, why_not("target", target));
}

}  // namespace

Comparison compare_with_compiled(const SourceRun& source, const Value& measured, Numerics numerics, std::string_view leaf) {
  const Value& value = source.returned()->value;
  const Value compared = with_leaf(value, measured, leaf);
  const Rerun same = [&](const Rounding&) -> Outcome { return Returned{compared, {}}; };
  // Compiled code owes no equal bits.
  const ComparisonRules rules{std::max(numerics, Numerics::reassociated), &source.precision()};
  return compare_values(value, compared, rules, source.rerun_as_compiled(), same);
}

const std::optional<VmReply>& Witness::baseline() {
  if (!asked_ || (baseline_ && !baseline_->answered)) baseline_ = subject_.execute(source_.test(), {}, source_.plan(), {});
  asked_ = true;
  return baseline_;
}

bool Witness::agrees_with_interpreter(const Value& measured, Numerics numerics, std::string_view leaf) const {
  const Value& value = source_.returned()->value;
  return roughly_equal(value, with_leaf(value, measured, leaf)) || !is_finding(compare_with_compiled(source_, measured, numerics, leaf).symptom);
}

bool Witness::computes_as(const Value& target, const Value& measured, std::string_view leaf) const {
  const Value& source = source_.returned()->value;
  const Value claimed = with_leaf(source, target, leaf), seen = with_leaf(source, measured, leaf);
  return roughly_equal(claimed, seen) && !contradicts({source, claimed}, {source, seen}, source_.rerun_as_compiled());
}

std::optional<bool> Witness::differ(const Pipeline& before, const Pipeline& pipeline, const CallPlan& plan, const MachineCode& code) {
  const auto first = subject_.execute(source_.test(), before, source_.plan(), code);
  const auto target = subject_.execute(source_.test(), pipeline, plan, code);
  if (!first || !first->value || !target || !target->value) return std::nullopt;
  return !roughly_equal(*first->value, *target->value);
}

bool Witness::is_made_by_passes_before(const Pipeline& pipeline, const CallPlan& plan, std::string_view without) {
  if (pipeline.size() < 2) return false;
  const Pipeline before(pipeline.begin(), pipeline.end() - 1);
  return !differ(before, pipeline, plan, {.without = without}).value_or(true) &&
         !differ(before, pipeline, plan, {.optimised = true, .without = without}).value_or(false);
}

bool Witness::ends_out_of_bounds(const Pipeline& pipeline, const CallPlan& plan, Verdict& verdict) {
  // A build that runs the judged pass, too, may make code of the source that leaves its bounds, and what such code overwrites may be anything.
  MachineCode code{.without = pipeline.back().name, .asserts_bounds = true};
  auto source = subject_.execute(source_.test(), {}, source_.plan(), code);
  if (!source || needs_pass(source)) {
    code.without = {};
    source = subject_.execute(source_.test(), {}, source_.plan(), code);
  }
  if (!source || !source->value || !agrees_with_interpreter(*source->value, Numerics::exact, verdict.leaf)) return false;
  const auto target = subject_.execute(source_.test(), pipeline, plan, code);
  const bool ends = target && !target->value && target->stage == "run" && target->error.message.find("out of bounds: ") != std::string::npos;
  const std::string without = code.without.empty() ? "" : fmt::format(" and {}", kCompiledWithoutPass);
  if (ends) verdict.detail += fmt::format("; {}{}, {}", kBoundsAsserted, without, why_not("target", *target));
  return ends;
}

const VmReply* Witness::answered_baseline(Verdict& verdict) {
  const auto& baseline = this->baseline();
  if (!baseline) return nullptr;
  if (baseline->answered) return &*baseline;
  lose(verdict, baseline->error);
  return nullptr;
}

const VmReply* Witness::run_of_source(Verdict& verdict) {
  const VmReply* const baseline = answered_baseline(verdict);
  if (baseline == nullptr || baseline->value) return baseline;
  retract(verdict, why_not("source", *baseline));
  return nullptr;
}

std::optional<Witness::SourceCode> Witness::code_of_source(std::string_view judged, const Value* target_value, Verdict& verdict) {
  const VmReply* const baseline = answered_baseline(verdict);
  if (baseline == nullptr) return std::nullopt;
  if (baseline->value && agrees_with_interpreter(*baseline->value, Numerics::exact, verdict.leaf)) return SourceCode{*baseline, {}};
  const auto other = subject_.execute(source_.test(), {}, source_.plan(), {.without = judged});
  if (other && !other->answered) {
    lose(verdict, other->error);
    return std::nullopt;
  }
  if (other && other->value && agrees_with_interpreter(*other->value, Numerics::exact, verdict.leaf)) {
    verdict.detail += fmt::format("; {}", kBuildErrsToo);
    return SourceCode{*other, judged};
  }
  if (!baseline->value) {
    retract(verdict, why_not("source", *baseline));
    return std::nullopt;
  }
  // The build needs the pass, and errs on the source as that does: nothing tells what is right but the interpreter.
  if (needs_pass(other) && target_value != nullptr && !source_.returned()->from_nothing &&
      computes_as(*target_value, *baseline->value, verdict.leaf)) {
    verdict.detail += fmt::format("; {}", kBuildErrsAlike);
  } else {
    retract(verdict, "the machine runs the source differently: " + to_string(*baseline->value));
  }
  return std::nullopt;
}

void Witness::confirm_failure(const Pipeline& pipeline, const CallPlan& plan, Verdict& verdict) {
  const auto without = subject_.execute(source_.test(), {}, source_.plan(), {.without = pipeline.back().name});
  if (without && !without->answered) return lose(verdict, without->error);
  if (!needs_pass(without)) return retract(verdict, why_not("source", *baseline()));
  const auto target = subject_.execute(source_.test(), pipeline, plan, {});
  if (!target->answered) return lose(verdict, target->error);
  if (!fails_to_run(target) || target->error.message != baseline()->error.message) return retract(verdict, why_not("source", *baseline()));
  verdict.detail += fmt::format("; {}; {}", why_not("target", *target), kBuildErrsAlike);
}

bool Witness::shows_what_is_undefined(const SourceCode& source, const Pipeline& pipeline, const CallPlan& plan, const Value& target) {
  // What is made of no elements compiled code leaves unset: that differs by chance.
  if (source_.returned()->from_nothing) return false;
  const bool differs = !roughly_equal(*source.reply.value, target) || differ({}, pipeline, plan, {.optimised = true, .without = source.without}).value_or(false);
  return differs && !is_made_by_passes_before(pipeline, plan, source.without);
}

void Witness::judge_failure(const VmReply& target, const Pipeline& pipeline, Verdict& verdict) const {
  if (target.stage != "compile" && target.stage != "lower") {
    verdict.detail += "; " + why_not("target", target);
    return;
  }
  Verdict other = verdict_without_value(target, contract_of_pipeline(subject_, pipeline), {});
  if (is_finding(other.symptom)) {
    verdict = std::move(other);
  } else {
    retract(verdict, why_not("target", target));
  }
}

void Witness::confirm(const Pipeline& pipeline, const CallPlan& plan, const Value* target_value, Verdict& verdict) {
  if (verdict.site == rule_name(UndefinedRule::index_out_of_bounds) && ends_out_of_bounds(pipeline, plan, verdict)) return;
  if (verdict.symptom == Symptom::added_trap && fails_to_run(baseline())) return confirm_failure(pipeline, plan, verdict);
  const std::optional<SourceCode> source = code_of_source(pipeline.back().name, target_value, verdict);
  if (!source) return;
  const auto target = subject_.execute(source_.test(), pipeline, plan, {.without = source->without});
  if (!target->answered) return lose(verdict, target->error);
  if (!target->value) return judge_failure(*target, pipeline, verdict);
  // That the caller's tensors are overwritten shows in these, whatever the call returns.
  if (verdict.site == rule_name(UndefinedRule::write_to_input) && target->overwrote_arguments && !source->reply.overwrote_arguments) return;
  const Value& value = source_.returned()->value;
  // Of the tensor of which the finding speaks; all others are the source's own on both sides.
  const auto of_leaf = [&](const Value& other) { return with_leaf(value, other, verdict.leaf); };
  const bool seen = target_value == nullptr
                        ? shows_what_is_undefined(*source, pipeline, plan, *target->value)
                        : !contradicts({value, of_leaf(*target_value)}, {of_leaf(*source->reply.value), of_leaf(*target->value)}, source_.rerun_as_compiled());
  if (!seen) retract(verdict, "the machine sees no difference");
}

void Witness::confirm_form(const Pipeline& pipeline, const CallPlan& plan, Verdict& verdict) {
  const VmReply* const baseline = answered_baseline(verdict);
  if (baseline == nullptr) return;
  const std::string_view judged = pipeline.back().name;
  std::string_view build;  // what is said of one that fails on the source
  if (!baseline->value) {  // as where the build runs the pass on the source, too, and fails at what that makes of it
    const auto without = subject_.execute(source_.test(), {}, source_.plan(), {.without = judged});
    if (without && !without->answered) return lose(verdict, without->error);
    const bool runs = without && without->value;
    if (!runs && !fails_by_needed_pass(*baseline, without)) return retract(verdict, why_not("source", *baseline));
    build = runs ? kBuildErrsToo : kBuildErrsAlike;
  }
  const auto target = subject_.execute(source_.test(), pipeline, plan, {.without = build == kBuildErrsToo ? judged : std::string_view()});
  if (!target->answered) return lose(verdict, target->error);
  if (target->value) return retract(verdict, "the subject's own checker and machine see no fault");
  // That the machine has no code for an op says nothing of the target's form, nor does what a pass may refuse, or what ails the source elsewhere.
  if (!is_finding(verdict_without_value(*target, contract_of_pipeline(subject_, pipeline), {}).symptom) ||
      (build == kBuildErrsAlike && target->error.site != baseline->error.site))
    return retract(verdict, why_not("target", *target));
  if (!build.empty()) verdict.detail += fmt::format("; {}", build);
  verdict.detail += "; " + why_not("target", *target);
}

void Witness::confirm_contradiction(const Pipeline& pipeline, Verdict& verdict) {
  const std::optional<BlockClaim> claim = block_claim(verdict.detail);
  BlockAnalysis analysis = claim ? subject_.analyse_block(source_.test().module, pipeline, *claim) : BlockAnalysis();
  if (!analysis.answered) return lose(verdict, analysis.error);
  if (!analysis.contradiction) return retract(verdict, "the subject's own analysis finds nothing of the kind");
  verdict.complaint = *std::move(analysis.contradiction);
}

std::optional<VmReply> Witness::call_target(const Pipeline& pipeline, const CallPlan& plan, Verdict& verdict) {
  const VmReply* const baseline = run_of_source(verdict);
  if (baseline == nullptr) return std::nullopt;
  auto target = subject_.execute(source_.test(), pipeline, plan, {});
  if (target->answered) return target;
  lose(verdict, target->error);
  return std::nullopt;
}

void Witness::confirm_result(const Pipeline& pipeline, const CallPlan& plan, const Value* result, Verdict& verdict) {
  const std::optional<VmReply> target = call_target(pipeline, plan, verdict);
  if (!target) return;
  if (!target->value) return judge_failure(*target, pipeline, verdict);
  if (result == nullptr || !roughly_equal(*result, *target->value)) retract(verdict, "the machine computes something else");
}

void Witness::confirm_undefined(const Pipeline& pipeline, const CallPlan& plan,
                                const std::function<std::optional<std::string>(const Value&)>& what_is_wrong, Verdict& verdict) {
  const std::optional<VmReply> target = call_target(pipeline, plan, verdict);
  if (!target) return;
  if (!target->value) return judge_failure(*target, pipeline, verdict);
  const std::optional<std::string> wrong = what_is_wrong(*target->value);
  if (!wrong) return retract(verdict, "what the machine returns is right");
  verdict.detail = *wrong + "; " + verdict.detail;
}

Verdict Witness::judge_compilation(const Pipeline& pipeline, const PipelineContract& contract, const CallPlan& plan) {
  const MachineCode code{.only_compiled = true};
  const auto target = subject_.execute(source_.test(), pipeline, plan, code);
  if (target && !target->answered) return unanswered(*target);
  if (!target || target->value) return by_machine(Symptom::agree, Stage::execute, {}, {});
  const auto source = subject_.execute(source_.test(), {}, source_.plan(), code);
  if (!source->answered) return unanswered(*source);
  if (!source->value) return by_machine(Symptom::unconfirmed, Stage::execute, {}, why_not("source", *source));
  return verdict_without_value(*target, contract, {});
}

Verdict Witness::judge(const Pipeline& pipeline, const PipelineContract& contract, const CallPlan& plan,
                       const std::string& unreadable) {
  const Returned& source = *source_.returned();
  if (!source.overflows.empty()) return source_.verdict();
  // The target first: one that agrees with the interpreter needs no run of the source.
  const Numerics numerics = contract.joined.numerics;
  const auto target = subject_.execute(source_.test(), pipeline, plan, {});
  if (target && !target->answered) return unanswered(*target);
  Comparison comparison;
  if (target && target->value) {
    comparison = compare_with_compiled(source_, *target->value, numerics);
    if (comparison.symptom == Symptom::agree) return by_comparison(comparison);
  }
  const auto& baseline = this->baseline();
  if (baseline && !baseline->answered) return unanswered(*baseline);
  if (!baseline || !baseline->value) {
    return by_machine(Symptom::unconfirmed, Stage::execute, unreadable,
                      baseline ? why_not("source", *baseline) : unreadable);
  }
  if (!target->value) return verdict_without_value(*target, contract, unreadable);
  if (bit_equal(*baseline->value, *target->value)) return by_machine(Symptom::agree, Stage::compare, {}, {});
  Verdict verdict = by_comparison(comparison);
  if (!is_finding(verdict.symptom)) return verdict;
  if (source.from_nothing) {
    retract(verdict, "compiled code leaves unset what is made of no elements");
  } else if (is_finding(compare_with_compiled(source_, *baseline->value, numerics, verdict.leaf).symptom)) {
    retract(verdict, "the machine runs the source differently");
  }
  return verdict;
}

}  // namespace passdiff
