#include "oracle/check.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/ir/structural.h"
#include "core/form/well_formed.h"
#include "oracle/check_names.h"
#include "oracle/compare.h"
#include "oracle/execute.h"
#include "oracle/pipeline_contract.h"
#include "oracle/source_run.h"
#include "oracle/witness.h"

namespace passdiff {
namespace {

// The site of a verdict that is the subject's own checker's alone.
constexpr std::string_view kSubjectChecker = "subject-checker";

constexpr std::array kChecks = {
    CheckInfo{kTransforms,
              "the pass neither crashes, hangs, eats memory, nor fails with an error it does not declare",
              false},
    CheckInfo{kInputUntouched, "the pass leaves the module it is given as it was", false},
    CheckInfo{kWellFormed, "the target is well-formed, by our rules and by the subject's own checker", false},
    CheckInfo{kConvention, "the target can be called as the pass's contract says", false},
    CheckInfo{kOutputsRefine,
              "on the same arguments the target returns what the source returns, undefined behaviour apart",
              false},
    CheckInfo{
        kVmAgrees,
        "the subject's own machine, running the target, returns what the interpreter says of the source",
        true},
    CheckInfo{kIdempotent, "applying the pass twice equals applying it once, where the contract says so",
              true},
    CheckInfo{kSequential, "the subject's Sequential does what calling the passes one by one does", true},
    CheckInfo{kRepeatable, "two runs of the pass give equal targets", true},
};

// Checks the pipelines of one test case against one execution of the source.
class CaseCheck {
 public:
  CaseCheck(Subject& subject, const TestCase& test, const CheckOptions& options)
      : subject_(subject), test_(test), options_(options), source_(test), witness_(subject, source_) {}

  std::vector<Checked> run(std::span<const Pipeline> pipelines) {
    std::vector<PipelineContract> contracts;
    contracts.reserve(pipelines.size());
    for (const Pipeline& pipeline : pipelines) contracts.push_back(contract_of_pipeline(subject_, pipeline));
    std::vector<TransformReply> replies = transform(pipelines, contracts);
    CHECK(replies.size() == pipelines.size()) << subject_.name() << ": a reply per pipeline";
    std::vector<Checked> results;
    results.reserve(pipelines.size());
    for (std::size_t i = 0; i < pipelines.size(); ++i) {
      results.push_back(judge(pipelines[i], contracts[i], std::move(replies[i])));
      results.back().verdict.culprit = culprit_name(pipelines[i], replies[i].pass_index);
    }
    return results;
  }

 private:
  // Several passes whose calls differ: what each is called like shows in the module after it.
  static bool needs_snapshots(const PipelineContract& contract) {
    return contract.each.size() >= 2 && contract.changes_calls();
  }

  std::vector<TransformReply> transform(std::span<const Pipeline> pipelines,
                                        std::span<const PipelineContract> contracts) {
    TransformOptions options{.cpu_seconds = options_.cpu_seconds};
    if (std::none_of(contracts.begin(), contracts.end(), needs_snapshots))
      return subject_.transform(test_.module, pipelines, options);
    std::vector<Pipeline> plain;
    for (std::size_t i = 0; i < pipelines.size(); ++i) {
      if (!needs_snapshots(contracts[i])) plain.push_back(pipelines[i]);
    }
    std::vector<TransformReply> plain_replies = subject_.transform(test_.module, plain, options);
    options.snapshots = true;
    std::vector<TransformReply> replies;
    std::size_t next = 0;
    for (std::size_t i = 0; i < pipelines.size(); ++i) {
      if (needs_snapshots(contracts[i])) {
        replies.push_back(
            std::move(subject_.transform(test_.module, pipelines.subspan(i, 1), options).at(0)));
      } else {
        replies.push_back(std::move(plain_replies.at(next++)));
      }
    }
    return replies;
  }

  static std::string culprit_name(const Pipeline& pipeline, int pass_index) {
    if (pipeline.empty()) return {};
    const auto last = static_cast<int>(pipeline.size()) - 1;
    return pipeline[static_cast<std::size_t>(std::clamp(pass_index, 0, last))].name;
  }

