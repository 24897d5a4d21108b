#include "oracle/verdict.h"

#include <fmt/format.h>

#include <array>

#include "core/check.h"

namespace passdiff {
namespace {

struct SymptomRow {
  Symptom symptom;
  std::string_view name;
};
// In the order of the enum.
constexpr std::array kSymptoms = {
    SymptomRow{Symptom::agree, "agree"},
    SymptomRow{Symptom::mismatch, "mismatch"},
    SymptomRow{Symptom::added_undefined, "added-undefined"},
    SymptomRow{Symptom::added_trap, "added-trap"},
    SymptomRow{Symptom::ill_formed, "ill-formed"},
    SymptomRow{Symptom::wrong_type, "wrong-type"},
    SymptomRow{Symptom::signature, "signature"},
    SymptomRow{Symptom::input_mutated, "input-mutated"},
    SymptomRow{Symptom::not_idempotent, "not-idempotent"},
    SymptomRow{Symptom::sequential_differs, "sequential-differs"},
    SymptomRow{Symptom::nondeterministic, "nondeterministic"},
    SymptomRow{Symptom::does_not_compile, "does-not-compile"},
    SymptomRow{Symptom::crash, "crash"},
    SymptomRow{Symptom::internal_error, "internal-error"},
    SymptomRow{Symptom::timeout, "timeout"},
    SymptomRow{Symptom::memory, "memory"},
    SymptomRow{Symptom::undefined, "undefined"},
    SymptomRow{Symptom::undefined_folded, "undefined-folded"},
    SymptomRow{Symptom::trapped, "trapped"},
    SymptomRow{Symptom::rejected, "rejected"},
    SymptomRow{Symptom::inconclusive, "inconclusive"},
    SymptomRow{Symptom::limit, "limit"},
    SymptomRow{Symptom::unsupported, "unsupported"},
    SymptomRow{Symptom::unconfirmed, "unconfirmed"},
};
constexpr auto kAll = [] {
  std::array<Symptom, kSymptoms.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kSymptoms[i].symptom;
  return all;
}();

}  // namespace

std::string_view symptom_name(Symptom symptom) {
  const auto& row = kSymptoms.at(static_cast<std::size_t>(symptom));
  CHECK(row.symptom == symptom) << "the table of symptoms is out of order";
  return row.name;
}

std::optional<Symptom> symptom_from_name(std::string_view name) {
  for (const SymptomRow& row : kSymptoms) {
    if (row.name == name) return row.symptom;
  }
  return std::nullopt;
}

std::span<const Symptom> all_symptoms() {
  return kAll;
}

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

std::string to_string(const Verdict& v) {
  std::string text =
      fmt::format("{} (check {}, stage {}", symptom_name(v.symptom), v.check, stage_name(v.stage));
  if (!v.culprit.empty()) text += ", pass " + v.culprit;
  return text + ")" + (v.detail.empty() ? "" : ": " + v.detail);
}

}  // namespace passdiff
