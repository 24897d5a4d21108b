#include "oracle/verdict.h"

#include <fmt/format.h>

#include "core/form/well_formed.h"

namespace passdiff {

std::string_view stage_name(Stage stage) {
  switch (stage) {
    case Stage::generate:
      return "generate";
    case Stage::transform:
      return "transform";
    case Stage::check:
      return "check";
    case Stage::execute:
      return "execute";
    case Stage::compare:
      return "compare";
  }
  return "?";
}

std::string to_string(const Place& place) {
  return fmt::format("{}:{}: {}", place.file, place.line, place.text);
}

bool keeps_values_from_being_judged(const Verdict& verdict, const Verdict& later) {
  const bool of_values = symptom_info(later.symptom).severity == Severity::wrong_result && later.site != kWrongType;
  const bool ill_typed = verdict.symptom == Symptom::unconfirmed && verdict.site == kWrongType;
  return of_values && (ill_typed || (verdict.symptom == Symptom::unsupported && verdict.stage == Stage::execute));
}

std::string explain(const Verdict& v) {
  const SymptomInfo& symptom = symptom_info(v.symptom);
  if (!symptom.severity) return v.detail;
  switch (symptom.evidence) {
    case Evidence::none:
      return std::string(symptom.meaning);
    case Evidence::site:
      return fmt::format("{}: {}", symptom.meaning, v.site);
    case Evidence::detail:
      return fmt::format("{}: {}", symptom.meaning, v.detail.substr(0, v.detail.find('\n')));
  }
  return {};
}

std::string to_string(const Verdict& v) {
  std::string text(symptom_name(v.symptom));
  text += " (";
  if (!v.check.empty()) text += fmt::format("check {}, ", v.check);
  text += fmt::format("stage {}", stage_name(v.stage));
  if (!v.culprit.empty()) text += ", pass " + v.culprit;
  return text + ")" + (v.detail.empty() ? "" : ": " + v.detail);
}

}  // namespace passdiff
