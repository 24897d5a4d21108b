// scatter_elements, scatter_nd, index_put: updates combined into the elements that coordinates name.
#include <algorithm>

#include "core/ops/draw.h"
#include "core/ops/literal.h"
#include "core/ops/points.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

// What scatter_nd takes: all but the last.
enum class NdCombine : std::uint8_t { update, add, mul, max, min };
constexpr std::array<std::string_view, 5> words_of(NdCombine) {
  return {"update", "add", "mul", "max", "min"};
}

struct ScatterElementsAttrs {
  std::int64_t axis = 0;
  Combine reduction = Combine::update;
  static constexpr auto fields() {
    return std::tuple(field("axis", &ScatterElementsAttrs::axis),
                      field("reduction", &ScatterElementsAttrs::reduction));
  }
};
struct ScatterNdAttrs {
  NdCombine reduction = NdCombine::update;
  static constexpr auto fields() { return std::tuple(field("reduction", &ScatterNdAttrs::reduction)); }
};
struct IndexPutAttrs {
  bool accumulate = false;
  static constexpr auto fields() { return std::tuple(field("accumulate", &IndexPutAttrs::accumulate)); }
};

std::optional<Error> check_dtypes(const TensorType& data, const TensorType& indices,
                                  const TensorType& updates) {
  if (data.dtype && updates.dtype && data.dtype != updates.dtype)
    return Error{"type.dtype", "a scatter's updates have another dtype than its data"};
  if (indices.dtype && !is_integer(*indices.dtype))
    return Error{"type.dtype", "a scatter's indices are no integers"};
  return std::nullopt;
}

Result<TensorType> infer_scatter_elements(const TensorType& data, const TensorType& indices,
                                          const TensorType& updates, const ScatterElementsAttrs&) {
  if (data.rank == kUnknownRank) return of_unknown_shape(data);
  const bool ranks_known = indices.rank != kUnknownRank && updates.rank != kUnknownRank;
  if (ranks_known && (data.rank != indices.rank || indices.rank != updates.rank))
    return Error{"type.rank", "scatter_elements: operands of different ranks"};
  TRY_VOID(check_dtypes(data, indices, updates));
  for (std::size_t i = 0; indices.shape && updates.shape && i < indices.shape->size(); ++i) {
    if (proven_different((*indices.shape)[i], (*updates.shape)[i]))
      return Error{"type.shape", "scatter_elements: indices and updates differ on axis " + std::to_string(i)};
  }
  return data;
}

std::optional<Tensor> eval_scatter_elements(const Tensor& data, const Tensor& indices, const Tensor& updates,
                                            const ScatterElementsAttrs& attrs, EvalContext& context) {
  const Ints dims = data.shape(), shape = indices.shape();
  const int axis = runtime_axis(attrs.axis, dims.size());
  if (axis < 0 || shape != updates.shape() || shape.size() != dims.size()) return std::nullopt;
  std::vector<Ints> coordinates = positions_in(shape, shape.size());
  coordinates[static_cast<std::size_t>(axis)] = index_values(indices);
  return scattered(data, points_at(dims, coordinates, true, context), updates, attrs.reduction, context);
}

// Of sums and products of a few of these no dtype but the narrow integers, which wrap, is left.
FillSpec fill_for(Combine combine) {
  return {.magnitude = combine == Combine::mul ? 3.0 : combine == Combine::add ? 64.0 : 0.0};
}

// What TVM compiles: of bools only updates, no halves of integers. Of 8-bit floats its arithmetic is wrong.
bool compiles(Combine combine, DType dtype) {
  return combine == Combine::update || (combine == Combine::mean ? kFloatDTypes : kNumericDTypes).has(dtype);
}

