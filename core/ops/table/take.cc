// take, its gradient, gather_elements: elements picked by the values of another tensor.
#include <algorithm>
#include <limits>

#include "core/ops/draw.h"
#include "core/ops/known_attrs.h"
#include "core/ops/numeric.h"
#include "core/ops/points.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

Result<TensorType> infer_take(const TensorType& x, const IndexType& indices, const TakeAttrs& attrs) {
  if (indices.dtype && !is_integer(*indices.dtype)) {
    return Error{"type.dtype", "take: " + std::string(dtype_name(*indices.dtype)) + " indices"};
  }
  if (!attrs.axis && x.rank != 1) {
    return Error{"type.rank", "take: without an axis the rank must be 1, not " + std::to_string(x.rank)};
  }
  if (x.rank == kUnknownRank || indices.rank == kUnknownRank) return of_unknown_shape(x);
  const int axis = TRY(normalise_axis(attrs.axis.value_or(0), x.rank));
  if (!x.shape || !indices.shape) return of_unknown_shape(x, x.rank + indices.rank - 1);
  Shape shape = *x.shape;
  const auto at = shape.erase(shape.begin() + axis);
  shape.insert(at, indices.shape->begin(), indices.shape->end());
  return of_shape(x, std::move(shape));
}

// The place of an index along an axis of `size`, or -1 if there is none. Measured, and topi/transform.h.
std::int64_t place_of(std::int64_t index, std::int64_t size, TakeMode mode) {
  if (index >= 0 && index < size) return index;
  if (size == 0 || mode == TakeMode::fast || mode == TakeMode::nan) return -1;
  if (mode == TakeMode::clip) return index < 0 ? 0 : size - 1;
  const std::int64_t rest = index % size;
  return rest < 0 ? rest + size : rest;
}

// The indices as integers, and their shape; nothing if they are floats.
std::optional<std::pair<Ints, Ints>> index_values(const Value& indices) {
  if (const TensorPtr* tensor = indices.as_tensor()) {
    if (is_float((*tensor)->dtype)) return std::nullopt;
    Ints storage;
    const std::span<const std::int64_t> values = ints_of(**tensor, storage);
    return std::pair(Ints(values.begin(), values.end()), (*tensor)->shape());
  }
  const std::int64_t* value = std::get_if<std::int64_t>(&indices.scalar().value);
  return value ? std::optional(std::pair(Ints{*value}, Ints())) : std::nullopt;
}

// Of integers TVM compiles no mode nan: an element from no place is 0.
std::optional<Tensor> eval_take(const Tensor& x, const Value& indices, const TakeAttrs& attrs,
                                EvalContext& context) {
  Ints shape = x.shape();
  const int axis = runtime_axis(attrs.axis.value_or(0), shape.size());
  const auto values = index_values(indices);
  if (axis < 0 || !values) return std::nullopt;
  const auto& [given, index_shape] = *values;
  const AxisSplit split = split_at(shape, axis);
  Ints places;
  for (const std::int64_t index : given) {
    places.push_back(place_of(index, split.size, attrs.mode));
    if (places.back() < 0 && attrs.mode != TakeMode::nan && !context.log.must_stop()) {
      report_index(index, axis, split.size, context);
    }
  }
  const auto at = shape.erase(shape.begin() + axis);
  shape.insert(at, index_shape.begin(), index_shape.end());
  if (!is_affordable(shape)) return std::nullopt;
  return from_places(
      x, shape, std::numeric_limits<double>::quiet_NaN(), [&](std::int64_t i, std::span<const std::int64_t>) {
        const std::int64_t place = places[static_cast<std::size_t>(i / split.inner) % places.size()];
        const std::int64_t outer = i / split.inner / std::ssize(places);
        return place < 0 ? place : (outer * split.size + place) * split.inner + i % split.inner;
      });
}

DType draw_index_dtype(Choices& choices) {
  return choices.flip() ? DType::int64 : DType::int32;
}

// Indices beyond the axis, but for mode fast: there they are undefined.
FillSpec draw_fill(Choices& choices, TakeMode mode, std::int64_t size) {
  FillSpec fill{.fill = Fill::indices, .limit = size, .allow_negative = false};
  if (mode == TakeMode::fast) return fill;
  fill.allow_negative = choices.flip();
  if (choices.flip()) fill.limit = 2 * size + 1;
  return fill;
}

// Seldom: an index that is not there. Negative ones are not, either.
ExprPtr outside_index(Choices& choices, Scope& scope, std::int64_t size, int rank) {
  const std::int64_t index = choices.flip() ? -1 : size + static_cast<std::int64_t>(choices.index(4));
  Ints shape(static_cast<std::size_t>(rank), 1);
  Tensor tensor = zeros(DType::int32, shape);
  std::get<Tensor::Ints>(tensor.values).data()[0] = index;
  return scope.constant(std::move(tensor));
}

