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
  // How the symptom came about, for people: clauses, and the line of a module's text that is undefined.
  std::vector<std::string> reasons = {};
};
// One sentence that says what is wrong with the target of a finding; of any other verdict, its detail.
std::string explain(const Verdict& verdict);
// One line for people: `mismatch (check outputs-refine, stage compare, pass FoldConstant): ...`.
std::string to_string(const Verdict& verdict);

}  // namespace passdiff
