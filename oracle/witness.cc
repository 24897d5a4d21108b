#include "oracle/witness.h"

#include <utility>

#include <fmt/format.h>

#include "oracle/compare.h"

namespace passdiff {
namespace {

std::string why_not(std::string_view side, const VmReply& reply) {
  return fmt::format("the {} does not {}: {}", side, reply.stage, reply.error.message);
}

void retract(Verdict& verdict, const std::string& why) {
  verdict.symptom = Symptom::unconfirmed;
  verdict.detail += "; " + why;
}

Verdict by_machine(Symptom symptom, Stage stage, std::string site, std::string detail) {
  return {.symptom = symptom,
          .stage = stage,
          .check = std::string(kVmAgrees),
          .site = std::move(site),
          .detail = std::move(detail)};
}

}  // namespace

const std::optional<VmReply>& Witness::baseline() {
  if (!asked_) baseline_ = subject_.execute(source_.test(), {}, source_.plan());
  asked_ = true;
  return baseline_;
}

void Witness::confirm(const Pipeline& pipeline, const CallPlan& plan, Verdict& verdict) {
  const auto& baseline = this->baseline();
  if (!baseline) return;
  if (!baseline->value) return retract(verdict, why_not("source", *baseline));
  if (!roughly_equal(source_.returned()->value, *baseline->value))
    return retract(verdict, "the machine runs the source differently: " + to_string(*baseline->value));
  const auto target = subject_.execute(source_.test(), pipeline, plan);
  if (!target->value) {
    verdict.detail += "; " + why_not("target", *target);
    return;
  }
  if (roughly_equal(*baseline->value, *target->value)) retract(verdict, "the machine sees no difference");
}

void Witness::confirm_form(const Pipeline& pipeline, const CallPlan& plan, Verdict& verdict) {
  const auto& baseline = this->baseline();
  if (!baseline) return;
  const auto target = baseline->value ? subject_.execute(source_.test(), pipeline, plan) : std::nullopt;
  if (target && !target->value) {
    verdict.detail += "; " + why_not("target", *target);
    return;
  }
  retract(verdict, "the subject's own checker and machine see no fault");
}

Verdict Witness::judge(const Pipeline& pipeline, const PipelineContract& contract, const CallPlan& plan,
                       const std::string& unreadable) {
  const Returned& source = *source_.returned();
  if (!source.overflows.empty()) return source_.verdict();
  const auto& baseline = this->baseline();
  if (!baseline || !baseline->value) {
    return by_machine(Symptom::unconfirmed, Stage::execute, unreadable,
                      baseline ? why_not("source", *baseline) : unreadable);
  }
  const auto target = subject_.execute(source_.test(), pipeline, plan);
  if (!target->value) {
    return by_machine(Symptom::does_not_compile, Stage::execute, target->error.site,
                      why_not("target", *target));
  }
  if (roughly_equal(*baseline->value, *target->value))
    return by_machine(Symptom::agree, Stage::compare, {}, {});
  // A difference counts only beyond the digits that rounding leaves open in the source itself.
  const Value measured = *target->value;
  const Rerun same = [&](const Rounding&) -> Outcome { return Returned{measured, {}}; };
  const double accuracy = 64 * library_accuracy(source_.test().module);
  const Comparison comparison =
      compare_values(source.value, measured, {contract.joined.numerics, accuracy}, source_.rerun(), same);
  if (comparison.symptom == Symptom::mismatch && source.from_nothing) {
    return by_machine(Symptom::unconfirmed, Stage::compare, {},
                      "compiled code leaves unset what is made of no elements; " + comparison.detail);
  }
  if (comparison.symptom == Symptom::mismatch && !roughly_equal(source.value, *baseline->value)) {
    return by_machine(Symptom::unconfirmed, Stage::compare, {},
                      "the machine runs the source differently; " + comparison.detail);
  }
  return by_machine(comparison.symptom, Stage::compare, {}, comparison.detail);
}

}  // namespace passdiff
