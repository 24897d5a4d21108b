// Literal operands: scalars, shapes and tuples as expressions, for generation rules and inference.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ir/expr.h"

namespace passdiff {

ExprPtr prim_literal(std::int64_t value);  // int64, as relax.prim_value makes of Python's int
ExprPtr prim_literal(Dim value);
ExprPtr prim_literal(double value);  // float64, as relax.prim_value makes of Python's float
ExprPtr shape_literal(Shape values);
ExprPtr tuple_literal(std::vector<ExprPtr> fields);  // the fields have types

}  // namespace passdiff
