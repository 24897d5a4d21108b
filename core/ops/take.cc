// take, gather_elements: elements picked by the values of another tensor.
#include <algorithm>
#include <limits>

#include "core/ops/attr_access.h"
#include "core/ops/infer.h"
#include "core/ops/layout.h"
#include "core/ops/numeric.h"
#include "core/ops/operand.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

// What an index outside [0, size) means (topi/transform.h, measured). fast: read out of bounds, negative ones
// too. clip: the nearest end. wrap: modulo the size, negative ones from the end. nan: NaN, for negative ones
// too.
enum class TakeMode : std::uint8_t { fast, clip, wrap, nan };
constexpr std::string_view kModeNames[] = {"fast", "clip", "wrap", "nan"};

std::optional<TakeMode> mode_of(const Attrs& attrs) {
  const auto found = std::find(std::begin(kModeNames), std::end(kModeNames), attr<std::string>(attrs, 1));
  if (found == std::end(kModeNames)) return std::nullopt;
  return static_cast<TakeMode>(found - std::begin(kModeNames));
}

// The type of indices: a tensor of integers, or a scalar, which counts as rank 0.
Result<TensorType> index_type(std::span<const ExprPtr> args) {
  TensorType type;
  if (const PrimType* prim = args[1]->type.as_prim()) {
    type = make_tensor_type(Shape(), 0, prim->dtype, std::nullopt);
  } else {
    const Result<const TensorType*> tensor = tensor_operand(args, 1);
    if (!tensor) return tensor.error();
    type = **tensor;
  }
  if (type.dtype && !is_integer(*type.dtype)) {
    return Error{"type.dtype", "take: " + std::string(dtype_name(*type.dtype)) + " indices"};
  }
  return type;
}

Result<Type> infer_take(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<const TensorType*> operand = tensor_operand(args, 0);
  if (!operand) return operand.error();
  const Result<TensorType> indices = index_type(args);
  if (!indices) return indices.error();
  const TensorType& data = **operand;
  const std::int64_t* given = optional_attr<std::int64_t>(attrs, 0);
  // TVM lets any word pass, and compiles an unknown one as some mode.
  if (!mode_of(attrs)) return Error{"type.mode", "take: no mode `" + attr<std::string>(attrs, 1) + "`"};
  if (!given && data.rank != 1) {
    return Error{"type.rank", "take: without an axis the rank must be 1, not " + std::to_string(data.rank)};
  }
  if (data.rank == kUnknownRank || indices->rank == kUnknownRank) {
    return Type(make_tensor_type(std::nullopt, kUnknownRank, data.dtype, data.vdevice));
  }
  const Result<int> axis = normalise_axis(given ? *given : 0, data.rank);
  if (!axis) return axis.error();
  const int rank = data.rank + indices->rank - 1;
  if (!data.shape || !indices->shape) {
    return Type(make_tensor_type(std::nullopt, rank, data.dtype, data.vdevice));
  }
  Shape shape = *data.shape;
  const auto at = shape.erase(shape.begin() + *axis);
  shape.insert(at, indices->shape->begin(), indices->shape->end());
  return Type(make_tensor_type(std::move(shape), rank, data.dtype, data.vdevice));
}

void report_index(std::int64_t index, int axis, std::int64_t size, EvalContext& context) {
  context.log.report(UndefinedRule::index_out_of_bounds, "index " + std::to_string(index) +
                                                             " is outside axis " + std::to_string(axis) +
                                                             " of size " + std::to_string(size));
}

// The place of an index along an axis of `size`, or -1 if there is none.
std::int64_t place_of(std::int64_t index, std::int64_t size, TakeMode mode) {
  if (index >= 0 && index < size) return index;
  if (size == 0 || mode == TakeMode::fast || mode == TakeMode::nan) return -1;
  if (mode == TakeMode::clip) return index < 0 ? 0 : size - 1;
  const std::int64_t rest = index % size;
  return rest < 0 ? rest + size : rest;
}

template <class Array>
void copy_places(const Array& from, Array& to, std::span<const std::int64_t> places, const AxisSplit& split) {
  using Element = typename Array::value_type;
  auto* out = to.data();
  for (std::int64_t outer = 0; outer < split.outer; ++outer) {
    for (const std::int64_t place : places) {
      if (place >= 0) {
        std::copy_n(from.data() + (outer * split.size + place) * split.inner, split.inner, out);
      } else if constexpr (std::is_floating_point_v<Element>) {
        std::fill_n(out, split.inner, std::numeric_limits<Element>::quiet_NaN());
      }  // of integers TVM compiles no mode nan: they stay 0
      out += split.inner;
    }
  }
}

