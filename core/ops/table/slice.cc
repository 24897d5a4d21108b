// strided_slice: axes, begins, ends and strides are tuples of scalars. dynamic_strided_slice: they are
// tensors, for all axes. slice_scatter writes to a slice.
#include <algorithm>
#include <limits>

#include "core/ops/draw.h"
#include "core/ops/literal.h"
#include "core/ops/points.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct SliceAttrs {
  bool assume_inbound = false;
  static constexpr auto fields() { return std::tuple(field("assume_inbound", &SliceAttrs::assume_inbound)); }
};

// An index counted from the front and clamped to where a slice of this direction may start or stop.
std::int64_t clamped(std::int64_t index, std::int64_t size, std::int64_t stride) {
  const std::int64_t from_front = index < 0 ? index + size : index;
  return stride < 0 ? std::clamp<std::int64_t>(from_front, -1, size - 1)
                    : std::clamp<std::int64_t>(from_front, 0, size);
}

// True if the index needs no clamping: it may count from the end.
bool is_inbound(std::int64_t index, std::int64_t size, std::int64_t stride) {
  return clamped(index, size, stride) == index || (index < 0 && index + size >= 0);
}

// How many elements of an axis a slice takes; nothing if its stride is 0 or leads away from the end.
std::optional<std::int64_t> slice_length(std::int64_t size, std::int64_t begin, std::int64_t end,
                                         std::int64_t stride) {
  const std::int64_t way = clamped(end, size, stride) - clamped(begin, size, stride);
  if (stride == 0 || (stride < 0 ? way > 0 : way < 0)) return std::nullopt;
  if (way == 0) return 0;
  // The first element, and one for each whole stride that ends before the end.
  return (way - (way < 0 ? -1 : 1)) / stride + 1;
}

struct AxisSlice {
  Dim begin, end;
  std::int64_t stride;

  Dim rounded_up(const Dim& distance) const {  // divided by the stride
    return Dim::binary(DimOp::floor_divide, distance + Dim(stride) - Dim(1), stride);
  }
};

// On a static axis. TVM infers a negative size where the stride leads away from the end, and then fails to
// compile; with assume_inbound it infers the unclamped length, which its kernels do not honour (transform.h,
// measured). Neither is a type that a value can have: both are rejected.
Result<Dim> static_length(const Dim& size, const AxisSlice& slice, bool assume_inbound) {
  const std::optional<std::int64_t> length =
      slice_length(size.value(), slice.begin.value(), slice.end.value(), slice.stride);
  if (!length) return Error{"type.slice", "strided_slice: the stride leads away from the end"};
  if (!assume_inbound) return Dim(*length);
  const Dim unclamped = slice.rounded_up(slice.end - slice.begin);
  if (!unclamped.is_static() || unclamped.value() != *length) {
    return Error{"type.not-inbound", "strided_slice: " + to_string(slice.begin) + ":" + to_string(slice.end) +
                                   " is not inbound in size " + to_string(size)};
  }
  return unclamped;
}

// As `clamped`, for sizes or indices with variables; as far as we simplify, as TVM does.
Dim clamped_dim(const Dim& index, const Dim& size, std::int64_t stride) {
  const Dim high = stride < 0 ? size - Dim(1) : size;
  const bool negative = index.is_static() && index.value() < 0;
  const Dim from_front = negative ? size + index : index;
  if (proven_equal(from_front, size)) return high;
  if (index.is_static() && index.value() == 0 && stride > 0) return 0;
  const bool may_be_low = negative || !index.is_static();
  const Dim low = may_be_low ? Dim::binary(DimOp::maximum, from_front, stride < 0 ? -1 : 0) : from_front;
  return Dim::binary(DimOp::minimum, low, high);
}

