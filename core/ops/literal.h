// Scalars, shapes and tuples as expressions.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ir/expr.h"

namespace passdiff {

ExprPtr make_prim(std::int64_t value);  // int64, as relax.prim_value makes of Python's int
ExprPtr make_prim(Dim value);
ExprPtr make_prim(double value);  // float64, as relax.prim_value makes of Python's float
ExprPtr make_shape(Shape values);
ExprPtr make_tuple(std::vector<ExprPtr> fields);  // the fields have types

}  // namespace passdiff
