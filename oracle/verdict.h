// Verdicts: what the checks say of one pipeline on one test case.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/value.h"
#include "oracle/symptom.h"

namespace passdiff {

enum class Stage : std::uint8_t { generate, transform, check, execute, compare };

std::string_view stage_name(Stage stage);

inline constexpr std::string_view kSourceFile = "source.py", kTargetFile = "target.py";
// A line of the text of a module, as print() writes it.
struct Place {
  std::string file;  // kSourceFile or kTargetFile
  int line = 0;      // from 1
  std::string text;
};
std::string to_string(const Place& place);  // "target.py:14: C[i] = A[i + 1]"

struct Verdict {
  Symptom symptom = Symptom::agree;
  Stage stage = Stage::compare;
  std::string check;    // name of the check that decided (oracle/check_row.h); empty where all agree
  std::string culprit;  // the pass to blame
  std::string site;     // throw site, or the stable code of the fault (form.undefined-var); part of the key
  std::string detail;   // for people
  std::string complaint = {};  // what the subject's own checker says of the target, in its words; empty where it is content or not asked
  // The arguments on which the values differ, if these are not the case's own but one of its further sets.
  std::optional<std::vector<Value>> arguments = std::nullopt;
  std::string leaf = {};  // the tensor among the results in which values differ: "result[1]"; empty where there is none
  std::vector<std::string> reasons = {};  // how a comparison of values came to the symptom: clauses for people
  std::optional<Place> place = std::nullopt;  // where something undefined happened in a function of TensorIR
  // Whether it says, of a target that returns what it should, that a run contradicts what its blocks of TensorIR declare, and no more.
  bool contradiction = false;
};
// Whether nothing is known of what a target computes, since the types in it keep it from being run, or our IR cannot hold it, while `later`, on
// what further passes made of that target, speaks of values: a pass that mends the types, or drops what cannot be held, only shows then what an
// earlier one did.
bool keeps_values_from_being_judged(const Verdict& verdict, const Verdict& later);
// One sentence that says what is wrong with the target of a finding; of any other verdict, its detail.
std::string explain(const Verdict& verdict);
// One line for people: `mismatch (check outputs-refine, stage compare, pass FoldConstant): ...`.
std::string to_string(const Verdict& verdict);

}  // namespace passdiff
