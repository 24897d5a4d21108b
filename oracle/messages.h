// What the messages of compilers and of our own checkers say, as far as it tells causes apart.
#pragma once

#include <string>
#include <string_view>

#include "core/ir/module.h"

namespace passdiff {

// The beginning of an error's message with the name of an operation of the module left open: "OP: only support float32 for now". Empty if it
// names none.
std::string complaint_of(const std::string& message, const Module& module);

// In what a type differs from the one that is declared: `kind` is a tensor against something else, `sign` a size max(n, 0) against n, as whoever
// does not know that no size is negative infers it.
enum class TypeDifference { unknown, shape, sign, dtype, device, kind };
// What our checkers' detail says of it: "main: lv is declared T and bound to U", "target: return: float32[1] is no U", or the compiler's own:
// "Expression of type U cannot be assigned to a variable of type T".
TypeDifference type_difference(std::string_view detail);
// What the compiler says of an argument that a parameter does not take: "expected T, given U". All calls are typed at one place.
TypeDifference argument_difference(std::string_view message);
// Whether it is a tensor of which not even the rank is known that the parameter, which tells it, does not take: by itself, or in a tuple.
bool refuses_unknown_rank(std::string_view message);

// The table in which the compiler's check that failed looked something up: "memo_" of "Check failed: (memo_.count(expr)) is false". Empty if it
// did not.
std::string table_without_entry(std::string_view message);

}  // namespace passdiff
