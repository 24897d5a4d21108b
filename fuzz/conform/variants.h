// Variants of a call that no run can be made of: operands of which less is known, or which do not fit, and
// other attributes.
#pragma once

#include <vector>

#include "core/choices/choices.h"
#include "fuzz/conform/drawn_call.h"

namespace passdiff {

// A call of which types alone are compared. Its declared type is the object type where inference refuses it
// here.
struct TypedCall {
  DrawnCall call;  // without arguments and operands
  Result<Type> type;
};

// The call itself; then it with operands of unknown shape, rank or dtype, or with symbolic dims; then with an
// operand that may not fit (another dtype, size, rank or device), or another attribute.
std::vector<TypedCall> typed_variants(Choices& choices, const DrawnCall& call);

}  // namespace passdiff
