// Functions of the host of which nothing is known but their names.
#pragma once

#include <span>
#include <string_view>

#include "core/eval/symbols.h"

namespace passdiff {

// What such a function returns: some fixed function of its name, its arguments and the type of the result, which is all that
// comparing a source with a target needs. Float results follow float arguments linearly, so that a rounding in an argument stays
// one in the result; everything else depends on shapes, integers, strings alone. Nothing if the type has no such value: a dim
// that is not bound, a function.
std::optional<Value> unknown_function(std::string_view name, std::span<const Value> arguments, const Type& result,
                                      const Symbols& symbols);

}  // namespace passdiff
