#include "oracle/symptom.h"

#include <algorithm>
#include <array>

namespace passdiff {
namespace {

constexpr std::array kSymptoms = {
    SymptomInfo{.symptom = Symptom::agree,
                .name = "agree",
                .meaning = "the target does what the source does"},

    SymptomInfo{.symptom = Symptom::mismatch,
                .name = "mismatch",
                .severity = Severity::wrong_result,
                .meaning = "wrong result",
                .evidence = Evidence::detail,
                .retractable = true},
    SymptomInfo{.symptom = Symptom::less_precise,
                .name = "less-precise",
                .severity = Severity::wrong_result,
                .meaning = "the target loses digits that the source determines",
                .evidence = Evidence::detail,
                .retractable = true},
    SymptomInfo{.symptom = Symptom::added_undefined,
                .name = "added-undefined",
                .severity = Severity::wrong_result,
                .meaning = "the target has undefined behaviour that the source has not",
                .evidence = Evidence::detail,
                .retractable = true},
    SymptomInfo{.symptom = Symptom::added_trap,
                .name = "added-trap",
                .severity = Severity::wrong_result,
                .meaning = "the target fails at run time where the source does not",
                .evidence = Evidence::detail,
                .retractable = true},
    SymptomInfo{.symptom = Symptom::other_effects,
                .name = "other-effects",
                .severity = Severity::wrong_result,
                .meaning = "the target prints, or calls functions of the host, otherwise than the source",
                .evidence = Evidence::detail},
    SymptomInfo{.symptom = Symptom::wrong_derivative,
                .name = "wrong-derivative",
                .severity = Severity::wrong_result,
                .meaning = "the function that the pass adds does not compute the derivatives",
                .evidence = Evidence::detail,
                .retractable = true},
    SymptomInfo{.symptom = Symptom::crash,
                .name = "crash",
                .severity = Severity::crash,
                .meaning = "the compiler crashes",
                .evidence = Evidence::site},
    SymptomInfo{.symptom = Symptom::timeout,
                .name = "timeout",
                .severity = Severity::crash,
                .meaning = "the pass does not end",
                .evidence = Evidence::detail},
    SymptomInfo{.symptom = Symptom::memory,
                .name = "memory",
                .severity = Severity::crash,
                .meaning = "the pass uses up all memory"},
    SymptomInfo{.symptom = Symptom::ill_formed,
                .name = "ill-formed",
                .severity = Severity::ill_formed,
                .meaning = "ill-formed target",
                .evidence = Evidence::detail,
                .retractable = true},
    SymptomInfo{.symptom = Symptom::wrong_type,
                .name = "wrong-type",
                .severity = Severity::ill_formed,
                .meaning = "the target declares a type that its values do not have",
                .evidence = Evidence::detail,
                .retractable = true},
    SymptomInfo{.symptom = Symptom::signature,
                .name = "signature",
                .severity = Severity::ill_formed,
                .meaning = "the target cannot be called as the pass promises",
                .evidence = Evidence::detail},
    SymptomInfo{.symptom = Symptom::does_not_compile,
                .name = "does-not-compile",
                .severity = Severity::ill_formed,
                .meaning = "the target no longer compiles",
                .evidence = Evidence::detail},
    SymptomInfo{.symptom = Symptom::internal_error,
                .name = "internal-error",
                .severity = Severity::refused,
                .meaning = "internal error",
                .evidence = Evidence::detail},
    SymptomInfo{.symptom = Symptom::not_kept,
                .name = "not-kept",
                .severity = Severity::broken_promise,
                .meaning = "the target lacks something of the source that values do not show",
                .evidence = Evidence::detail},
    SymptomInfo{.symptom = Symptom::input_mutated,
                .name = "input-mutated",
                .severity = Severity::broken_promise,
                .meaning = "the pass changes the module it is given"},
    SymptomInfo{.symptom = Symptom::not_idempotent,
                .name = "not-idempotent",
                .severity = Severity::broken_promise,
                .meaning = "a second run of the pass changes its own result"},
    SymptomInfo{.symptom = Symptom::sequential_differs,
                .name = "sequential-differs",
                .severity = Severity::broken_promise,
                .meaning = "a direct call and Sequential give different targets"},
    SymptomInfo{.symptom = Symptom::nondeterministic,
                .name = "nondeterministic",
                .severity = Severity::broken_promise,
                .meaning = "two runs of the pass give different targets"},

    SymptomInfo{.symptom = Symptom::undefined,
                .name = "undefined",
                .meaning = "the source itself has undefined behaviour, so that any target is right"},
    SymptomInfo{.symptom = Symptom::undefined_folded,
                .name = "undefined-folded",
                .meaning = "the pass failed while it executed an undefined operation of the source"},
    SymptomInfo{.symptom = Symptom::trapped,
                .name = "trapped",
                .meaning = "the source itself fails at run time, so that any target is right"},
    SymptomInfo{.symptom = Symptom::rejected,
                .name = "rejected",
                .meaning = "the pass refuses the module with an error that its contract declares"},
    SymptomInfo{.symptom = Symptom::inconclusive,
                .name = "inconclusive",
                .meaning = "the values differ, but no more than rounding may explain"},
    SymptomInfo{.symptom = Symptom::limit,
                .name = "limit",
                .meaning = "a run crossed a cap of the interpreter: on steps, elements, memory or depth"},
    SymptomInfo{.symptom = Symptom::unsupported,
                .name = "unsupported",
                .meaning = "something in the case cannot be built, run or judged"},
    SymptomInfo{.symptom = Symptom::unconfirmed,
                .name = "unconfirmed",
                .meaning = "the subject's own machine or type inference does not bear the finding out"},
    SymptomInfo{.symptom = Symptom::unsettled,
                .name = "unsettled",
                .meaning = "a second run of the pass changes its own result, which its contract does not rule out"},
};

constexpr bool follows_the_enum() {
  for (std::size_t i = 0; i < kSymptoms.size(); ++i) {
    if (kSymptoms[i].symptom != static_cast<Symptom>(i)) return false;
  }
  return kSymptoms.back().symptom == Symptom::unsettled;
}
static_assert(follows_the_enum());

// In the order of the enum.
constexpr std::array<std::string_view, 5> kSeverityNames = {"wrong-result", "crash", "ill-formed", "refused", "broken-promise"};

}  // namespace

std::span<const SymptomInfo> all_symptoms() {
  return kSymptoms;
}

const SymptomInfo& symptom_info(Symptom symptom) {
  return kSymptoms[static_cast<std::size_t>(symptom)];
}

bool hangs(Symptom symptom) {
  return symptom == Symptom::timeout || symptom == Symptom::memory;
}

bool is_finding(Symptom symptom) {
  return symptom_info(symptom).severity.has_value();
}

std::string_view symptom_name(Symptom symptom) {
  return symptom_info(symptom).name;
}

const SymptomInfo* find_symptom(std::string_view name) {
  const auto rows = all_symptoms();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const SymptomInfo& info) { return info.name == name; });
  return row == rows.end() ? nullptr : &*row;
}

std::string_view severity_name(Severity severity) {
  return kSeverityNames.at(static_cast<std::size_t>(severity));
}

std::vector<std::string> severity_names() {
  return {kSeverityNames.begin(), kSeverityNames.end()};
}

std::optional<Severity> severity_from_name(std::string_view name) {
  const auto* const found = std::find(kSeverityNames.begin(), kSeverityNames.end(), name);
  if (found == kSeverityNames.end()) return std::nullopt;
  return static_cast<Severity>(found - kSeverityNames.begin());
}

std::string_view severity_name(Symptom symptom) {
  const std::optional<Severity> severity = symptom_info(symptom).severity;
  return severity ? severity_name(*severity) : "no finding";
}

}  // namespace passdiff
