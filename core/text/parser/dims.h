// Dimensions, shapes and scalars: arithmetic over integers and symbolic variables.
#pragma once

#include "core/ir/expr.h"
#include "core/result.h"
#include "core/text/parser/names.h"
#include "core/text/parser/nodes.h"

namespace passdiff {

// What becomes of a dimension's name that is not in scope: the types of parameters and match_casts define symbolic
// variables, others fail.
enum class UnknownSymbol : std::uint8_t { error, definition };

class DimParser {
 public:
  DimParser(Nodes& nodes, NameTable& names, UnknownSymbol unknown = UnknownSymbol::error)
      : nodes_(nodes), names_(names), unknown_(unknown) {}

  // n * 2, "n * 2", T.min(n, 2), 3. Fails with parse.dim, parse.number, parse.undefined-name, parse.nesting.
  Result<Dim> dim(NodeIndex node);
  // A tuple or list of dims, or R.shape of one. Fails with parse.shape too.
  Result<Shape> shape(NodeIndex node);
  // A scalar of the dtype, as T.int8(3) has it in parentheses; for int64 a dim as well. Fails with parse.number.
  Result<ExprPtr> scalar(DType dtype, NodeIndex node);
  // A comparison of dims, n % 8 == 0, as a scalar of dtype bool. Fails with parse.dim.
  Result<ExprPtr> comparison(NodeIndex node);
  // T.int8(3), T.float32(0.5), or a dim such as T.min(n, 2).
  Result<ExprPtr> scalar_call(NodeIndex call);

 private:
  Result<Dim> symbol(NodeIndex node);
  Result<Dim> quoted(NodeIndex node);
  Result<Dim> negated(NodeIndex node);
  Result<Dim> operation(NodeIndex node);
  Result<Dim> call(NodeIndex node);
  Error expected(NodeIndex node) const;

  Nodes& nodes_;
  NameTable& names_;
  UnknownSymbol unknown_;
  int depth_ = 0;  // how many strings around the dim are being read
};

// A number in digits as a scalar: int64 or float64. Fails with parse.number.
Result<ExprPtr> parse_number(const Nodes& nodes, NodeIndex node);

}  // namespace passdiff
