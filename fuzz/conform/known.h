// Disagreements with a compiler of which it is known that the compiler is wrong, each with the sentence why.
#pragma once

#include <string_view>
#include <vector>

#include "fuzz/conform/judge.h"

namespace passdiff {

// In what a call disagrees.
enum class Disagree : std::uint8_t {
  value,    // an element of the result, or its form
  type,     // the compiler infers another type
  refusal,  // the compiler does not compile or run a call that its own inference accepts
};

struct CallDifference {
  const DrawnCall& call;
  Disagree kind;
  const ElementDifference* element =
      nullptr;              // one that differs; null where the form, the type or a refusal is at issue
  std::string_view detail;  // for types and refusals: the compiler's type, or its message
};

// One explanation. Rows stand in fuzz/conform/known/*.cc, a file per family of ops.
struct KnownDisagreement {
  std::string_view op;  // empty: any
  Disagree kind = Disagree::value;
  std::string_view why;  // a sentence that names the compiler's mistake
  // Whether it explains this difference: as narrow as can be said. Asked of each element that differs.
  bool (*explains)(const CallDifference&);
};

// Whether the compiler refuses the call because its pipeline left the op as it is (explains, of several rows).
bool is_not_lowered(const CallDifference& difference);

// The call's attribute of this name; CHECKs that its op has it.
const AttrValue& attribute(const DrawnCall& call, std::string_view name);
// Whether the lowest finite number stands for negative infinity: TVM begins maxima with it (explains, of several rows).
bool is_lowest_for_minus_infinity(const CallDifference& difference);

std::vector<KnownDisagreement> joined_known_disagreements();
// Why the compiler is wrong; empty if nothing explains it. All elements that differ must be explained.
std::string_view explanation_of(const DrawnCall& call, Disagree kind, const Conformity& conformity,
                                std::string_view detail);

}  // namespace passdiff
