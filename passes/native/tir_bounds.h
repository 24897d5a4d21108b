// The values that integer expressions of TensorIR can have, as intervals.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "core/ir/tir/expr.h"

namespace passdiff {

struct Interval {
  std::int64_t low;
  std::int64_t high;  // inclusive
};

// Bounds of variables; one without an entry can have any value.
using VariableBounds = std::unordered_map<const SymVarNode*, Interval>;
// Nothing if the expression is not bounded, or not of a kind that is known here.
std::optional<Interval> bounds_of(const tir::Expr& expr, const VariableBounds& variables);

}  // namespace passdiff