Dim symbolic_length(const Dim& size, const AxisSlice& slice, bool assume_inbound) {
  if (assume_inbound) {
    const Dim distance = slice.end - slice.begin;
    return slice.stride == 1 ? distance : slice.rounded_up(distance);
  }
  const bool to_end = proven_equal(slice.end, size);
  if (slice.stride == 1 && to_end && slice.begin.is_static() && slice.begin.value() > 0) {
    return Dim::binary(DimOp::maximum, size - slice.begin, 0);
  }
  const Dim begin = clamped_dim(slice.begin, size, slice.stride);
  const Dim end = clamped_dim(slice.end, size, slice.stride);
  if (slice.stride == 1) return end - begin;
  if (slice.stride > 0) return slice.rounded_up(end - begin);
  const Dim stride(slice.stride);
  return Dim::binary(DimOp::floor_divide, begin - end - stride - Dim(1), Dim(0) - stride);
}

Result<Dim> sliced_length(const Dim& size, const AxisSlice& slice, bool assume_inbound) {
  if (slice.stride == 0) return Error{"type.slice", "strided_slice: stride 0"};
  const bool all_static = size.is_static() && slice.begin.is_static() && slice.end.is_static();
  return all_static ? static_length(size, slice, assume_inbound)
                    : symbolic_length(size, slice, assume_inbound);
}

Result<TensorType> infer_slice(const TensorType& x, const PrimTuple& axes, const PrimTuple& begin,
                               const PrimTuple& end, const PrimTuple* strides, const SliceAttrs& attrs) {
  const PrimTuple ones{axes.size, Shape(axes.size, Dim(1))};
  const PrimTuple& steps = strides ? *strides : ones;
  bool known = x.shape.has_value();
  for (const PrimTuple* tuple : {&axes, &begin, &end, &steps}) {
    if (tuple->size != axes.size) return Error{"type.arity", "strided_slice: tuples of different lengths"};
    known = known && tuple->values;
  }
  if (!known) return of_unknown_shape(x, x.rank);
  Ints given;
  for (const Dim& axis : *axes.values) {
    if (!axis.is_static()) return Error{"type.axis", "strided_slice: a symbolic axis"};
    given.push_back(axis.value());
  }
  const std::vector<int> normal = TRY(normalise_axes(given, x.rank));
  Shape shape = *x.shape;
  for (std::size_t i = 0; i < axes.size; ++i) {
    const Dim& stride = (*steps.values)[i];
    if (!stride.is_static()) return Error{"type.slice", "strided_slice: a symbolic stride"};
    Dim& dim = shape[static_cast<std::size_t>(normal[i])];
    dim =
        TRY(sliced_length(dim, {(*begin.values)[i], (*end.values)[i], stride.value()}, attrs.assume_inbound));
  }
  return of_shape(x, std::move(shape));
}

void report_slice(std::int64_t begin, std::int64_t end, std::int64_t size, EvalContext& context) {
  context.log.report(UndefinedRule::index_out_of_bounds, "slice " + std::to_string(begin) + ":" +
                                                             std::to_string(end) + " of an axis of size " +
                                                             std::to_string(size));
}

// Narrows a walk along the axis to the slice of `length` elements, and returns where that begins.
std::int64_t narrow(WalkAxis& axis, std::int64_t begin, std::int64_t stride, std::int64_t length) {
  const std::int64_t offset = clamped(begin, axis.size, stride) * axis.stride;
  // The step to a second element, if there is one; else the product could overflow.
  axis = {length, length <= 1 ? 0 : stride * axis.stride};
  return offset;
}

// Bounds are not what types and assume_inbound promise only if sizes are symbolic. TVM then reads out of
// bounds.
std::optional<Value> eval_slice(const Tensor& x, const Ints& axes, const Ints& begin, const Ints& end,
                                const Ints* strides, const SliceAttrs& attrs, EvalContext& context) {
  std::vector<WalkAxis> walk = row_major(x.shape());
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const int axis = runtime_axis(axes[i], walk.size());
    if (axis < 0) return std::nullopt;
    WalkAxis& along = walk[static_cast<std::size_t>(axis)];
    const std::int64_t size = along.size;
    const std::int64_t stride = strides ? (*strides)[i] : 1;
    const std::optional<std::int64_t> length = slice_length(size, begin[i], end[i], stride);
    const bool inbound = is_inbound(begin[i], size, stride) && is_inbound(end[i], size, stride);
    if (!length || (attrs.assume_inbound && !inbound)) {
      report_slice(begin[i], end[i], size, context);
      return Value();
    }
    offset += narrow(along, begin[i], stride, *length);
  }
  return make_tensor(copy_strided(x, offset, walk));
}