// For each line along the axis as many distinct indices, of either sign.
Ints draw_distinct_lines(Choices& choices, std::span<const std::int64_t> shape, int axis, std::int64_t size) {
  const AxisSplit split = split_at(shape, axis);
  Ints values(static_cast<std::size_t>(element_count(shape)));
  for_each_line(split, [&](std::int64_t first) {
    for (const int index : draw_distinct(choices, static_cast<int>(split.size), static_cast<int>(size))) {
      values[static_cast<std::size_t>(first)] = draw_sign(choices, index, static_cast<int>(size));
      first += split.inner;
    }
  });
  return values;
}

// Indices of a call that breaks a rule: one that does not exist, or two of the same.
Ints undefined_indices(Choices& choices, std::size_t count, std::int64_t size) {
  Ints values(count, 0);
  if (count == 1 || choices.flip()) values[0] = choices.flip() ? -size - 1 : size;
  return values;
}

// A call that breaks the rule of overflow: 1 is added to the largest int32.
template <class A>
CallDraft overflowing_call(Scope& scope, ExprPtr indices, const A& attrs) {
  const ExprPtr data = full_constant(scope, DType::int32, {2}, scalar_max(DType::int32));
  return {{data, std::move(indices), full_constant(scope, DType::int32, {2}, std::int64_t{1})}, attrs};
}

std::optional<ExprPtr> draw_updates(Choices& choices, Scope& scope, DType dtype, Shape shape,
                                    Combine combine) {
  const auto updates =
      draw_operand(choices, scope, {.dtype = dtype, .shape = std::move(shape), .fill = fill_for(combine)});
  return updates ? std::optional(updates->expr) : std::nullopt;
}

// The sizes of the indices, of which some are smaller than those of the data, here and in `shape`. TVM's kernel
// numbers elements as if only these axes differed from those of the data.
Ints draw_index_sizes(Choices& choices, Shape& shape, const Ints& dims, int axis) {
  Ints sizes = dims;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const bool may_differ = k == 0 || static_cast<int>(k) == axis || static_cast<int>(k) == axis + 1;
    if (!may_differ || (shape[k].is_static() && !choices.one_in(3))) continue;
    sizes[k] = choices.integer(choices.one_in(16) ? 0 : 1, sizes[k]);
    shape[k] = sizes[k];
  }
  return sizes;
}

std::optional<CallDraft> generate_scatter_elements(Choices& choices, Scope& scope) {
  ScatterElementsAttrs attrs{.reduction = static_cast<Combine>(choices.index(6))};
  const bool undefined = scope.allow_undefined(choices);
  if (undefined && choices.one_in(3))
    return overflowing_call(scope, index_constant(scope, DType::int64, {{2}}, {0, 1}),
                            ScatterElementsAttrs{0, Combine::add});
  if (undefined) attrs.reduction = Combine::update;
  const Want want{.min_rank = 1, .max_rank = 4, .fill = fill_for(attrs.reduction)};
  const std::optional<Drawn> data = draw_operand(choices, scope, want);
  if (!data || element_count(data->dims) == 0) return std::nullopt;
  if (!compiles(attrs.reduction, data->dtype())) attrs.reduction = Combine::update;
  attrs.axis = draw_axis(choices, data->rank());
  const int axis = runtime_axis(attrs.axis, data->dims.size());
  Shape shape = *data->type.shape;
  const Ints sizes = draw_index_sizes(choices, shape, data->dims, axis);
  if (undefined && element_count(sizes) == 0) return std::nullopt;
  const DType dtype = choices.flip() ? DType::int64 : DType::int32;
  ExprPtr indices;
  if (undefined) {
    indices = index_constant(
        scope, dtype, sizes,
        undefined_indices(choices, static_cast<std::size_t>(element_count(sizes)), data->size(axis)));
  } else if (attrs.reduction == Combine::update) {
    indices =
        index_constant(scope, dtype, sizes, draw_distinct_lines(choices, sizes, axis, data->size(axis)));
  } else {
    const FillSpec fill{.fill = Fill::indices, .limit = data->size(axis), .allow_negative = true};
    const auto drawn = draw_operand(choices, scope, {.dtype = dtype, .shape = shape, .fill = fill});
    if (!drawn) return std::nullopt;
    indices = drawn->expr;
  }
  const auto updates = draw_updates(choices, scope, data->dtype(), std::move(shape), attrs.reduction);
  return updates ? std::optional(CallDraft({data->expr, indices, *updates}, attrs)) : std::nullopt;
}

