// Constants: R.const(...), and numbers in the place of one.
#pragma once

#include "core/ir/expr.h"
#include "core/result.h"
#include "core/text/parser/nodes.h"

namespace passdiff {

// R.const([[1, 2]], "int32"). Fails with parse.constant, parse.dtype, parse.number.
Result<ExprPtr> parse_constant(const Nodes& nodes, NodeIndex call);
// The tensor of nested lists, or of one number.
Result<Tensor> parse_elements(const Nodes& nodes, NodeIndex value, DType dtype);
// `1` as a tensor of rank 0: int32, float32 or bool. Fails as parse_constant does.
Result<ExprPtr> parse_number_constant(const Nodes& nodes, NodeIndex node);

}  // namespace passdiff