// Bounds on an axis of static size, in any of the ways to write them.
AxisSlice draw_static(Choices& choices, std::int64_t size, bool assume_inbound) {
  constexpr std::int64_t kStrides[] = {1, 2, 3, -1, -2};
  if (assume_inbound || size == 0 || choices.flip()) {
    const std::int64_t begin = choices.integer(0, size);
    return {begin, choices.integer(begin, size), kStrides[choices.index(3)]};
  }
  const std::int64_t stride = choices.pick(kStrides);
  const std::int64_t begin = choices.integer(0, size - 1);
  if (stride < 0) {
    const std::int64_t last = choices.integer(-1, begin);
    // -1 would count from the end: what lies before the front is written -size - 1.
    const std::int64_t end = last < 0 ? -size - 1 : choices.flip() ? last - size : last;
    return {choices.flip() ? begin - size : begin, end, stride};
  }
  const std::int64_t begin_written = choices.flip() ? begin - size : begin == 0 ? -size - 3 : begin;
  const std::int64_t end = choices.integer(begin, size);
  if (end == size)
    return {begin_written, choices.flip() ? size + 2 : std::numeric_limits<std::int64_t>::max(), stride};
  return {begin_written, choices.flip() ? end - size : end, stride};
}

// On a symbolic axis: up to its size. Other slices have types that TVM simplifies in its own way.
AxisSlice draw_symbolic(Choices& choices, const Dim& dim, std::int64_t size, bool assume_inbound) {
  const std::int64_t begin = assume_inbound && size > 0 ? choices.integer(0, 1) : 0;
  return {begin, dim, 1};
}

ExprPtr prims(const std::vector<Dim>& values) {
  std::vector<ExprPtr> fields;
  for (const Dim& value : values) fields.push_back(make_prim(value));
  return make_tuple(std::move(fields));
}

// Out of bounds at run time though no type shows it: a symbolic axis that is shorter than assumed.
std::optional<CallDraft> undefined_slice(const Drawn& data) {
  for (int i = 0; i < data.rank(); ++i) {
    if (data.dim(i).is_static()) continue;
    return CallDraft({data.expr, prims({Dim(i)}), prims({Dim(data.size(i))}), prims({Dim(data.size(i) + 1)})},
                     SliceAttrs{true});
  }
  return std::nullopt;
}

std::optional<CallDraft> generate_slice(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 4);
  if (!data) return std::nullopt;
  if (scope.allow_undefined(choices)) {
    if (std::optional<CallDraft> draft = undefined_slice(*data)) return draft;
  }
  const bool says_inbound = choices.one_in(3);
  const int count = 1 + static_cast<int>(choices.index(static_cast<std::size_t>(std::min(data->rank(), 2))));
  std::vector<Dim> axes, begins, ends, strides;
  bool needs_strides = choices.one_in(3);
  const std::vector<int> sliced = draw_distinct(choices, count, data->rank());
  // Of a computed size, as n - 1, TVM does not know that it is not negative: it keeps the clamps of the bounds in the type.
  const auto is_computed = [&](int axis) { return !data->dim(axis).is_static() && data->dim(axis).as_var() == nullptr; };
  const bool assume_inbound = says_inbound || std::ranges::any_of(sliced, is_computed);
  for (const int axis : sliced) {
    const Dim& dim = data->dim(axis);
    const std::int64_t size = data->size(axis);
    const AxisSlice slice = dim.is_static() ? draw_static(choices, size, assume_inbound)
                                            : draw_symbolic(choices, dim, size, assume_inbound);
    // With a symbolic end TVM's other kernel compiles, which knows no negative axes (transform.h, measured).
    axes.push_back(is_static(*data->type.shape) ? draw_sign(choices, axis, data->rank()) : axis);
    begins.push_back(slice.begin);
    ends.push_back(slice.end);
    strides.push_back(slice.stride);
    needs_strides = needs_strides || slice.stride != 1;
  }
  std::vector<ExprPtr> args{data->expr, prims(axes), prims(begins), prims(ends)};
  if (needs_strides) args.push_back(prims(strides));
  return CallDraft(std::move(args), SliceAttrs{assume_inbound});
}

