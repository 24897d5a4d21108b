// Causes: when two findings are held to be one bug. A cause is read off a reduced finding; no run of the subject is needed.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/documents/case.h"
#include "core/result.h"
#include "oracle/verdict.h"

namespace passdiff {

// What is wrong, as far as it tells causes apart. All wrong values are one kind: whether a wrong operation gives another number, a
// NaN or an index out of range depends on the arguments.
enum class CauseKind : std::uint8_t {
  error,   // the pass threw
  crash,   // the compiler crashed, hung, or ate memory
  values,  // the target computes something else
  form,    // the target is ill-formed, has wrong types, cannot be called, or does not compile
  promise  // the target is right, but the pass did not behave as passes must
};
std::string_view cause_kind_name(CauseKind kind);  // "error"

struct Cause {
  CauseKind kind = CauseKind::error;
  Symptom symptom = Symptom::internal_error;  // of the finding that it was read off
  std::vector<std::string> passes;            // to blame, the first found first; several where they fail alike (`join`)
  // Where the compiler threw, or the stable code of what is wrong with the target. Empty for wrong values.
  std::string site;
  // What the pass did to the reduced module (oracle/edit.h). Empty where there is no target.
  std::set<std::string> edit;
  // What the reduced module has that plainer modules lack, as far as it tells causes of this kind apart: "symbolic-dim", "local-function",
  // "float64", "take.axis". Reduction has tried to take each away. Operations ("op matmul") are among them where neither site nor edit
  // names what is wrong.
  std::set<std::string> features;
  // What is wrong with the types of the module that the first of `passes` made, where it is blamed for the failure of a pass after it; else empty.
  std::string ill_typed = {};
  bool operator==(const Cause&) const = default;
};

// The cause that the verdict on a reduced case points to. `before` is the module that the culprit was given (the case's own, unless
// other passes ran before it), `target` what it made of it; null if there is none.
Cause cause_of(const Verdict& verdict, const Module& source, const Module& before, const Module* target);

// The edit, with one name for ops whose types one rule infers, as cumsum and cumprod: what a pass does wrong to one of them it may do to all.
// Elementwise ops have little but that rule in common, and keep their names.
std::set<std::string> edit_by_families(const Cause& cause);

// Whether two causes are one, with the reason in a clause for people: "both are thrown at convert_layout.cc:RewriteExpr".
struct Likeness {
  bool same = false;
  std::string because;
};
Likeness compare_causes(const Cause& a, const Cause& b);
// Whether two sites of this symptom, under different passes, are one place. Of a crash the signal counts: the frame beside it, where there is one, is
// the innermost with a name, and may be the pass's.
bool are_at_one_place(Symptom symptom, std::string_view site, std::string_view other);
// Whether the causes differ in nothing but the pass to blame, so that running each one's case through the other's pass can tell
// whether both passes err in what they share.
bool differ_in_pass_alone(const Cause& a, const Cause& b);
// Whether the verdict on a case, reduced or not, is an error of this cause: one of its passes threw it at its place, and the place
// alone names what is wrong.
bool is_thrown_alike(const Cause& cause, const Verdict& verdict);
// Whether a pass of the cause hangs, or eats memory, as it does on this module, which has all that the cause needs. To reduce such a case takes
// minutes.
bool hangs_alike(const Cause& cause, const Verdict& verdict, const Module& module);
// Whether one case that fails alike under the passes of both causes, which differ in the pass alone, shows that they are one.
bool one_case_tells(const Cause& a, const Cause& b);
// Makes one cause of two that are the same: the passes of both, the features that both need.
void join(Cause& into, const Cause& other);

// A name that is a folder's name, too: the first pass, a few words, and a hash of what makes the cause, the same in each run:
// "ConvertLayout-repeat-values-3f2a1c".
std::string name_of(const Cause& cause);
// One line for people: "throws at convert_layout.cc:RewriteExpr", "changes take, adds reshape; needs take.axis".
std::string describe(const Cause& cause);

nlohmann::json to_json(const Cause& cause);
// Fails with cause.field.
Result<Cause> cause_from_json(const nlohmann::json& document);

}  // namespace passdiff