  Checked judge(const Pipeline& pipeline, const PipelineContract& contract, TransformReply&& reply) {
    Checked checked;
    checked.seconds_in_pass = reply.seconds_in_pass;
    checked.plan = source_.plan();
    auto* transformed = std::get_if<Transformed>(&reply.result);
    if (transformed == nullptr) {
      checked.verdict = judge_failure(reply, contract);
      return checked;
    }
    if (reply.input_mutated) {
      checked.target = std::move(transformed->target);
      checked.verdict = make_verdict(Symptom::input_mutated, Stage::transform, kInputUntouched, {},
                                     "the pass changed the module it was given");
      return checked;
    }
    if (!transformed->unreadable.empty()) {
      checked.verdict = reply.subject_well_formed.value_or(true)
                            ? judge_lowered(pipeline, contract, transformed->unreadable)
                            : subject_objects();
      return checked;
    }
    if (!transformed->unchanged) checked.target = std::move(transformed->target);
    const Module& target = checked.target ? *checked.target : test_.module;
    checked.verdict = judge_target(pipeline, contract, target, transformed->unchanged, reply, checked.plan);
    if (checked.verdict.symptom == Symptom::agree) sampled_checks(pipeline, contract, target, checked);
    return checked;
  }

  Verdict judge_failure(const TransformReply& reply, const PipelineContract& contract) const {
    if (const auto* build = std::get_if<CannotBuild>(&reply.result)) {
      return make_verdict(Symptom::unsupported, Stage::generate, kTransforms, build->kind + " " + build->site,
                          build->message);
    }
    // A pass that must run an undefined operation to fold it may die of it.
    const bool undefined_source = source_.is_undefined() && contract.joined.executes;
    if (const auto* refused = std::get_if<Refused>(&reply.result)) {
      const Contract& own = contract.each.at(static_cast<std::size_t>(reply.pass_index));
      for (std::string_view allowed : own.rejections) {
        if (refused->kind == allowed || refused->site.find(allowed) != std::string::npos) {
          return make_verdict(Symptom::rejected, Stage::transform, kTransforms, refused->site,
                              refused->message);
        }
      }
      return make_verdict(undefined_source ? Symptom::undefined_folded : Symptom::internal_error,
                          Stage::transform, kTransforms, refused->site, refused->message);
    }
    if (const auto* crash = std::get_if<Crash>(&reply.result)) {
      return make_verdict(undefined_source ? Symptom::undefined_folded : Symptom::crash, Stage::transform,
                          kTransforms,
                          crash->site.empty() ? crash->signal : crash->signal + " " + crash->site,
                          fmt::format("the compiler died of {}", crash->signal));
    }
    if (const auto* timeout = std::get_if<Timeout>(&reply.result)) {
      return make_verdict(undefined_source ? Symptom::undefined_folded : Symptom::timeout, Stage::transform,
                          kTransforms, {},
                          fmt::format("no result after {} s of CPU time", timeout->cpu_seconds));
    }
    return make_verdict(Symptom::memory, Stage::transform, kTransforms, {},
                        "the pass used up the memory that the worker may take");
  }

  // Our IR cannot hold the target: its meaning is what the subject's own machine makes of it.
  Verdict judge_lowered(const Pipeline& pipeline, const PipelineContract& contract,
                        const std::string& unreadable) {
    if (source_.returned() == nullptr) return source_.verdict();
    // How to call a target that cannot be read is not known where the pass changes the calls.
    if (options_.vm_one_in == 0 || contract.changes_calls()) {
      return make_verdict(Symptom::unsupported, Stage::execute, kOutputsRefine, unreadable,
                          "not judged: " + unreadable);
    }
    return witness_.judge(pipeline, contract, source_.plan(), unreadable);
  }

  Verdict judge_target(const Pipeline& pipeline, const PipelineContract& contract, const Module& target,
                       bool unchanged, const TransformReply& reply, CallPlan& plan) {
    if (unchanged) {
      if (source_.returned() == nullptr) return source_.verdict();
      return make_verdict(Symptom::agree, Stage::compare, kOutputsRefine);
    }
    Verdict form = judge_form(target, reply.subject_well_formed);
    const Verdict call = judge_convention(contract, target, reply.snapshots, plan);
    if (form.symptom != Symptom::agree) {
      // Only our checker objects, and its word alone is no finding.
      if (form.symptom == Symptom::ill_formed && form.site != kSubjectChecker &&
          reply.subject_well_formed.value_or(false) && options_.confirm) {
        witness_.confirm_form(pipeline, plan, form);
      }
      return form;
    }
    if (call.symptom != Symptom::agree) return call;
    return judge_values(pipeline, contract, target, plan);
  }

