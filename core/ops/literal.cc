#include "core/ops/literal.h"

namespace passdiff {

ExprPtr prim_literal(std::int64_t value) {
  return prim_literal(Dim(value));
}

ExprPtr prim_literal(Dim value) {
  return make_expr(PrimValue{DType::int64, std::move(value)}, prim_type(DType::int64));
}

ExprPtr prim_literal(double value) {
  return make_expr(PrimValue{DType::float64, value}, prim_type(DType::float64));
}

ExprPtr shape_literal(Shape values) {
  Type type = shape_type(values);
  return make_expr(ShapeExpr{std::move(values)}, std::move(type));
}

ExprPtr tuple_literal(std::vector<ExprPtr> fields) {
  std::vector<Type> types;
  for (const ExprPtr& field : fields) types.push_back(field->type);
  return make_expr(Tuple{std::move(fields)}, tuple_type(std::move(types)));
}

}  // namespace passdiff
