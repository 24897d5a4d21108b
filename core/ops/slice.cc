// strided_slice: axes, begins, ends and strides are tuples of scalars.
#include <algorithm>
#include <limits>

#include "core/ops/attr_access.h"
#include "core/ops/infer.h"
#include "core/ops/layout.h"
#include "core/ops/literal.h"
#include "core/ops/operand.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

// The dims of a tuple literal of int64 scalars; nothing if it is no literal, so that its values are unknown.
Result<std::optional<Shape>> tuple_values(std::span<const ExprPtr> args, std::size_t i) {
  const TupleType* type = args[i]->type.as_tuple();
  const auto is_int64 = [](const Type& field) {
    const PrimType* prim = field.as_prim();
    return prim && prim->dtype == DType::int64;
  };
  if (!type || !std::all_of(type->fields.begin(), type->fields.end(), is_int64)) {
    return Error{"type.operand", "operand " + std::to_string(i) + ": wanted a tuple of int64 scalars, got " +
                                     to_string(args[i]->type)};
  }
  const Tuple* tuple = as<Tuple>(args[i]);
  if (!tuple) return std::optional<Shape>();
  Shape values;
  for (const ExprPtr& field : tuple->fields) {
    const PrimValue* prim = as<PrimValue>(field);
    const Dim* dim = prim ? std::get_if<Dim>(&prim->value) : nullptr;
    if (!dim) return std::optional<Shape>();
    values.push_back(*dim);
  }
  return std::optional<Shape>(std::move(values));
}

Dim floor_div(const Dim& a, const Dim& b) {
  return Dim::binary(DimOp::floor_divide, a, b);
}

// An index counted from the front and clamped to where a slice of this direction may start or stop.
std::int64_t clamped(std::int64_t index, std::int64_t size, std::int64_t stride) {
  const std::int64_t from_front = index < 0 ? index + size : index;
  return stride < 0 ? std::clamp<std::int64_t>(from_front, -1, size - 1)
                    : std::clamp<std::int64_t>(from_front, 0, size);
}

// How many steps lead from begin to end; nothing if the stride leads away from it. Both are clamped.
std::optional<std::int64_t> steps(std::int64_t begin, std::int64_t end, std::int64_t stride) {
  const std::int64_t distance = stride < 0 ? begin - end : end - begin;
  if (distance < 0) return std::nullopt;
  const std::uint64_t step =
      stride < 0 ? 0 - static_cast<std::uint64_t>(stride) : static_cast<std::uint64_t>(stride);
  return distance == 0 ? 0 : static_cast<std::int64_t>((static_cast<std::uint64_t>(distance) - 1) / step + 1);
}

struct AxisSlice {
  Dim begin, end;
  std::int64_t stride;
};

// On a static axis. TVM infers a negative size where the stride leads away from the end, and then fails to
// compile; with assume_inbound it infers the unclamped length, which its kernels do not honour (transform.h,
// measured). Neither is a type that a value can have: both are rejected.
Result<Dim> static_length(std::int64_t size, std::int64_t begin, std::int64_t end, std::int64_t stride,
                          bool assume_inbound) {
  const std::optional<std::int64_t> length =
      steps(clamped(begin, size, stride), clamped(end, size, stride), stride);
  if (!length) return Error{"type.slice", "strided_slice: the stride leads away from the end"};
  if (!assume_inbound) return Dim(*length);
  const Dim raw = floor_div(Dim(end) - Dim(begin) + Dim(stride) - Dim(1), stride);
  if (!raw.is_static() || raw.value() != *length) {
    return Error{"type.slice", "strided_slice: " + std::to_string(begin) + ":" + std::to_string(end) +
                                   " is not inbound in size " + std::to_string(size)};
  }
  return raw;
}