Result<TensorType> infer_dynamic_slice(const TensorType& x, const TensorType& begin, const TensorType& end,
                                       const TensorType& strides) {
  if (x.rank == kUnknownRank) return of_unknown_shape(x);
  for (const TensorType* bound : {&begin, &end, &strides}) {
    const bool one_for_each_axis =
        bound->shape && bound->rank == 1 && proven_equal(bound->shape->front(), Dim(x.rank));
    if (!one_for_each_axis || (bound->dtype && bound->dtype != DType::int64))
      return Error{"type.operand",
                   "dynamic_strided_slice: bounds of type " + to_string(Type(TensorType(*bound)))};
  }
  return of_unknown_shape(x, x.rank);
}

// Where a stride is 0 or leads away from the end TVM allocates a tensor of negative size.
std::optional<Value> eval_dynamic_slice(const Tensor& x, const Tensor& begin, const Tensor& end,
                                        const Tensor& strides, EvalContext& context) {
  std::vector<WalkAxis> walk = row_major(x.shape());
  std::int64_t offset = 0;
  for (const Tensor* bound : {&begin, &end, &strides}) {
    if (bound->size() != walk.size()) return std::nullopt;
  }
  for (std::size_t i = 0; i < walk.size(); ++i) {
    const std::int64_t first = as_int(begin, i), last = as_int(end, i), stride = as_int(strides, i);
    const std::optional<std::int64_t> length = slice_length(walk[i].size, first, last, stride);
    if (!length) {
      report_slice(first, last, walk[i].size, context);
      return Value();
    }
    offset += narrow(walk[i], first, stride, *length);
  }
  return make_tensor(copy_strided(x, offset, walk));
}

std::optional<CallDraft> generate_dynamic_slice(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 4);
  if (!data) return std::nullopt;
  Ints begins, ends, strides;
  for (const std::int64_t size : data->dims) {
    const AxisSlice slice = draw_static(choices, size, false);
    begins.push_back(slice.begin.value());
    ends.push_back(slice.end.value());
    strides.push_back(slice.stride);
  }
  if (scope.allow_undefined(choices)) strides[0] = 0;
  std::vector<ExprPtr> args{data->expr};
  for (const Ints* bounds : {&begins, &ends, &strides})
    args.push_back(index_constant(scope, DType::int64, {{std::ssize(*bounds)}}, *bounds));
  return CallDraft(std::move(args));
}

struct SliceScatterAttrs {
  std::int64_t axis = 0;
  static constexpr auto fields() { return std::tuple(field("axis", &SliceScatterAttrs::axis)); }
};

Result<Dim> integer_bound(const PrimValue& bound) {
  const Dim* dim = std::get_if<Dim>(&bound.value);
  if (dim == nullptr || !is_integer(bound.dtype))
    return Error{"type.dtype", "slice_scatter: a bound is no integer"};
  return *dim;
}

