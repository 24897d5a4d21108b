// Symptoms: what a verdict says became of a target, and how bad that is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace passdiff {

enum class Symptom : std::uint8_t {
  agree,
  mismatch,
  less_precise,
  added_undefined,
  added_trap,
  other_effects,
  wrong_derivative,
  crash,
  timeout,
  memory,
  ill_formed,
  wrong_type,
  signature,
  does_not_compile,
  internal_error,
  not_kept,
  input_mutated,
  not_idempotent,
  sequential_differs,
  nondeterministic,
  undefined,
  undefined_folded,
  trapped,
  rejected,
  inconclusive,
  limit,
  unsupported,
  unconfirmed,
  unsettled,
};

// How bad a finding is, the worst first.
enum class Severity : std::uint8_t {
  wrong_result,    // programs compute something else, and nobody is told
  crash,           // the compiler itself dies, hangs, or eats memory
  ill_formed,      // what the pass made is no program of the language, or cannot be called or compiled
  refused,         // the pass fails on a program that it should take
  broken_promise,  // the target is right, but the pass does not behave as passes must
};

// Which part of a verdict completes the sentence that its symptom's meaning begins.
enum class Evidence : std::uint8_t { none, site, detail };

// One row of the table of symptoms.
struct SymptomInfo {
  Symptom symptom;
  std::string_view name;                            // as it is printed everywhere, with hyphens: "added-undefined"
  std::optional<Severity> severity = std::nullopt;  // nothing: the symptom is no finding
  std::string_view meaning;                         // "the target has undefined behaviour that the source has not"
  Evidence evidence = Evidence::none;
  // Whether the symptom is one that our own interpreter or rules see: the subject's machine, or its type inference, may then
  // contradict the finding and retract it.
  bool retractable = false;
};

// The rows, in the order of the enum.
std::span<const SymptomInfo> all_symptoms();
const SymptomInfo& symptom_info(Symptom symptom);
const SymptomInfo* find_symptom(std::string_view name);  // null if there is none
bool is_finding(Symptom symptom);
// Whether the pass does not end: it runs out of time or of memory, whichever is less.
bool hangs(Symptom symptom);
std::string_view symptom_name(Symptom symptom);

std::string_view severity_name(Severity severity);  // "wrong-result"
std::vector<std::string> severity_names();          // the worst first
std::optional<Severity> severity_from_name(std::string_view name);
// "no finding" for a symptom that is none.
std::string_view severity_name(Symptom symptom);

}  // namespace passdiff
