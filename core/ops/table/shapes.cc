// shape_of, shape_to_tensor, tensor_to_shape: sizes as values. ensure_zero_offset, inspect.*: how a tensor
// lies in memory, where passdiff's always begin at their first element.
#include <algorithm>

#include "core/ops/draw.h"
#include "core/ops/literal.h"
#include "core/ops/points.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"
#include "core/tensor/dlpack.h"

namespace passdiff {
namespace {

Type infer_shape_of(const TensorType& x) {
  return ShapeType{x.shape, x.rank};
}

Value eval_shape_of(const Tensor& x) {
  return ShapeValue{x.shape()};
}

std::optional<CallDraft> generate_any(Choices& choices, Scope& scope) {
  const auto x = draw_any_tensor(choices, scope, kAllDTypes);
  return x ? std::optional(CallDraft({x->expr})) : std::nullopt;
}

Result<TensorType> infer_shape_to_tensor(const ShapeArg& shape) {
  if (shape.type.rank == kUnknownRank) return make_tensor_type(std::nullopt, 1, DType::int64, std::nullopt);
  return make_tensor_type(Shape{Dim(shape.type.rank)}, 1, DType::int64, std::nullopt);
}

Tensor eval_shape_to_tensor(const ShapeValue& shape) {
  const std::int64_t rank = std::ssize(shape.dims);
  Tensor tensor = zeros(DType::int64, {&rank, 1});
  std::copy(shape.dims.begin(), shape.dims.end(), std::get<Tensor::Ints>(tensor.values).data());
  return tensor;
}

std::optional<CallDraft> generate_shape_to_tensor(Choices& choices, Scope& scope) {
  return CallDraft({make_shape(scope.shape(choices, 0, kMaxDrawnRank))});
}

Result<Type> infer_tensor_to_shape(const TensorType& x) {
  if (x.rank != 1) return Error{"type.rank", "tensor_to_shape: rank " + std::to_string(x.rank)};
  const Dim* size = x.shape ? &x.shape->front() : nullptr;
  const bool known = size != nullptr && size->is_static();
  return Type(ShapeType{std::nullopt, known ? static_cast<int>(size->value()) : kUnknownRank});
}

std::optional<Value> eval_tensor_to_shape(const Tensor& x) {
  if (is_float(x.dtype)) return std::nullopt;
  return Value(ShapeValue{index_values(x)});
}

std::optional<CallDraft> generate_tensor_to_shape(Choices& choices, Scope& scope) {
  const FillSpec fill{.fill = Fill::indices, .limit = 6, .allow_negative = false};
  const Shape shape{choices.integer(0, kMaxDrawnRank)};
  const auto x = draw_operand(choices, scope, {.dtype = DType::int64, .shape = shape, .fill = fill});
  return x ? std::optional(CallDraft({x->expr})) : std::nullopt;
}

Type infer_same(const AnyTensor& x) {
  return x.type;
}
Value eval_same(const Value& x) {
  return x;
}

std::int64_t dtype_code(const Tensor& x) {
  return dlpack_code(x.dtype);
}
std::int64_t dtype_bits(const Tensor& x) {
  return row_of(x.dtype).bits;
}
std::int64_t dtype_lanes(const Tensor&) {
  return 1;
}
std::int64_t offset_of(const Tensor&) {
  return 0;
}
std::int64_t rank_of(const Tensor& x) {
  return static_cast<std::int64_t>(x.rank());
}

// A number of `dtype` that a tensor tells of itself.
template <DType dtype>
Type infer_number(const TensorType&) {
  return prim_type(dtype);
}
template <DType dtype, std::int64_t (*number)(const Tensor&)>
Value eval_number(const Tensor& x) {
  return ScalarValue{dtype, number(x)};
}
template <DType dtype, std::int64_t (*number)(const Tensor&)>
OpDef number_row(std::string_view name) {
  return op<infer_number<dtype>, eval_number<dtype, number>, generate_any>(name, {"tensor"});
}

std::int64_t size_along(std::span<const std::int64_t> shape, std::size_t axis) {
  return shape[axis];
}
std::int64_t stride_along(std::span<const std::int64_t> shape, std::size_t axis) {
  return row_major(shape)[axis].stride;
}

// An axis in text counts from the front alone; one that is known at run time only traps if it does not exist.
Result<Type> infer_along(const TensorType& x, const ExprPtr& axis) {
  if (axis->type.as_prim() == nullptr)
    return Error{"type.operand", "inspect: an axis of type " + to_string(axis->type)};
  const PrimValue* literal = as<PrimValue>(axis);
  const Dim* index = literal ? std::get_if<Dim>(&literal->value) : nullptr;
  const bool is_known = index != nullptr && index->is_static();
  if (is_known && (index->value() < 0 || (x.rank != kUnknownRank && index->value() >= x.rank)))
    return Error{"type.axis", "inspect: axis " + to_string(*index)};
  return prim_type(DType::int64);
}

template <std::int64_t (*along)(std::span<const std::int64_t>, std::size_t)>
std::optional<Value> eval_along(const Tensor& x, const ScalarValue& axis) {
  const auto index = std::get<std::int64_t>(axis.value);
  if (index < 0 || index >= rank_of(x)) return std::nullopt;
  return Value(ScalarValue{DType::int64, along(x.shape(), static_cast<std::size_t>(index))});
}

std::optional<CallDraft> generate_along(Choices& choices, Scope& scope) {
  const std::optional<Drawn> x = draw_operand(choices, scope, kAllDTypes, 1, kMaxDrawnRank, Known::rank);
  if (!x) return std::nullopt;
  return CallDraft({x->expr, make_prim(choices.integer(0, x->rank() - 1))});
}

template <std::int64_t (*along)(std::span<const std::int64_t>, std::size_t)>
OpDef along_row(std::string_view name) {
  return op<infer_along, eval_along<along>, generate_along>(name, {"tensor", "axis"});
}

}  // namespace

std::vector<OpDef> shapes_rows() {
  return {
      op<infer_shape_of, eval_shape_of, generate_any>("relax.shape_of", {"expr"}),
      op<infer_shape_to_tensor, eval_shape_to_tensor, generate_shape_to_tensor>("relax.shape_to_tensor",
                                                                                {"expr"}),
      op<infer_tensor_to_shape, eval_tensor_to_shape, generate_tensor_to_shape>("relax.tensor_to_shape",
                                                                                {"expr"}),
      op<infer_same, eval_same, generate_any>("relax.memory.ensure_zero_offset", {"data"},
                                              {.elementwise = true}),
      number_row<DType::uint8, dtype_code>("relax.inspect.tensor_dtype_code"),
      number_row<DType::uint8, dtype_bits>("relax.inspect.tensor_dtype_bits"),
      number_row<DType::uint16, dtype_lanes>("relax.inspect.tensor_dtype_lanes"),
      number_row<DType::uint64, offset_of>("relax.inspect.tensor_byte_offset"),
      number_row<DType::uint64, offset_of>("relax.inspect.tensor_elem_offset"),
      number_row<DType::int32, rank_of>("relax.inspect.tensor_ndim"),
      along_row<size_along>("relax.inspect.tensor_shape_i"),
      along_row<stride_along>("relax.inspect.tensor_stride_i"),
  };
}

}  // namespace passdiff