// As static_length, for sizes or indices with variables; as far as we simplify, as TVM does.
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
  const Dim stride(slice.stride);
  if (assume_inbound) {
    const Dim distance = slice.end - slice.begin;
    return slice.stride == 1 ? distance : floor_div(distance + stride - Dim(1), stride);
  }
  const bool to_end = proven_equal(slice.end, size);
  if (slice.stride == 1 && to_end && slice.begin.is_static() && slice.begin.value() > 0) {
    return Dim::binary(DimOp::maximum, size - slice.begin, 0);
  }
  const Dim begin = clamped_dim(slice.begin, size, slice.stride);
  const Dim end = clamped_dim(slice.end, size, slice.stride);
  if (slice.stride == 1) return end - begin;
  if (slice.stride > 0) return floor_div(end - begin + stride - Dim(1), stride);
  return floor_div(begin - end - stride - Dim(1), Dim(0) - stride);
}

Result<Dim> sliced_length(const Dim& size, const AxisSlice& slice, bool assume_inbound) {
  if (slice.stride == 0) return Error{"type.slice", "strided_slice: stride 0"};
  if (size.is_static() && slice.begin.is_static() && slice.end.is_static()) {
    return static_length(size.value(), slice.begin.value(), slice.end.value(), slice.stride, assume_inbound);
  }
  return symbolic_length(size, slice, assume_inbound);
}

Result<Type> infer_slice(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<const TensorType*> operand = tensor_operand(args, 0);
  if (!operand) return operand.error();
  const TensorType& data = **operand;
  std::vector<Shape> tuples;
  bool known = data.shape.has_value();
  for (std::size_t i = 1; i < args.size(); ++i) {
    Result<std::optional<Shape>> values = tuple_values(args, i);
    if (!values) return values.error();
    const std::size_t length = args[i]->type.as_tuple()->fields.size();
    if (length != args[1]->type.as_tuple()->fields.size()) {
      return Error{"type.arity", "strided_slice: tuples of different lengths"};
    }
    known = known && values->has_value();
    tuples.push_back(values->value_or(Shape()));
  }
  if (!known) return Type(make_tensor_type(std::nullopt, data.rank, data.dtype, data.vdevice));
  Ints given;
  for (const Dim& axis : tuples[0]) {
    if (!axis.is_static()) return Error{"type.axis", "strided_slice: a symbolic axis"};
    given.push_back(axis.value());
  }
  const Result<std::vector<int>> axes = normalise_axes(given, data.rank);
  if (!axes) return axes.error();
  Shape shape = *data.shape;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Dim stride = tuples.size() > 3 ? tuples[3][i] : Dim(1);
    if (!stride.is_static()) return Error{"type.slice", "strided_slice: a symbolic stride"};
    Dim& dim = shape[static_cast<std::size_t>((*axes)[i])];
    Result<Dim> length =
        sliced_length(dim, {tuples[1][i], tuples[2][i], stride.value()}, attr<bool>(attrs, 0));
    if (!length) return length.error();
    dim = *std::move(length);
  }
  return Type(make_tensor_type(std::move(shape), data.rank, data.dtype, data.vdevice));
}

std::int64_t scalar_at(const Value& tuple, std::size_t i) {
  const std::int64_t* value = std::get_if<std::int64_t>(&tuple.tuple().fields[i].scalar().value);
  CHECK(value) << "a slice bound is no integer";
  return *value;
}