  Verdict judge_form(const Module& target, std::optional<bool> subject_well_formed) {
    const std::optional<Error> fault = well_formed(target);
    if (!fault) return subject_well_formed.value_or(true) ? Verdict{} : subject_objects();
    if (fault->code != "form.wrong-type") {
      return make_verdict(Symptom::ill_formed, Stage::check, kWellFormed, fault->code, fault->message);
    }
    // A call that traps in the source may show in the target that it cannot be typed: where dims are known better there.
    if (source_.returned() == nullptr) return source_.verdict();
    // The subject's own inference, if it has one, decides whether the types are wrong.
    const bool wrong = subject_.contradicts_types(target, options_.cpu_seconds).value_or(true);
    const Symptom symptom = wrong ? Symptom::wrong_type : Symptom::unconfirmed;
    return make_verdict(symptom, Stage::check, kWellFormed, fault->code, fault->message);
  }

  static Verdict subject_objects() {
    return make_verdict(Symptom::ill_formed, Stage::check, kWellFormed, std::string(kSubjectChecker),
                        "the subject's own well-formedness checker rejects the target");
  }

  Verdict judge_convention(const PipelineContract& contract, const Module& target,
                           const std::vector<std::optional<Module>>& snapshots, CallPlan& plan) const {
    const Module* before = &test_.module;
    for (std::size_t i = 0; i < contract.each.size(); ++i) {
      // Without snapshots no pass changes the calls, or there is one pass alone.
      const bool seen = i + 1 < contract.each.size() && i < snapshots.size() && snapshots[i];
      const Module* after = seen ? &*snapshots[i] : &target;
      Result<CallPlan> next = apply_convention(contract.each[i].convention, plan, *before, *after);
      if (!next) {
        const bool unknown = next.error().code == kComposedConvention;
        return make_verdict(unknown ? Symptom::unsupported : Symptom::signature, Stage::check, kConvention,
                            next.error().code, next.error().message);
      }
      plan = *std::move(next);
      before = after;
    }
    const GlobalFunction* entry = target.find(plan.steps.back().function);
    if (entry == nullptr) {
      return make_verdict(Symptom::signature, Stage::check, kConvention, "convention.missing-function",
                          "the target has no function " + plan.steps.back().function);
    }
    if (entry->function->params.size() != plan.steps.back().args.size()) {
      return make_verdict(Symptom::signature, Stage::check, kConvention, "convention.arity",
                          fmt::format("{}: {} parameters against {} arguments", entry->name,
                                      entry->function->params.size(), plan.steps.back().args.size()));
    }
    return {};
  }

  Verdict judge_values(const Pipeline& pipeline, const PipelineContract& contract, const Module& target,
                       const CallPlan& plan) {
    if (source_.returned() == nullptr) return source_.verdict();
    const Outcome target_run = run_plan(target, plan, test_.arguments);
    Verdict judged = refine(contract, target, plan, target_run);
    if (is_finding(judged.symptom) && options_.confirm) witness_.confirm(pipeline, plan, judged);
    return judged;
  }

  Verdict refine(const PipelineContract& contract, const Module& target, const CallPlan& plan,
                 const Outcome& target_run) {
    if (!source_.returned()->overflows.empty()) return source_.verdict();
    if (const auto* undefined = std::get_if<Undefined>(&target_run)) {
      return make_verdict(Symptom::added_undefined, Stage::compare, kOutputsRefine,
                          std::string(rule_name(undefined->records.back().rule)),
                          "target: " + describe(undefined->records.back()));
    }
    if (const auto* trapped = std::get_if<Trapped>(&target_run)) {
      return make_verdict(Symptom::added_trap, Stage::compare, kOutputsRefine, trapped->code,
                          "target: " + trapped->message);
    }
    if (const auto* wrong = std::get_if<WrongType>(&target_run)) {
      return make_verdict(Symptom::wrong_type, Stage::compare, kOutputsRefine, {},
                          fmt::format("target: {}: {}", wrong->binding, wrong->message));
    }
    const auto* returned = std::get_if<Returned>(&target_run);
    if (returned == nullptr) {
      const bool limit = std::holds_alternative<LimitExceeded>(target_run);
      return make_verdict(limit ? Symptom::limit : Symptom::unsupported, Stage::execute, kOutputsRefine, {},
                          "target: " + to_string(target_run));
    }
    const Comparison comparison = compare(contract, target, plan, returned->value);
    const bool target_overflows = !returned->overflows.empty();
    if (target_overflows && comparison.symptom == Symptom::agree) {
      const bool may_reassociate = contract.joined.numerics != Numerics::exact;
      return make_verdict(may_reassociate ? Symptom::inconclusive : Symptom::added_undefined, Stage::compare,
                          kOutputsRefine, std::string(rule_name(UndefinedRule::signed_overflow)),
                          "target: " + describe(returned->overflows.front()));
    }
    return make_verdict(comparison.symptom, Stage::compare, kOutputsRefine, {}, comparison.detail);
  }

