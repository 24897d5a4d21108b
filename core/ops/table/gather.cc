// gather_nd, index_tensor: blocks picked by coordinates along the leading axes.
#include <algorithm>

#include "core/ops/draw.h"
#include "core/ops/literal.h"
#include "core/ops/points.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct GatherNdAttrs {
  std::int64_t batch_dims = 0;
  static constexpr auto fields() { return std::tuple(field("batch_dims", &GatherNdAttrs::batch_dims)); }
};

Result<TensorType> infer_gather_nd(const TensorType& data, const TensorType& indices,
                                   const GatherNdAttrs& attrs) {
  const std::int64_t batch = attrs.batch_dims;
  if (batch < 0 || (indices.dtype && indices.dtype != DType::int64))
    return Error{"type.operand", "gather_nd: negative batch_dims, or indices that are not int64"};
  if (data.rank == kUnknownRank || indices.rank == kUnknownRank) return of_unknown_shape(data);
  if (batch > data.rank || batch >= indices.rank)
    return Error{"type.rank", "gather_nd: batch_dims " + std::to_string(batch)};
  if (!indices.shape || !indices.shape->back().is_static()) return of_unknown_shape(data);
  const std::int64_t picked = batch + indices.shape->back().value();
  if (!data.shape) return of_unknown_shape(data, static_cast<int>(indices.rank + data.rank - 1 - picked));
  if (picked > data.rank)
    return Error{"type.rank", "gather_nd: " + std::to_string(picked) + " coordinates in rank " +
                                  std::to_string(data.rank)};
  Shape shape(indices.shape->begin(), indices.shape->end() - 1);
  shape.insert(shape.end(), data.shape->begin() + picked, data.shape->end());
  return of_shape(data, std::move(shape));
}

// Coordinates in the leading axes: of the batch, and as the lines along the last axis of `indices` tell.
// TVM's kernels read out of bounds where one is negative, too.
std::optional<Tensor> eval_gather_nd(const Tensor& data, const Tensor& indices, const GatherNdAttrs& attrs,
                                     EvalContext& context) {
  const auto shape = exact_shape(infer_gather_nd(exact_type(data), exact_type(indices), attrs));
  if (!shape) return std::nullopt;
  const Ints given = index_values(indices);
  Ints lines = indices.shape();
  const auto length = static_cast<std::size_t>(lines.back());
  lines.pop_back();
  const auto count = static_cast<std::size_t>(element_count(lines));
  std::vector<Ints> coordinates = positions_in(lines, static_cast<std::size_t>(attrs.batch_dims));
  for (std::size_t k = 0; k < length; ++k) {
    coordinates.emplace_back();
    for (std::size_t i = 0; i < count; ++i) coordinates.back().push_back(given[i * length + k]);
  }
  if (coordinates.empty()) {  // TVM copies all of the data for each line
    Points all{Ints(count, 0), static_cast<std::int64_t>(data.size())};
    return gathered(data, all, *shape);
  }
  return gathered(data, points_at(data.shape(), coordinates, false, context), *shape);
}

// Coordinates of an element that exists, or (seldom, if asked for) of none.
Ints draw_coordinates(Choices& choices, std::span<const std::int64_t> dims, std::int64_t lines,
                      bool outside) {
  Ints values;
  for (std::int64_t i = 0; i < lines; ++i) {
    for (const std::int64_t size : dims) values.push_back(choices.integer(0, size - 1));
  }
  if (outside && !values.empty()) values[0] = choices.flip() ? -1 : dims[0] + choices.integer(0, 4);
  return values;
}

