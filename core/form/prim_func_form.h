// Well-formedness of functions of TensorIR.
#pragma once

#include <optional>
#include <string_view>

#include "core/ir/tir/prim_func.h"
#include "core/result.h"

namespace passdiff {

// What is wrong with the function, if anything: form.undefined-var (a variable or a buffer that nothing in scope defines),
// form.wrong-type (operands of different dtypes, an index that is no integer), form.arity (an access with another number of indices
// than the buffer has axes, a block with another number of values than variables), form.missing-type (a part that is missing).
std::optional<Error> well_formed(const tir::PrimFunc& function);

// What the message says of a buffer that nothing in scope declares.
inline constexpr std::string_view kUndeclared = " is not declared";

}  // namespace passdiff