  Comparison compare(const PipelineContract& contract, const Module& target, const CallPlan& plan,
                     const Value& returned) {
    const Rerun rerun_target = [&](const Rounding& rounding) {
      return run_plan(target, plan, test_.arguments, {.rounding = rounding});
    };
    const double accuracy = contract.joined.executes ? 64 * library_accuracy(test_.module) : 1;
    return compare_values(source_.returned()->value, returned, {contract.joined.numerics, accuracy},
                          source_.rerun(), rerun_target);
  }

  bool sampled(unsigned one_in) {
    if (one_in == 0) return false;
    if (one_in == 1) return true;
    if (!hash_) hash_ = structural_hash(test_.module);
    return *hash_ % one_in == 0;
  }

  // Costly checks, on a sample; the first that fails decides.
  void sampled_checks(const Pipeline& pipeline, const PipelineContract& contract, const Module& target,
                      Checked& checked) {
    if (sampled(options_.sequential_one_in)) check_sequential(pipeline, target, checked.verdict);
    if (is_finding(checked.verdict.symptom)) return;
    if (contract.joined.idempotent && checked.target && sampled(options_.repeat_one_in))
      check_idempotent(pipeline, target, checked.verdict);
    if (is_finding(checked.verdict.symptom)) return;
    if (sampled(options_.vm_one_in)) {
      const Verdict by_machine = witness_.judge(pipeline, contract, checked.plan, {});
      if (is_finding(by_machine.symptom)) checked.verdict = by_machine;
    }
  }

  std::optional<Module> once(const Module& module, const Pipeline& pipeline, bool sequential) {
    const TransformOptions transform{
        .subject_well_formed = false, .sequential = sequential, .cpu_seconds = options_.cpu_seconds};
    auto replies = subject_.transform(module, std::span(&pipeline, 1), transform);
    auto* transformed = std::get_if<Transformed>(&replies.at(0).result);
    if (transformed == nullptr || !transformed->unreadable.empty()) return std::nullopt;
    return transformed->unchanged ? module : std::move(transformed->target);
  }

  void check_sequential(const Pipeline& pipeline, const Module& target, Verdict& judged) {
    const auto again = once(test_.module, pipeline, false);
    if (again && !structural_equal(*again, target)) {
      judged = make_verdict(Symptom::nondeterministic, Stage::check, kRepeatable, {},
                            "two runs of the pass differ");
      return;
    }
    const auto through = once(test_.module, pipeline, true);
    if (through && !structural_equal(*through, target)) {
      judged = make_verdict(Symptom::sequential_differs, Stage::check, kSequential, {},
                            "Sequential gives another target");
    }
  }

  void check_idempotent(const Pipeline& pipeline, const Module& target, Verdict& judged) {
    const auto twice = once(target, pipeline, false);
    if (twice && !structural_equal(*twice, target)) {
      judged = make_verdict(Symptom::not_idempotent, Stage::check, kIdempotent, {},
                            "a second run of the pass changes the target again");
    }
  }

  Subject& subject_;
  const TestCase& test_;
  const CheckOptions& options_;
  SourceRun source_;
  Witness witness_;
  std::optional<std::uint64_t> hash_;
};

}  // namespace

std::span<const CheckInfo> all_checks() {
  return kChecks;
}

std::vector<Checked> check(Subject& subject, const TestCase& test, std::span<const Pipeline> pipelines,
                           const CheckOptions& options) {
  return CaseCheck(subject, test, options).run(pipelines);
}

Checked check(Subject& subject, const TestCase& test, const Pipeline& pipeline, const CheckOptions& options) {
  return std::move(check(subject, test, std::span(&pipeline, 1), options).front());
}

}  // namespace passdiff