std::optional<CallDraft> generate_take(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 4);
  if (!data) return std::nullopt;
  TakeAttrs attrs;
  if (data->rank() > 1 || choices.flip()) attrs.axis = draw_axis(choices, data->rank());
  const std::int64_t size = data->size(runtime_axis(attrs.axis.value_or(0), data->dims.size()));
  if (size == 0) return std::nullopt;
  attrs.mode = static_cast<TakeMode>(choices.index(4));
  // TVM compiles mode nan neither for integers nor without an axis (measured).
  if (attrs.mode == TakeMode::nan && (!attrs.axis || !is_float(data->dtype()))) attrs.mode = TakeMode::fast;
  if (attrs.mode == TakeMode::fast && scope.allow_undefined(choices)) {
    return CallDraft({data->expr, outside_index(choices, scope, size, 1)}, attrs);
  }
  const Want want{
      .dtype = draw_index_dtype(choices), .max_rank = 2, .fill = draw_fill(choices, attrs.mode, size)};
  const std::optional<Drawn> indices = draw_operand(choices, scope, want);
  if (!indices || element_count(data->dims) / size * element_count(indices->dims) > kMaxResult)
    return std::nullopt;
  return CallDraft({data->expr, indices->expr}, attrs);
}

struct GatherAttrs {
  std::int64_t axis = 0;
  static constexpr auto fields() { return std::tuple(field("axis", &GatherAttrs::axis)); }
};

Result<TensorType> infer_gather(const TensorType& data, const TensorType& indices, const GatherAttrs& attrs) {
  if (indices.dtype && !is_signed_int(*indices.dtype)) {
    return Error{"type.dtype", "gather_elements: " + std::string(dtype_name(*indices.dtype)) + " indices"};
  }
  if (data.rank == kUnknownRank || indices.rank == kUnknownRank) return of_unknown_shape(data);
  TRY(normalise_axis(attrs.axis, data.rank));
  if (data.rank != indices.rank) {
    return Error{"type.rank", "gather_elements: ranks " + std::to_string(data.rank) + " and " +
                                  std::to_string(indices.rank) + " differ"};
  }
  return make_tensor_type(indices.shape, indices.rank, data.dtype, data.vdevice);
}

// Every index outside its axis is undefined in TVM, negative ones too, and so are indices that are more than the operand has
// along another axis (topi.gather, measured).
std::optional<Tensor> eval_gather(const Tensor& data, const Tensor& indices, const GatherAttrs& attrs,
                                  EvalContext& context) {
  const Ints dims = data.shape();
  const int axis = runtime_axis(attrs.axis, dims.size());
  if (axis < 0 || indices.rank() != dims.size() || is_float(indices.dtype)) return std::nullopt;
  Ints storage;
  const std::span<const std::int64_t> values = ints_of(indices, storage);
  const std::vector<WalkAxis> walk = row_major(dims);
  return from_places(data, indices.shape(), 0, [&](std::int64_t i, std::span<const std::int64_t> at) {
    std::int64_t place = 0;
    for (std::size_t k = 0; k < at.size(); ++k) {
      const std::int64_t here = static_cast<int>(k) == axis ? values[static_cast<std::size_t>(i)] : at[k];
      if (here < 0 || here >= dims[k]) {
        if (!context.log.must_stop()) report_index(here, static_cast<int>(k), dims[k], context);
        return std::int64_t{-1};
      }
      place += here * walk[k].stride;
    }
    return place;
  });
}

std::optional<CallDraft> generate_gather(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 4);
  if (!data || element_count(data->dims) == 0) return std::nullopt;
  const GatherAttrs attrs{draw_axis(choices, data->rank())};
  const int along = runtime_axis(attrs.axis, data->dims.size());
  if (scope.allow_undefined(choices)) {
    return CallDraft({data->expr, outside_index(choices, scope, data->size(along), data->rank())}, attrs);
  }
  Shape shape = *data->type.shape;
  for (int i = 0; i < data->rank(); ++i) {
    // Fewer than the operand has along the other axes, as many as one likes along its own.
    const std::int64_t most = i == along ? 4 : data->size(i);
    if (choices.one_in(3)) shape[static_cast<std::size_t>(i)] = choices.integer(1, most);
  }
  const FillSpec fill{.fill = Fill::indices, .limit = data->size(along), .allow_negative = false};
  const Want want{.dtype = draw_index_dtype(choices), .shape = std::move(shape), .fill = fill};
  const std::optional<Drawn> indices = draw_operand(choices, scope, want);
  if (!indices || element_count(indices->dims) > kMaxResult) return std::nullopt;
  return CallDraft({data->expr, indices->expr}, attrs);
}

