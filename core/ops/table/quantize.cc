// quantize, dequantize: numbers as multiples of a scale, from a zero point on.
#include <algorithm>
#include <cmath>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

template <DType usual>
struct QuantizeAttrs {
  std::int64_t axis = -1;
  DType out_dtype = usual;
  static constexpr auto fields() {
    return std::tuple(field("axis", &QuantizeAttrs::axis), field("out_dtype", &QuantizeAttrs::out_dtype));
  }
};

template <std::size_t N>
bool is_one_of(DType dtype, const std::string_view (&names)[N]) {
  return std::find(std::begin(names), std::end(names), dtype_name(dtype)) != std::end(names);
}
constexpr std::string_view kHalfOrSingle[] = {"float16", "float32"};
constexpr std::string_view kQuantized[] = {"int8",   "uint8",         "int16",
                                           "uint16", "float8_e4m3fn", "float8_e5m2"};
constexpr std::string_view kDequantizable[] = {"int8",          "uint8",       "int16",   "uint16", "int32",
                                               "float8_e4m3fn", "float8_e5m2", "float16", "float32"};
constexpr std::string_view kZeroPoints[] = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "float16"};

bool is_one(const Dim& dim) {
  return dim.is_static() && dim.value() == 1;
}

// A scale or a zero point: one for all, or one for each index along the axis.
std::optional<Error> check_param(const TensorType& param, const TensorType& data, int axis) {
  if (param.shape && std::all_of(param.shape->begin(), param.shape->end(), is_one)) return std::nullopt;
  if (param.shape && data.shape &&
      proven_equal(param.shape->front(), (*data.shape)[static_cast<std::size_t>(axis)]))
    return std::nullopt;
  return Error{"type.shape", "quantize: a parameter of type " + to_string(Type(TensorType(param)))};
}

template <DType usual>
Result<TensorType> infer_quantize(const TensorType& data, const TensorType& scale,
                                  const TensorType& zero_point, const QuantizeAttrs<usual>& attrs) {
  constexpr bool quantizes = usual == DType::int8;
  const bool to =
      quantizes ? is_one_of(attrs.out_dtype, kQuantized) : is_one_of(attrs.out_dtype, kHalfOrSingle);
  if (!to) return Error{"type.dtype", "quantize: to " + std::string(dtype_name(attrs.out_dtype))};
  TensorType result = data;
  result.dtype = std::nullopt;
  if (!data.dtype || !scale.dtype || !zero_point.dtype) return result;
  const bool from =
      quantizes ? is_one_of(*data.dtype, kHalfOrSingle) : is_one_of(*data.dtype, kDequantizable);
  if (!from || !is_one_of(*scale.dtype, kHalfOrSingle) || !is_one_of(*zero_point.dtype, kZeroPoints))
    return Error{"type.dtype", "quantize: an operand of the wrong dtype"};
  if (data.rank == kUnknownRank) return Error{"type.axis", "quantize: an operand of unknown rank"};
  const int axis = TRY(normalise_axis(attrs.axis, data.rank));
  TRY_VOID(check_param(scale, data, axis));
  TRY_VOID(check_param(zero_point, data, axis));
  result.dtype = attrs.out_dtype;
  return result;
}

// f(element, scale, zero point) of each element, as numbers of `dtype`.
template <class F>
std::optional<Tensor> with_params(const Tensor& data, const Tensor& scale, const Tensor& zero_point,
                                  std::int64_t given_axis, DType dtype, EvalContext& context, F f) {
  const int axis = runtime_axis(given_axis, data.rank());
  if (axis < 0) return std::nullopt;
  const auto scales = floats_along(scale, data.shape(), axis), zero_points = floats_along(zero_point, data.shape(), axis);
  if (!scales || !zero_points) return std::nullopt;
  Tensor::Floats values = float_array(data.shape());
  for (std::size_t i = 0; i < data.size(); ++i) values.data()[i] = as_double(data, i);
  return convert(Tensor{DType::float64, zip<double>(extents_of(data), f, values, *scales, *zero_points)},
                 dtype, context);
}

// Of TVM's min and max: a NaN gives way to the bound (codegen's select, measured).
double clipped(double value, double low, double high) {
  const double below = value < high ? value : high;
  return below > low ? below : low;
}

// Computed in float32, or in float16 if data and scale are (legalize_ops/qdq.py, measured).
std::optional<Tensor> eval_quantize(const Tensor& data, const Tensor& scale, const Tensor& zero_point,
                                    const QuantizeAttrs<DType::int8>& attrs, EvalContext& context) {
  const DType dtype = data.dtype == scale.dtype ? data.dtype : DType::float32;
  const auto rounded = [&](double value) { return round_float(dtype, value, context.rounding); };
  const bool whole = is_integer(attrs.out_dtype);
  const double high = whole ? static_cast<double>(int_max(attrs.out_dtype)) : largest_finite(attrs.out_dtype);
  const double low = whole ? static_cast<double>(int_min(attrs.out_dtype)) : -high;
  const auto quantized = [&](double x, double s, double z) {
    const double scaled = rounded(x / s);
    return clipped(rounded((whole ? std::nearbyint(scaled) : scaled) + rounded(z)), low, high);
  };
  return with_params(data, scale, zero_point, attrs.axis, attrs.out_dtype, context, quantized);
}