// One axis of the walk: where it starts and how it steps. Nothing, and reported, if the bounds are not what
// types and assume_inbound promise, which only symbolic sizes can bring about: TVM then reads out of bounds.
std::optional<std::int64_t> slice_axis(WalkAxis& axis, std::int64_t begin, std::int64_t end,
                                       std::int64_t stride, bool assume_inbound, EvalContext& context) {
  const std::int64_t first = clamped(begin, axis.size, stride);
  const std::int64_t last = clamped(end, axis.size, stride);
  const std::optional<std::int64_t> length = stride == 0 ? std::nullopt : steps(first, last, stride);
  const auto wraps = [&](std::int64_t index) { return index < 0 && index + axis.size >= 0; };
  const bool strays = assume_inbound && ((first != begin && !wraps(begin)) || (last != end && !wraps(end)));
  if (!length || strays) {
    context.log.report(UndefinedRule::index_out_of_bounds, "slice " + std::to_string(begin) + ":" +
                                                               std::to_string(end) + " of an axis of size " +
                                                               std::to_string(axis.size));
    return std::nullopt;
  }
  const std::int64_t offset = *length == 0 ? 0 : first * axis.stride;
  // Only one step at most is taken with a stride beyond the axis, so that its product cannot matter.
  axis = {*length, *length <= 1 ? 0 : stride * axis.stride};
  return offset;
}

Value eval_slice(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const Tensor& data = args[0].tensor();
  std::vector<std::int64_t> dims = data.shape();
  std::vector<WalkAxis> walk = row_major(dims);
  const std::size_t count = args[1].tuple().fields.size();
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const int axis = runtime_axis(scalar_at(args[1], i), dims.size());
    if (axis < 0) return misfit(context);
    const std::int64_t stride = args.size() > 4 ? scalar_at(args[4], i) : 1;
    WalkAxis& step = walk[static_cast<std::size_t>(axis)];
    const std::optional<std::int64_t> start =
        slice_axis(step, scalar_at(args[2], i), scalar_at(args[3], i), stride, attr<bool>(attrs, 0), context);
    if (!start) return Value();  // reported
    offset += *start;
    dims[static_cast<std::size_t>(axis)] = step.size;
  }
  return make_tensor(copy_strided(data, dims, offset, walk));
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
  std::vector<Type> types;
  for (const Dim& value : values) {
    fields.push_back(prim_literal(value));
    types.push_back(fields.back()->type);
  }
  return make_expr(Tuple{std::move(fields)}, tuple_type(std::move(types)));
}

// Out of bounds at run time though no type shows it: a symbolic axis that is shorter than assumed.
std::optional<CallDraft> undefined_slice(const Drawn& data) {
  for (int i = 0; i < data.rank(); ++i) {
    if (data.dim(i).is_static()) continue;
    return CallDraft{{data.expr, prims({Dim(i)}), prims({Dim(data.size(i))}), prims({Dim(data.size(i) + 1)})},
                     {true}};
  }
  return std::nullopt;
}

std::optional<CallDraft> generate_slice(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 4);
  if (!data) return std::nullopt;
  if (scope.allow_undefined(choices)) {
    if (std::optional<CallDraft> draft = undefined_slice(*data)) return draft;
  }
  const bool assume_inbound = choices.one_in(3);
  const int count = 1 + static_cast<int>(choices.index(static_cast<std::size_t>(std::min(data->rank(), 2))));
  std::vector<Dim> axes, begins, ends, strides;
  bool needs_strides = choices.one_in(3);
  for (const int axis : draw_distinct(choices, count, data->rank())) {
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
  return CallDraft{std::move(args), {assume_inbound}};
}

const Param kSliceParams[] = {
    {"x", ParamKind::tensor},
    {"axes", ParamKind::prims},
    {"begin", ParamKind::prims},
    {"end", ParamKind::prims},
    {"strides", ParamKind::prims, true},
    {"assume_inbound", ParamKind::attr_bool, false, AttrValue(false)},
};
constexpr UndefinedRule kOutOfBounds[] = {UndefinedRule::index_out_of_bounds};

}  // namespace

std::span<const OpDef> slice_rows() {
  static const OpDef kRows[] = {
      {{"relax.strided_slice"},
       .params = kSliceParams,
       .traits = Trait::data_movement,
       .undefined = kOutOfBounds,
       .infer = infer_slice,
       .eval = eval_slice,
       .generate = generate_slice},
  };
  return kRows;
}

}  // namespace passdiff