// TVM's class of attributes is that of take; what makes the call leaves the mode empty.
enum class BackwardMode : std::uint8_t { unset, fast };
constexpr std::array<std::string_view, 2> words_of(BackwardMode) {
  return {"", "fast"};
}
struct TakeBackwardAttrs {
  std::optional<std::int64_t> axis;
  BackwardMode mode = BackwardMode::unset;
  static constexpr auto fields() {
    return std::tuple(field("axis", &TakeBackwardAttrs::axis), unspoken("mode", &TakeBackwardAttrs::mode));
  }
};

Type infer_take_backward(const TensorType&, const AnyTensor& x, const TensorType&, const TakeBackwardAttrs&) {
  return x.type;
}

// The gradient of take at x: zeros, to which the gradient of the result is added where its elements came from.
std::optional<Tensor> eval_take_backward(const Tensor& grad, const Tensor& x, const Tensor& indices,
                                         const TakeBackwardAttrs& attrs, EvalContext& context) {
  const Ints dims = x.shape();
  const int axis = runtime_axis(attrs.axis.value_or(0), dims.size());
  if (axis < 0 || is_float(indices.dtype) || (!attrs.axis && dims.size() != 1)) return std::nullopt;
  // As take makes it: with the indices' axes in place of the one.
  Ints made(dims.begin(), dims.begin() + axis);
  const Ints index_dims = indices.shape();
  made.insert(made.end(), index_dims.begin(), index_dims.end());
  made.insert(made.end(), dims.begin() + axis + 1, dims.end());
  if (grad.shape() != made) return std::nullopt;
  Ints taken = dims;
  taken[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(indices.size());
  std::vector<Ints> coordinates = positions_in(taken, taken.size());
  const Ints given = index_values(indices);
  for (std::int64_t& at : coordinates[static_cast<std::size_t>(axis)])
    at = given[static_cast<std::size_t>(at)];
  return scattered(zeros(x.dtype, dims), points_at(dims, coordinates, false, context), with_shape(grad, taken),
                   Combine::add, context);
}

std::optional<CallDraft> generate_take_backward(Choices& choices, Scope& scope) {
  const bool undefined = scope.allow_undefined(choices);
  if (undefined && choices.one_in(3)) {
    const ExprPtr large = full_constant(scope, DType::int32, {2}, scalar_max(DType::int32));
    const ExprPtr zero = full_constant(scope, DType::int32, {2}, std::int64_t{0});
    return CallDraft({large, zero, zero}, TakeBackwardAttrs{0});
  }
  // TVM adds no bools.
  const std::optional<Drawn> x = draw_operand(choices, scope, kNumericDTypes, 1, 4);
  if (!x || element_count(x->dims) == 0) return std::nullopt;
  TakeBackwardAttrs attrs;
  // TVM's kernel knows no negative axis (legalize_ops/grad.py, measured).
  if (x->rank() > 1 || choices.flip()) attrs.axis = choices.integer(0, x->rank() - 1);
  const auto axis = static_cast<std::size_t>(attrs.axis.value_or(0));
  const std::int64_t count = choices.integer(1, 4), size = x->dims[axis];
  const FillSpec fill{.fill = Fill::indices, .limit = size, .allow_negative = false};
  const DType dtype = draw_index_dtype(choices);
  const auto indices = draw_operand(choices, scope, {.dtype = dtype, .shape = Shape{count}, .fill = fill});
  Shape shape = *x->type.shape;
  shape[axis] = count;
  const auto grad = draw_operand(choices, scope,
                                 {.dtype = x->dtype(), .shape = std::move(shape), .fill = {.magnitude = 64}});
  if (!indices || !grad) return std::nullopt;
  const Ints outside(static_cast<std::size_t>(count), size);
  return CallDraft(
      {grad->expr, x->expr, undefined ? index_constant(scope, dtype, {{count}}, outside) : indices->expr},
      attrs);
}

constexpr UndefinedRule kAdding[] = {UndefinedRule::index_out_of_bounds, UndefinedRule::signed_overflow};
}  // namespace

std::vector<OpDef> take_rows() {
  return {
      op<infer_take, eval_take, generate_take>("relax.take", {"x", "indices"},
                                               {.undefined = kOutOfBounds, .weight = 3}),
      op<infer_gather, eval_gather, generate_gather>("relax.gather_elements", {"data", "indices"},
                                                     {.undefined = kOutOfBounds}),
      op<infer_take_backward, eval_take_backward, generate_take_backward>(
          "relax.grad.take_backward", {"output_grad", "x", "indices"},
          {.undefined = kAdding, .attrs_class = "relax.attrs.TakeAttrs"}),
  };
}

}  // namespace passdiff
