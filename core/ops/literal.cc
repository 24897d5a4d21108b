#include "core/ops/literal.h"

namespace passdiff {

ExprPtr make_prim(std::int64_t value) {
  return make_prim(Dim(value));
}

ExprPtr make_prim(Dim value) {
  return make_expr(PrimValue{DType::int64, std::move(value)}, prim_type(DType::int64));
}

ExprPtr make_prim(double value) {
  return make_expr(PrimValue{DType::float64, value}, prim_type(DType::float64));
}

ExprPtr make_shape(Shape values) {
  Type type = shape_type(values);
  return make_expr(ShapeExpr{std::move(values)}, std::move(type));
}

ExprPtr make_tuple(std::vector<ExprPtr> fields) {
  std::vector<Type> types;
  types.reserve(fields.size());
  for (const ExprPtr& field : fields) types.push_back(field->type);
  return make_expr(Tuple{std::move(fields)}, tuple_type(std::move(types)));
}

}  // namespace passdiff