// The difference is one of int32 for integers, of float16 beside such a zero point, of float32 else; the rest
// is computed in float32 (legalize_ops/qdq.py, measured).
std::optional<Tensor> eval_dequantize(const Tensor& data, const Tensor& scale, const Tensor& zero_point,
                                      const QuantizeAttrs<DType::float32>& attrs, EvalContext& context) {
  const bool floats = is_float(data.dtype);
  const bool halves = !floats && zero_point.dtype == DType::float16;
  const auto rounded = [&](DType dtype, double value) { return round_float(dtype, value, context.rounding); };
  return with_params(
      data, scale, zero_point, attrs.axis, attrs.out_dtype, context, [&](double x, double s, double z) {
        double difference = rounded(DType::float32, x - rounded(DType::float32, z));
        if (halves) difference = rounded(DType::float16, rounded(DType::float16, x) - z);
        if (!floats && !halves) difference = x - z;
        if (!floats && (difference < -0x1p31 || difference >= 0x1p31)) {
          context.log.report(UndefinedRule::signed_overflow, "dequantize leaves the range of int32");
          difference += difference < 0 ? 0x1p32 : -0x1p32;
        }
        const double product = rounded(DType::float32, rounded(DType::float32, difference) * s);
        return attrs.out_dtype == DType::float16 ? clipped(product, -65504, 65504) : product;
      });
}

std::optional<ExprPtr> draw_param(Choices& choices, Scope& scope, DType dtype, const Dim& size,
                                  const FillSpec& fill) {
  Shape shape;
  if (!choices.one_in(3)) shape = {choices.one_in(3) ? Dim(1) : size};
  const auto param = draw_operand(choices, scope, {.dtype = dtype, .shape = std::move(shape), .fill = fill});
  return param ? std::optional(param->expr) : std::nullopt;
}

template <DType usual>
std::optional<CallDraft> generate_quantize(Choices& choices, Scope& scope) {
  constexpr bool quantizes = usual == DType::int8;
  if (!quantizes && scope.allow_undefined(choices)) {
    const ExprPtr data = full_constant(scope, DType::int32, {1}, scalar_max(DType::int32));
    return CallDraft({data, full_constant(scope, DType::float32, {}, 1.0),
                      full_constant(scope, DType::int8, {}, std::int64_t{-1})},
                     QuantizeAttrs<usual>());
  }
  constexpr DTypes kHalves{DType::float16, DType::float32};
  constexpr DTypes kFrom =
      quantizes ? kHalves : DTypes{DType::int8,  DType::uint8,   DType::int16,  DType::uint16,
                                   DType::int32, DType::float16, DType::float32};
  const auto data = draw_any_tensor(choices, scope, kFrom);
  if (!data || tensor_type_of(*data).rank < 1 || !tensor_type_of(*data).shape) return std::nullopt;
  const TensorType& type = tensor_type_of(*data);
  QuantizeAttrs<usual> attrs{draw_axis(choices, type.rank)};
  // Float16 holds no bound of the integers of 16 bits; TVM casts to 8-bit floats wrongly.
  constexpr DType kTo[] = {DType::int8, DType::uint8, DType::int16, DType::uint16};
  if (quantizes) attrs.out_dtype = kTo[choices.index(*type.dtype == DType::float32 ? 4 : 2)];
  if (!quantizes) attrs.out_dtype = choices.flip() ? DType::float32 : DType::float16;
  const Dim& size = (*type.shape)[static_cast<std::size_t>(runtime_axis(attrs.axis, type.shape->size()))];
  constexpr DType kPoints[] = {DType::int8,   DType::uint8, DType::int16,
                               DType::uint16, DType::int32, DType::float16};
  const auto scale = draw_param(choices, scope, choices.flip() ? DType::float32 : DType::float16, size,
                                {.fill = Fill::positive, .magnitude = 64});
  const auto point = draw_param(choices, scope, choices.pick(kPoints), size, {.magnitude = 64});
  if (!scale || !point) return std::nullopt;
  return CallDraft({data->expr, *scale, *point}, attrs);
}

}  // namespace

std::vector<OpDef> quantize_rows() {
  return {
      op<infer_quantize<DType::int8>, eval_quantize, generate_quantize<DType::int8>>(
          "relax.quantize", {"data", "scale", "zero_point"}),
      op<infer_quantize<DType::float32>, eval_dequantize, generate_quantize<DType::float32>>(
          "relax.dequantize", {"data", "scale", "zero_point"}, {.undefined = kOverflow}),
  };
}

}  // namespace passdiff
