#include "core/form/well_formed.h"

#include "oracle/check.h"
#include "oracle/check_row.h"
#include "oracle/source_run.h"
#include "oracle/witness.h"

namespace passdiff {
namespace checks::well_formedness {
namespace {

Verdict subject_objects(const TransformReply& reply) {
  return {.symptom = Symptom::ill_formed,
          .stage = Stage::check,
          .site = reply.subject_fault.empty() ? "subject-checker" : reply.subject_fault,
          .detail = "the subject's own well-formedness checker rejects the target",
          .complaint = reply.subject_complaint};
}

// The run of a target whose types the subject does not refute: a value may have another type than the subject infers for it. None of lowered
// modules: functions of TensorIR with operands of two dtypes are refused before there is a value.
std::optional<Outcome> run_with_doubtful_types(const CheckContext& context) {
  if (context.uncallable || !context.target->prim_funcs.empty()) return std::nullopt;
  return context.target_run();
}

// Whether the subject's machine is asked: inference does not look at the arguments of calls, but a machine that is handed a tensor where the callee
// expects a function fails. Where our run ends at such a call, it is asked always; about other faults that targets of the case share, once.
bool asks_machine(const CheckContext& context, const std::optional<Outcome>& run, const Error& fault) {
  if (context.uncallable) return false;
  const auto* trapped = run ? std::get_if<Trapped>(&*run) : nullptr;
  if (context.options.confirm || (trapped != nullptr && trapped->code == kRefusedArgument)) return true;
  return context.options.sampling.compiling_one_in() != 0 && !context.settled_doubts.contains(fault.message);
}

// The verdict where our checker objects to a type that the target declares.
Verdict judge_type(const CheckContext& context, const Error& fault) {
  // A pass that knows dims better than the source can turn a call that fails at run time into one that cannot be typed; that is
  // no bug of the pass.
  if (context.source.returned() == nullptr) return context.source.verdict();
  // The subject's own inference, if it has one, decides whether the types are those that it infers.
  const bool wrong =
      context.subject.contradicts_types(*context.target, context.options.cpu_seconds).value_or(true);
  if (!wrong) {
    const std::optional<Outcome> run = run_with_doubtful_types(context);
    if (const auto* other = run ? std::get_if<WrongType>(&*run) : nullptr) return verdict_on(*other);
    if (asks_machine(context, run, fault)) {
      if (auto verdict = judged_by_machine(context)) return *std::move(verdict);
      context.settled_doubts.insert(fault.message);
    }
  }
  return {.symptom = wrong ? Symptom::wrong_type : Symptom::unconfirmed,
          .stage = Stage::check,
          .site = fault.code,
          .detail = fault.message};
}

std::optional<Verdict> judge(const CheckContext& context) {
  if (context.unchanged) return std::nullopt;
  const std::optional<bool> subjects_word = context.reply.subject_well_formed;
  const std::optional<Error> fault = context.target == nullptr ? std::nullopt : well_formed(*context.target, context.well_formed_prim_funcs);
  // Recorded modules may be ill-formed before any pass touches them.
  if (fault) {
    if (const std::optional<Error> before = well_formed(context.test.module); before && before->code == fault->code) {
      return Verdict{.symptom = Symptom::unsupported, .stage = Stage::check, .site = fault->code, .detail = "source: " + before->message};
    }
  }
  if (!fault) return subjects_word.value_or(true) ? std::nullopt : std::optional(subject_objects(context.reply));
  if (fault->code == kWrongType) return judge_type(context, *fault);
  Verdict verdict{.symptom = Symptom::ill_formed,
                  .stage = Stage::check,
                  .site = fault->code,
                  .detail = fault->message,
                  .complaint = context.reply.subject_complaint};
  // If the subject's own checker is content, the objection of ours is no finding unless the machine confirms it.
  if (subjects_word.value_or(false) && context.options.confirm)
    context.witness.confirm_form(context.pipeline, context.plan, verdict);
  return verdict;
}

}  // namespace
}  // namespace checks::well_formedness

std::vector<Check> well_formed_rows() {
  using namespace checks::well_formedness;
  return {{.name = "well-formed",
           .promise = "the target is well-formed, by our rules and by the subject's own checker",
           .after = "input-untouched",
           .judge = judge}};
}

}  // namespace passdiff