Result<TensorType> infer_scatter_nd(const TensorType& data, const TensorType& indices,
                                    const TensorType& updates, const ScatterNdAttrs&) {
  if (!data.dtype || !updates.dtype)
    return Error{"type.dtype", "scatter_nd: data or updates of unknown dtype"};
  TRY_VOID(check_dtypes(data, indices, updates));
  if (!data.shape || !indices.shape || !updates.shape) return data;
  if (indices.rank == 0 || !indices.shape->back().is_static() || indices.shape->back().value() > data.rank)
    return Error{"type.rank", "scatter_nd: indices of type " + to_string(Type(TensorType(indices)))};
  Shape expected(indices.shape->begin(), indices.shape->end() - 1);
  expected.insert(expected.end(), data.shape->begin() + indices.shape->back().value(), data.shape->end());
  if (!proven_equal(expected, *updates.shape))
    return Error{"type.shape", "scatter_nd: updates of type " + to_string(Type(TensorType(updates)))};
  return data;
}

// The coordinates that the lines along the last axis of `indices` hold.
std::vector<Ints> coordinates_in(const Tensor& indices) {
  const Ints given = index_values(indices);
  const auto length = static_cast<std::size_t>(indices.shape().back());
  std::vector<Ints> coordinates(length);
  for (std::size_t i = 0; i < given.size(); ++i) coordinates[i % length].push_back(given[i]);
  return coordinates;
}

// Negative indices are out of bounds: TVM's kernel counts none from the end (topi/scatter.py).
std::optional<Tensor> eval_scatter_nd(const Tensor& data, const Tensor& indices, const Tensor& updates,
                                      const ScatterNdAttrs& attrs, EvalContext& context) {
  if (!infer_scatter_nd(exact_type(data), exact_type(indices), exact_type(updates), attrs))
    return std::nullopt;
  const auto combine = static_cast<Combine>(attrs.reduction);
  return scattered(data, points_at(data.shape(), coordinates_in(indices), false, context), updates, combine,
                   context);
}

// Distinct coordinates of `count` elements of the axes, row by row; as many as there are.
Ints draw_distinct_coordinates(Choices& choices, std::span<const std::int64_t> dims, std::int64_t count) {
  Ints values;
  for (const int flat :
       draw_distinct(choices, static_cast<int>(count), static_cast<int>(element_count(dims)))) {
    for (std::size_t k = 0; k < dims.size(); ++k)
      values.push_back(flat / element_count(dims.subspan(k + 1)) % dims[k]);
  }
  return values;
}