// The indices as integers with their shape.
std::vector<std::int64_t> index_values(const Value& indices, std::vector<std::int64_t>& shape) {
  if (const TensorPtr* tensor = indices.as_tensor()) {
    shape = (*tensor)->shape();
    if (is_float((*tensor)->dtype)) return {};
    std::vector<std::int64_t> storage;
    const std::span<const std::int64_t> values = ints_of(**tensor, storage);
    return {values.begin(), values.end()};
  }
  const std::int64_t* value = std::get_if<std::int64_t>(&indices.scalar().value);
  return value ? std::vector{*value} : std::vector<std::int64_t>();
}

Value eval_take(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const Tensor& data = args[0].tensor();
  const std::vector<std::int64_t> dims = data.shape();
  const std::int64_t* given = optional_attr<std::int64_t>(attrs, 0);
  const int axis = runtime_axis(given ? *given : 0, dims.size());
  const std::optional<TakeMode> mode = mode_of(attrs);
  std::vector<std::int64_t> index_shape;
  std::vector<std::int64_t> places = index_values(args[1], index_shape);
  if (axis < 0 || !mode || std::ssize(places) != element_count(index_shape)) return misfit(context);
  const AxisSplit split = split_at(dims, axis);
  bool reported = false;
  for (std::int64_t& place : places) {
    const std::int64_t index = place;
    place = place_of(index, split.size, *mode);
    if (place >= 0 || *mode == TakeMode::nan || reported) continue;
    report_index(index, axis, split.size, context);
    reported = true;
  }
  std::vector<std::int64_t> shape = dims;
  const auto at = shape.erase(shape.begin() + axis);
  shape.insert(at, index_shape.begin(), index_shape.end());
  if (!is_affordable(shape)) return misfit(context);
  Tensor result = zeros(data.dtype, shape);
  std::visit(
      [&](const auto& from) {
        copy_places(from, std::get<std::decay_t<decltype(from)>>(result.values), places, split);
      },
      data.values);
  return make_tensor(std::move(result));
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
  std::vector<std::int64_t> shape(static_cast<std::size_t>(rank), 1);
  Tensor tensor = zeros(DType::int32, shape);
  std::get<Tensor::Ints>(tensor.values).data()[0] = index;
  return scope.constant(std::move(tensor));
}

std::optional<CallDraft> generate_take(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 4);
  if (!data) return std::nullopt;
  AttrValue axis;
  if (data->rank() > 1 || choices.flip()) axis = draw_axis(choices, data->rank());
  const std::int64_t* given = std::get_if<std::int64_t>(&axis);
  const std::int64_t size = data->size(runtime_axis(given ? *given : 0, data->dims.size()));
  if (size == 0) return std::nullopt;
  auto mode = static_cast<TakeMode>(choices.index(4));
  // TVM compiles mode nan neither for integers nor without an axis (measured).
  if (mode == TakeMode::nan && (!given || !is_float(data->dtype()))) mode = TakeMode::fast;
  Attrs attrs{axis, std::string(kModeNames[static_cast<std::size_t>(mode)])};
  if (mode == TakeMode::fast && scope.allow_undefined(choices)) {
    return CallDraft{{data->expr, outside_index(choices, scope, size, 1)}, std::move(attrs)};
  }
  const Want want{.dtype = draw_index_dtype(choices), .max_rank = 2, .fill = draw_fill(choices, mode, size)};
  const std::optional<Drawn> indices = draw_operand(choices, scope, want);
  if (!indices || element_count(data->dims) / size * element_count(indices->dims) > kMaxResult)
    return std::nullopt;
  return CallDraft{{data->expr, indices->expr}, std::move(attrs)};
}