std::optional<CallDraft> generate_gather_nd(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 4);
  if (!data || element_count(data->dims) == 0) return std::nullopt;
  const bool outside = scope.allow_undefined(choices);
  const std::int64_t batch =
      is_static(*data->type.shape) && choices.one_in(3) ? choices.integer(0, data->rank()) : 0;
  const std::int64_t length = choices.integer(outside ? 1 : 0, data->rank());
  if (batch + length > data->rank()) return std::nullopt;
  Ints shape(data->dims.begin(), data->dims.begin() + batch);
  for (std::int64_t i = choices.integer(0, 2); i > 0; --i) shape.push_back(choices.integer(1, 3));
  const std::span<const std::int64_t> picked(data->dims.data() + batch, static_cast<std::size_t>(length));
  const std::int64_t lines = element_count(shape);
  if (lines * element_count(data->dims) > kMaxResult) return std::nullopt;
  shape.push_back(length);
  // One size for all coordinates makes the indices any operand; else they are a constant.
  const bool one_size = length > 0 && std::equal(picked.begin() + 1, picked.end(), picked.begin());
  if (one_size && !outside) {
    const FillSpec fill{.fill = Fill::indices, .limit = picked[0], .allow_negative = false};
    const auto indices = draw_operand(
        choices, scope, {.dtype = DType::int64, .shape = Shape(shape.begin(), shape.end()), .fill = fill});
    return indices ? std::optional(CallDraft({data->expr, indices->expr}, GatherNdAttrs{batch}))
                   : std::nullopt;
  }
  const Ints values = draw_coordinates(choices, picked, lines, outside);
  return CallDraft({data->expr, index_constant(scope, DType::int64, shape, values)}, GatherNdAttrs{batch});
}

Result<TensorType> infer_index_tensor(const TensorType& data, const TensorTypes& indices) {
  if (indices.empty() || (data.rank != kUnknownRank && std::ssize(indices) > data.rank))
    return Error{"type.arity", "index_tensor: " + std::to_string(indices.size()) + " indices"};
  std::optional<Shape> shape = Shape();
  for (const TensorType* index : indices) {
    if (index->dtype && !is_signed_int(*index->dtype))
      return Error{"type.dtype", "index_tensor: indices are no integers"};
  }
  for (const TensorType* index : indices) {
    if (!index->shape) return of_unknown_shape(data);
  }
  for (const TensorType* index : indices) {
    if (shape) shape = TRY(broadcast_shapes(*shape, *index->shape));
  }
  if (!shape || data.rank == kUnknownRank) return of_unknown_shape(data);
  const auto count = static_cast<std::ptrdiff_t>(indices.size());
  if (!data.shape) return of_unknown_shape(data, static_cast<int>(std::ssize(*shape) + data.rank - count));
  shape->insert(shape->end(), data.shape->begin() + count, data.shape->end());
  return of_shape(data, *std::move(shape));
}

std::optional<Tensor> eval_index_tensor(const Tensor& data, const Tensors& indices, EvalContext& context) {
  const Ints dims = data.shape();
  std::optional<BroadcastIndices> given = broadcast_indices(indices);
  if (!given || indices.empty() || indices.size() > dims.size()) return std::nullopt;
  given->shape.insert(given->shape.end(), dims.begin() + std::ssize(indices), dims.end());
  return gathered(data, points_at(dims, given->coordinates, false, context), given->shape);
}

std::optional<CallDraft> generate_index_tensor(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 4);
  if (!data || element_count(data->dims) == 0) return std::nullopt;
  const Shape full = scope.shape(choices, 0, 2);
  const bool outside = scope.allow_undefined(choices);
  std::vector<ExprPtr> fields;
  for (int k = choices.integer(1, data->rank()) > 1 ? 2 : 1; k > 0 && data->rank() >= k; --k) {
    Shape shape = full;
    for (Dim& dim : shape) dim = choices.one_in(4) ? Dim(1) : dim;
    if (!shape.empty() && choices.one_in(4)) shape.erase(shape.begin());
    const int axis = static_cast<int>(fields.size());
    const FillSpec fill{.fill = Fill::indices, .limit = data->size(axis), .allow_negative = false};
    constexpr DType kIndices[] = {DType::int64, DType::int32, DType::int16, DType::int8};
    const auto index = draw_operand(
        choices, scope, {.dtype = choices.pick(kIndices), .shape = std::move(shape), .fill = fill});
    if (!index || element_count(index->dims) * element_count(data->dims) > kMaxResult) return std::nullopt;
    fields.push_back(index->expr);
  }
  if (outside) fields[0] = index_constant(scope, DType::int64, {}, {choices.flip() ? -1 : data->size(0)});
  return CallDraft({data->expr, make_tuple(std::move(fields))});
}

}  // namespace

std::vector<OpDef> gather_rows() {
  return {
      op<infer_gather_nd, eval_gather_nd, generate_gather_nd>("relax.gather_nd", {"data", "indices"},
                                                              {.undefined = kOutOfBounds}),
      op<infer_index_tensor, eval_index_tensor, generate_index_tensor>(
          "relax.index_tensor", {"data", "indices"}, {.undefined = kOutOfBounds}),
  };
}

}  // namespace passdiff
