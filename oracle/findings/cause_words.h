// The words in which causes are told, as far as naming and comparing them share them.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "oracle/findings/cause.h"
#include "oracle/messages.h"

namespace passdiff {

using CauseWords = std::set<std::string>;

// How features begin that name an operation, and those that are no parts of a module: what an error says ("says OP: only support float32"), which
// table it misses an entry of, the operation whose type is inferred wrongly.
inline constexpr std::string_view kOpWord = "op ";
inline constexpr std::string_view kSaysWord = "says ";
inline constexpr std::string_view kEntryWord = "entry of ";
inline constexpr std::string_view kInferenceWord = "inference of ";
// The feature of a value whose type is wrong, or of an argument that is refused: "another-shape". Empty for an unknown difference.
std::string_view word_for(TypeDifference difference);
// The word for what is wrong with the argument that the error of the cause refuses ("another-shape", "another-dtype", "another-device",
// "another-kind"); empty if the cause is no such error.
std::string_view refused_argument(const Cause& cause);

// Whether the place alone tells what is wrong. Places in the containers and casts of the runtime do not: everything goes through
// them.
bool names_the_bug(std::string_view site);
// The site as causes have it. Arithmetic of two dtypes is refused where an expression is made, each operator at a place of its own: which one it
// was is chance.
std::string site_of_cause(const std::string& site);
// Whether a word of an edit names an attribute that changed, of whatever op.
bool is_of_attribute(const std::string& word);
// Whether a word of an edit names a statement or an expression of TensorIR.
bool is_of_body(const std::string& word);
// Whether a pass took blocks of functions of TensorIR into others, and changed nothing else: which ops the functions were made of is chance.
bool inlines_blocks_alone(const CauseWords& edit);
// Which elementwise op it was at which the compiler died is chance: those of as many operands are handled alike.
CauseWords with_general_kinds(const CauseWords& features);

}  // namespace passdiff