std::optional<CallDraft> generate_scatter_nd(Choices& choices, Scope& scope) {
  ScatterNdAttrs attrs{static_cast<NdCombine>(choices.index(5))};
  const bool undefined = scope.allow_undefined(choices);
  if (undefined && choices.one_in(3))
    return overflowing_call(scope, index_constant(scope, DType::int64, {{2, 1}}, {0, 1}),
                            ScatterNdAttrs{NdCombine::add});
  if (undefined) attrs.reduction = NdCombine::update;
  const auto combine = static_cast<Combine>(attrs.reduction);
  const auto data = draw_operand(choices, scope, {.min_rank = 1, .max_rank = 4, .fill = fill_for(combine)});
  if (!data || element_count(data->dims) == 0) return std::nullopt;
  if (!compiles(combine, data->dtype())) return std::nullopt;
  const std::int64_t length = choices.integer(1, data->rank());
  const std::span<const std::int64_t> dims(data->dims.data(), static_cast<std::size_t>(length));
  Ints lines;
  for (std::int64_t i = choices.integer(0, 2); i > 0; --i) lines.push_back(choices.integer(1, 2));
  if (element_count(lines) > element_count(dims)) return std::nullopt;
  Ints shape = lines;
  shape.push_back(length);
  const DType dtype = choices.flip() ? DType::int64 : DType::int32;
  ExprPtr indices;
  if (undefined) {
    indices =
        index_constant(scope, dtype, shape,
                       undefined_indices(choices, static_cast<std::size_t>(element_count(shape)), dims[0]));
  } else if (attrs.reduction == NdCombine::update || choices.flip()) {
    indices =
        index_constant(scope, dtype, shape, draw_distinct_coordinates(choices, dims, element_count(lines)));
  } else {
    const FillSpec fill{
        .fill = Fill::indices, .limit = *std::min_element(dims.begin(), dims.end()), .allow_negative = false};
    const auto drawn = draw_operand(
        choices, scope, {.dtype = dtype, .shape = Shape(shape.begin(), shape.end()), .fill = fill});
    if (!drawn) return std::nullopt;
    indices = drawn->expr;
  }
  Shape updated(lines.begin(), lines.end());
  updated.insert(updated.end(), data->type.shape->begin() + length, data->type.shape->end());
  const auto updates = draw_updates(choices, scope, data->dtype(), std::move(updated), combine);
  return updates ? std::optional(CallDraft({data->expr, indices, *updates}, attrs)) : std::nullopt;
}

// One tensor, or a tuple of them.
Result<TensorTypes> index_types(const Type& indices) {
  if (const TensorType* one = indices.as_tensor()) return TensorTypes{one};
  const TupleType* tuple = indices.as_tuple();
  if (tuple == nullptr) return Error{"type.operand", "index_put: indices of type " + to_string(indices)};
  TensorTypes types;
  for (const Type& field : tuple->fields) {
    if (field.as_tensor() == nullptr)
      return Error{"type.operand", "index_put: an index of type " + to_string(field)};
    types.push_back(field.as_tensor());
  }
  return types;
}

Result<TensorType> infer_index_put(const TensorType& data, const Type& indices, const TensorType& values,
                                   const IndexPutAttrs&) {
  const TensorTypes types = TRY(index_types(indices));
  if (data.rank == kUnknownRank) return of_unknown_shape(data);
  for (const TensorType* index : types) {
    if (index->rank == 0) return Error{"type.rank", "index_put: an index of rank 0"};
    TRY_VOID(check_dtypes(data, *index, values));
  }
  if (std::ssize(types) != data.rank)
    return Error{"type.arity", "index_put: " + std::to_string(types.size()) + " indices for rank " +
                                   std::to_string(data.rank)};
  return data;
}

// The values are as many as the broadcast indices, in whatever shape: TVM's kernel numbers them
// (topi/index_put.py).
std::optional<Tensor> eval_index_put(const Tensor& data, const Value& indices, const Tensor& values,
                                     const IndexPutAttrs& attrs, EvalContext& context) {
  const Tensors given =
      indices.as_tuple() ? ValueOperand<Tensors>::read(indices) : Tensors{&indices.tensor()};
  const std::optional<BroadcastIndices> places = broadcast_indices(given);
  if (!places || given.size() != data.rank()) return std::nullopt;
  const Points points = points_at(data.shape(), places->coordinates, true, context);
  return scattered(data, points, values, attrs.accumulate ? Combine::add : Combine::update, context);
}

// Indices of points: as many along each axis, all of them distinct.
std::vector<ExprPtr> draw_point_indices(Choices& choices, Scope& scope, const Drawn& data, Ints& sizes,
                                        bool undefined) {
  sizes = {std::min<std::int64_t>(choices.integer(1, 4), element_count(data.dims))};
  const Ints coordinates = draw_distinct_coordinates(choices, data.dims, sizes[0]);
  std::vector<ExprPtr> fields;
  for (int k = 0; k < data.rank(); ++k) {
    Ints column;
    for (std::int64_t i = 0; i < sizes[0]; ++i) {
      const std::int64_t index = coordinates[static_cast<std::size_t>(i * data.rank() + k)];
      column.push_back(choices.one_in(3) ? index - data.size(k) : index);
    }
    if (undefined) column = undefined_indices(choices, column.size(), data.size(k));
    fields.push_back(index_constant(scope, DType::int64, sizes, column));
  }
  return fields;
}