Result<Type> infer_gather(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<const TensorType*> operand = tensor_operand(args, 0);
  if (!operand) return operand.error();
  const Result<const TensorType*> second = tensor_operand(args, 1);
  if (!second) return second.error();
  const TensorType& data = **operand;
  const TensorType& indices = **second;
  if (indices.dtype && !is_signed_int(*indices.dtype)) {
    return Error{"type.dtype", "gather_elements: " + std::string(dtype_name(*indices.dtype)) + " indices"};
  }
  if (data.rank == kUnknownRank || indices.rank == kUnknownRank) {
    return Type(make_tensor_type(std::nullopt, kUnknownRank, data.dtype, data.vdevice));
  }
  const Result<int> axis = normalise_axis(attr<std::int64_t>(attrs, 0), data.rank);
  if (!axis) return axis.error();
  if (data.rank != indices.rank) {
    return Error{"type.rank", "gather_elements: ranks " + std::to_string(data.rank) + " and " +
                                  std::to_string(indices.rank) + " differ"};
  }
  return Type(make_tensor_type(indices.shape, indices.rank, data.dtype, data.vdevice));
}

// Where each element of the result lies in the operand. Every index outside its axis is undefined in TVM,
// negative ones too, and so are indices that are more than the operand has along another axis (topi.gather,
// measured).
std::vector<std::int64_t> gather_places(std::span<const std::int64_t> dims,
                                        std::span<const std::int64_t> shape,
                                        std::span<const std::int64_t> indices, int axis,
                                        EvalContext& context) {
  const std::vector<WalkAxis> walk = row_major(dims);
  std::vector<std::int64_t> at(shape.size(), 0);
  std::vector<std::int64_t> places;
  places.reserve(indices.size());
  for (const std::int64_t index : indices) {
    std::int64_t place = 0;
    for (std::size_t i = 0; i < at.size() && place >= 0; ++i) {
      const std::int64_t here = static_cast<int>(i) == axis ? index : at[i];
      if (here < 0 || here >= dims[i]) {
        if (context.log.empty()) report_index(here, static_cast<int>(i), dims[i], context);
        place = -1;
      } else {
        place += here * walk[i].stride;
      }
    }
    places.push_back(place);
    for (std::size_t i = at.size(); i-- > 0 && ++at[i] == shape[i];) at[i] = 0;
  }
  return places;
}

Value eval_gather(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const Tensor& data = args[0].tensor();
  const Tensor& indices = args[1].tensor();
  const std::vector<std::int64_t> dims = data.shape();
  const std::vector<std::int64_t> shape = indices.shape();
  const int axis = runtime_axis(attr<std::int64_t>(attrs, 0), dims.size());
  if (axis < 0 || shape.size() != dims.size() || is_float(indices.dtype)) return misfit(context);
  std::vector<std::int64_t> storage;
  const std::vector<std::int64_t> places =
      gather_places(dims, shape, ints_of(indices, storage), axis, context);
  Tensor result = zeros(data.dtype, shape);
  std::visit(
      [&](const auto& from) {
        auto* out = std::get<std::decay_t<decltype(from)>>(result.values).data();
        for (std::size_t i = 0; i < places.size(); ++i) {
          if (places[i] >= 0) out[i] = from.data()[places[i]];
        }
      },
      data.values);
  return make_tensor(std::move(result));
}

std::optional<CallDraft> generate_gather(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 4);
  if (!data || element_count(data->dims) == 0) return std::nullopt;
  const std::int64_t axis = draw_axis(choices, data->rank());
  const int along = runtime_axis(axis, data->dims.size());
  if (scope.allow_undefined(choices)) {
    return CallDraft{{data->expr, outside_index(choices, scope, data->size(along), data->rank())}, {axis}};
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
  return CallDraft{{data->expr, indices->expr}, {axis}};
}

const Param kTakeParams[] = {
    {"x", ParamKind::tensor},
    {"indices", ParamKind::tensor},
    {"axis", ParamKind::attr_int, true, AttrValue()},
    {"mode", ParamKind::attr_string, false, AttrValue(std::string("fast"))},
};
const Param kGatherParams[] = {
    {"data", ParamKind::tensor},
    {"indices", ParamKind::tensor},
    {"axis", ParamKind::attr_int, false, AttrValue(std::int64_t{0})},
};
constexpr UndefinedRule kOutOfBounds[] = {UndefinedRule::index_out_of_bounds};

}  // namespace

std::span<const OpDef> take_rows() {
  static const OpDef kRows[] = {
      {{"relax.take"},
       .params = kTakeParams,
       .undefined = kOutOfBounds,
       .infer = infer_take,
       .eval = eval_take,
       .generate = generate_take},
      {{"relax.gather_elements"},
       .params = kGatherParams,
       .traits = Trait::data_movement,
       .undefined = kOutOfBounds,
       .infer = infer_gather,
       .eval = eval_gather,
       .generate = generate_gather},
  };
  return kRows;
}

}  // namespace passdiff