Result<TensorType> infer_slice_scatter(const TensorType& x, const TensorType& src, const PrimValue& start,
                                       const PrimValue& end, const PrimValue& step,
                                       const SliceScatterAttrs& attrs) {
  if (x.rank == kUnknownRank) return of_unknown_shape(x);
  const int axis = TRY(normalise_axis(attrs.axis, x.rank));
  if (src.rank != kUnknownRank && src.rank != x.rank)
    return Error{"type.rank", "slice_scatter: ranks differ"};
  if (x.dtype && src.dtype && x.dtype != src.dtype)
    return Error{"type.dtype", "slice_scatter: dtypes differ"};
  const Dim first = TRY(integer_bound(start)), last = TRY(integer_bound(end)),
            stride = TRY(integer_bound(step));
  const Dim way = last - first;
  if ((stride.is_static() && stride.value() < 1) || (way.is_static() && way.value() < 0))
    return Error{"type.slice",
                 "slice_scatter: " + to_string(first) + ":" + to_string(last) + ":" + to_string(stride)};
  if (!x.shape || !src.shape) return x;
  Shape expected = *x.shape;
  expected[static_cast<std::size_t>(axis)] = Dim::binary(DimOp::floor_divide, way + stride - Dim(1), stride);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (proven_different(expected[i], (*src.shape)[i]))
      return Error{"type.shape",
                   "slice_scatter: size " + to_string((*src.shape)[i]) + " on axis " + std::to_string(i)};
  }
  return x;
}

// Elements of src beyond either end of the axis are lost; negative bounds do not count from its end.
std::optional<Tensor> eval_slice_scatter(const Tensor& x, const Tensor& src, const ScalarValue& start,
                                         const ScalarValue&, const ScalarValue& step,
                                         const SliceScatterAttrs& attrs) {
  const int axis = runtime_axis(attrs.axis, x.rank());
  if (axis < 0 || src.rank() != x.rank() || src.dtype != x.dtype) return std::nullopt;
  const AxisSplit to = split_at(x.shape(), axis), from = split_at(src.shape(), axis);
  if (to.outer != from.outer || to.inner != from.inner) return std::nullopt;
  const std::int64_t first = std::get<std::int64_t>(start.value), stride = std::get<std::int64_t>(step.value);
  Tensor result = x;
  const auto copy = [&]<class Elements>(Elements& elements) {
    const Elements& given = std::get<Elements>(src.values);
    for (std::int64_t i = 0; i < std::ssize(given); ++i) {
      const std::int64_t row = first + i / from.inner % from.size * stride;
      if (row < 0 || row >= to.size) continue;
      const std::int64_t outer = i / (from.size * from.inner);
      elements.data()[(outer * to.size + row) * to.inner + i % from.inner] = given.data()[i];
    }
  };
  std::visit(copy, result.values);
  return result;
}

std::optional<CallDraft> generate_slice_scatter(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 4);
  if (!data) return std::nullopt;
  const SliceScatterAttrs attrs{draw_axis(choices, data->rank())};
  const int axis = runtime_axis(attrs.axis, data->dims.size());
  // TVM compiles no symbolic axis.
  if (!data->dim(axis).is_static()) return std::nullopt;
  const std::int64_t size = data->size(axis), step = choices.integer(1, 3);
  const std::int64_t start = choices.integer(0, size), end = choices.integer(start, size);
  Shape shape = *data->type.shape;
  shape[static_cast<std::size_t>(axis)] = (end - start + step - 1) / step;
  const auto src = draw_operand(choices, scope, {.dtype = data->dtype(), .shape = std::move(shape)});
  if (!src) return std::nullopt;
  return CallDraft({data->expr, src->expr, make_prim(start), make_prim(end), make_prim(step)},
                   attrs);
}

}  // namespace

std::vector<OpDef> slice_rows() {
  return {
      op<infer_slice, eval_slice, generate_slice>("relax.strided_slice", {"x", "axes", "begin", "end", "strides"},
                                                  {.undefined = kOutOfBounds, .weight = 3}),
      op<infer_dynamic_slice, eval_dynamic_slice, generate_dynamic_slice>("relax.dynamic_strided_slice", {"x", "begin", "end", "strides"},
                                                                          {.undefined = kOutOfBounds, .one_in = kCostlyOneIn}),
      op<infer_slice_scatter, eval_slice_scatter, generate_slice_scatter>("relax.slice_scatter", {"input_tensor", "src", "start", "end", "step"})};
}

}  // namespace passdiff