// Indices of a grid: distinct ones along each axis, which broadcast to all their combinations.
std::vector<ExprPtr> draw_grid_indices(Choices& choices, Scope& scope, const Drawn& data, Ints& sizes) {
  std::vector<ExprPtr> fields;
  for (int k = 0; k < data.rank(); ++k) {
    Ints shape(static_cast<std::size_t>(data.rank() - k), 1);
    shape[0] = choices.integer(1, data.size(k));
    sizes.push_back(shape[0]);
    fields.push_back(
        index_constant(scope, DType::int32, shape, draw_distinct_lines(choices, shape, 0, data.size(k))));
  }
  return fields;
}

// Any indices, which may meet.
std::vector<ExprPtr> draw_any_indices(Choices& choices, Scope& scope, const Drawn& data, Ints& sizes) {
  sizes = {choices.integer(1, 4)};
  std::vector<ExprPtr> fields;
  for (int k = 0; k < data.rank(); ++k) {
    const FillSpec fill{.fill = Fill::indices, .limit = data.size(k), .allow_negative = true};
    const auto drawn =
        draw_operand(choices, scope, {.dtype = DType::int64, .shape = Shape{sizes[0]}, .fill = fill});
    if (!drawn) return {};
    fields.push_back(drawn->expr);
  }
  return fields;
}

std::optional<CallDraft> generate_index_put(Choices& choices, Scope& scope) {
  IndexPutAttrs attrs{choices.flip()};
  const bool undefined = scope.allow_undefined(choices);
  if (undefined && choices.one_in(3))
    return overflowing_call(scope, index_constant(scope, DType::int64, {{2}}, {0, 1}), IndexPutAttrs{true});
  attrs.accumulate = attrs.accumulate && !undefined;
  const Combine combine = attrs.accumulate ? Combine::add : Combine::update;
  const auto data = draw_operand(choices, scope, {.min_rank = 1, .max_rank = 3, .fill = fill_for(combine)});
  if (!data || element_count(data->dims) == 0) return std::nullopt;
  if (!compiles(combine, data->dtype())) attrs.accumulate = false;
  Ints sizes;
  std::vector<ExprPtr> fields =
      attrs.accumulate && choices.flip() ? draw_any_indices(choices, scope, *data, sizes)
      : !undefined && choices.flip()     ? draw_grid_indices(choices, scope, *data, sizes)
                                         : draw_point_indices(choices, scope, *data, sizes, undefined);
  if (fields.empty()) return std::nullopt;
  const auto values = draw_updates(choices, scope, data->dtype(), Shape(sizes.begin(), sizes.end()), combine);
  if (!values) return std::nullopt;
  const ExprPtr indices = fields.size() == 1 && choices.flip() ? fields[0] : make_tuple(std::move(fields));
  return CallDraft({data->expr, indices, *values}, attrs);
}

constexpr UndefinedRule kScatter[] = {UndefinedRule::index_out_of_bounds, UndefinedRule::repeated_index,
                                      UndefinedRule::signed_overflow};

}  // namespace

std::vector<OpDef> scatter_rows() {
  return {
      op<infer_scatter_elements, eval_scatter_elements, generate_scatter_elements>(
          "relax.scatter_elements", {"data", "indices", "updates"}, {.undefined = kScatter}),
      op<infer_scatter_nd, eval_scatter_nd, generate_scatter_nd>(
          "relax.scatter_nd", {"data", "indices", "updates"}, {.undefined = kScatter}),
      op<infer_index_put, eval_index_put, generate_index_put>(
          "relax.index_put", {"data", "indices", "values"}, {.undefined = kScatter}),
  };
}

}  // namespace passdiff
