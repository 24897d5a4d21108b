// Verdicts: what the oracles say of one pipeline on one test case.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace passdiff {

enum class Symptom : std::uint8_t {
  agree,
  // Findings.
  mismatch,
  added_undefined,
  added_trap,
  ill_formed,
  wrong_type,
  signature,
  input_mutated,
  not_idempotent,
  sequential_differs,
  nondeterministic,
  does_not_compile,
  crash,
  internal_error,
  timeout,
  memory,
  // No findings.
  undefined,
  undefined_folded,
  trapped,
  rejected,
  inconclusive,
  limit,
  unsupported,
  unconfirmed,
};
enum class Stage : std::uint8_t { generate, transform, check, execute, compare };

std::string_view symptom_name(Symptom symptom);  // with hyphens: "added-undefined"
std::optional<Symptom> symptom_from_name(std::string_view name);
std::span<const Symptom> all_symptoms();
std::string_view stage_name(Stage stage);
constexpr bool is_finding(Symptom s) {
  return s >= Symptom::mismatch && s <= Symptom::memory;
}

struct Verdict {
  Symptom symptom = Symptom::agree;
  Stage stage = Stage::compare;
  std::string check;    // name of the check that decided (oracle/check.h)
  std::string culprit;  // the pass to blame; for a single pass, itself
  std::string site;     // throw site, or the stable code of the fault (form.undefined-var); part of the key
  std::string detail;   // for people
};
// One line for people: `mismatch (check outputs-refine, stage compare, pass FoldConstant): ...`.
std::string to_string(const Verdict& verdict);

}  // namespace passdiff
