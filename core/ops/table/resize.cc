// image.resize2d and image.resize3d. Inference follows src/relax/op/image/resize.cc, evaluation topi/image/resize.py: places and
// values are computed in float32, whatever the dtype. TVM's kernels drop out_dtype, so that no call is generated with one.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"
#include "core/ops/taps.h"
#include "core/ops/tensor_layout.h"
#include "core/ops/window.h"

namespace passdiff {
namespace {

constexpr std::string_view kPlain[] = {"", "NCW", "NCHW", "NCDHW"};

enum class ResizeMethod : std::uint8_t { nearest_neighbor, linear, cubic };
constexpr std::array<std::string_view, 3> words_of(ResizeMethod) {
  return {"nearest_neighbor", "linear", "cubic"};
}
enum class Coordinates : std::uint8_t {
  half_pixel,
  align_corners,
  asymmetric,
  pytorch_half_pixel,
  tf_half_pixel_for_nn,
  tf_crop_and_resize
};
constexpr std::array<std::string_view, 6> words_of(Coordinates) {
  return {"half_pixel",         "align_corners",        "asymmetric",
          "pytorch_half_pixel", "tf_half_pixel_for_nn", "tf_crop_and_resize"};
}
enum class PlaceRounding : std::uint8_t {
  automatic,
  round,
  round_prefer_floor,
  round_prefer_ceil,
  floor,
  ceil
};
constexpr std::array<std::string_view, 6> words_of(PlaceRounding) {
  return {"", "round", "round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
}

template <std::size_t n>
struct ResizeAttrs {
  std::optional<Floats> roi;  // the first place along each axis, then the last; nothing: zeros
  std::string layout{kPlain[n]};
  ResizeMethod method = ResizeMethod::linear;
  Coordinates coordinate_transformation_mode = Coordinates::half_pixel;
  PlaceRounding rounding_method = n == 2 ? PlaceRounding::round : PlaceRounding::automatic;
  double cubic_alpha = -0.75;
  std::int64_t cubic_exclude = 0;
  double extrapolation_value = 0;
  std::optional<DType> out_dtype;

  static constexpr auto fields() {
    return std::tuple(field("roi", &ResizeAttrs::roi), field("layout", &ResizeAttrs::layout),
                      field("method", &ResizeAttrs::method),
                      field("coordinate_transformation_mode", &ResizeAttrs::coordinate_transformation_mode),
                      field("rounding_method", &ResizeAttrs::rounding_method),
                      field("cubic_alpha", &ResizeAttrs::cubic_alpha),
                      field("cubic_exclude", &ResizeAttrs::cubic_exclude),
                      field("extrapolation_value", &ResizeAttrs::extrapolation_value),
                      field("out_dtype", &ResizeAttrs::out_dtype));
  }
  void complete() {
    if (!roi) roi = Floats(2 * n, 0);
    if (roi->size() == 1) roi->resize(2 * n, (*roi)[0]);
  }
};

template <std::size_t n>
Result<TensorType> infer_resize(const TensorType& data, const ShapeArg& size, const ResizeAttrs<n>& attrs) {
  if (size.type.rank != static_cast<int>(n))
    return Error{"type.rank", "a size of rank " + std::to_string(size.type.rank)};
  const TensorLayout layout = TRY(TensorLayout::parse(attrs.layout, kPlain[n]));
  TRY_VOID(layout.check_rank(data));
  const std::optional<DType> dtype = attrs.out_dtype ? attrs.out_dtype : data.dtype;
  if (!data.shape || !size.literal) return make_tensor_type(std::nullopt, layout.rank(), dtype, data.vdevice);
  Shape shape = TRY(layout.to_plain(*data.shape));
  for (std::size_t i = 0; i < n; ++i) shape[2 + i] = (*size.type.values)[i];
  return make_tensor_type(layout.from_plain(shape), layout.rank(), dtype, data.vdevice);
}

// Where place x of `target` along an axis comes from, among `size` places.
float source_place(float x, float size, float target, float start, float end, Coordinates mode) {
  const float scale = size / target;
  switch (mode) {
    case Coordinates::pytorch_half_pixel:
      if (!(target > 1)) return 0;
      [[fallthrough]];
    case Coordinates::half_pixel:
      return (x + 0.5f) * scale - 0.5f;
    case Coordinates::align_corners:
      return (size - 1) / (target - 1) * x;
    case Coordinates::asymmetric:
      return scale * x;
    case Coordinates::tf_half_pixel_for_nn:
      return (x + 0.5f) * scale;
    case Coordinates::tf_crop_and_resize:
      if (target > 1) return start * (size - 1) + x * (end - start) * (size - 1) / (target - 1);
      return 0.5f * (start + end) * (size - 1);
  }
  return 0;
}

float nearest_place(float x, PlaceRounding rounding, Coordinates mode) {
  constexpr float kEpsilon = 1e-5f;
  if (rounding == PlaceRounding::automatic)
    rounding = mode == Coordinates::align_corners ? PlaceRounding::round : PlaceRounding::floor;
  switch (rounding) {
    case PlaceRounding::round:
      return std::nearbyint(x);
    case PlaceRounding::round_prefer_floor:
      return std::ceil(x - 0.5f);
    case PlaceRounding::round_prefer_ceil:
      return std::floor(x + 0.5f);
    case PlaceRounding::ceil:
      return std::ceil(x - kEpsilon);
    default:
      return std::floor(x + kEpsilon);
  }
}

std::array<double, 4> cubic_weights(double t, double alpha) {
  const double t2 = t * t;
  const double t3 = t2 * t;
  return {alpha * (t3 - 2 * t2 + t), (alpha + 2) * t3 - (3 + alpha) * t2 + 1,
          -(alpha + 2) * t3 + (3 + 2 * alpha) * t2 - alpha * t, -alpha * t3 + alpha * t2};
}

// What place x of an axis of `size` is made of.
template <std::size_t n>
Taps taps_at(float x, std::int64_t size, const ResizeAttrs<n>& attrs) {
  const auto inside = [&](float place) {
    return static_cast<std::int64_t>(
        std::isnan(place) ? 0 : std::clamp<float>(place, 0, static_cast<float>(size - 1)));
  };
  if (attrs.method == ResizeMethod::nearest_neighbor)
    return {{inside(nearest_place(x, attrs.rounding_method, attrs.coordinate_transformation_mode)), 1}};
  const float whole = std::floor(x);
  const double fraction = x - whole;
  if (attrs.method == ResizeMethod::linear)
    return {{inside(whole), 1 - fraction}, {inside(whole + 1), fraction}};
  std::array<double, 4> weights = cubic_weights(fraction, attrs.cubic_alpha);
  double sum = 1;
  if (attrs.cubic_exclude != 0) {
    sum = 0;
    for (int i = 0; i < 4; ++i) {
      const float place = whole + static_cast<float>(i - 1);
      if (place < 0 || place > static_cast<float>(size - 1)) weights[static_cast<std::size_t>(i)] = 0;
      sum += weights[static_cast<std::size_t>(i)];
    }
  }
  Taps taps;
  for (int i = 0; i < 4; ++i)
    taps.push_back({inside(whole + static_cast<float>(i - 1)), weights[static_cast<std::size_t>(i)] / sum});
  return taps;
}

// The places of the result along axis i, and what each is made of; nothing where the extrapolation value stands.
template <std::size_t n>
std::vector<std::optional<Taps>> axis_taps(std::int64_t size, std::int64_t target,
                                           const ResizeAttrs<n>& attrs, std::size_t i) {
  const Floats roi = attrs.roi.value_or(Floats(2 * n, 0));
  std::vector<std::optional<Taps>> result;
  for (std::int64_t p = 0; p < target; ++p) {
    const float x = source_place(static_cast<float>(p), static_cast<float>(size), static_cast<float>(target),
                                 static_cast<float>(roi.at(i)), static_cast<float>(roi.at(n + i)),
                                 attrs.coordinate_transformation_mode);
    const bool beyond = attrs.coordinate_transformation_mode == Coordinates::tf_crop_and_resize &&
                        (x < 0 || x > static_cast<float>(size - 1));
    result.push_back(beyond ? std::nullopt : std::optional(taps_at(x, size, attrs)));
  }
  return result;
}

template <std::size_t n>
std::optional<Tensor> eval_resize(const Tensor& data, const ShapeValue& size, const ResizeAttrs<n>& attrs,
                                  EvalContext& context) {
  const ShapeType target{Shape(size.dims.begin(), size.dims.end()), static_cast<int>(size.dims.size())};
  const std::optional<Ints> out = exact_shape(infer_resize<n>(exact_type(data), {target, true}, attrs));
  if (!out || !is_affordable(*out) || (attrs.roi && attrs.roi->size() != 2 * n)) return std::nullopt;
  const TensorLayout layout = TensorLayout::parse(attrs.layout, kPlain[n]).value();
  const Tensor x = layout.to_plain(*Converted(data, DType::float32, context));
  Ints shape = x.shape();
  const Ints sizes(shape.begin() + 2, shape.end());
  std::vector<std::vector<std::optional<Taps>>> taps;
  for (std::size_t i = 0; i < n; ++i) {
    taps.push_back(axis_taps(sizes[i], size.dims[i], attrs, i));
    shape[2 + i] = size.dims[i];
  }
  Tensor::Floats result = float_array(shape);
  if (x.size() == 0 && result.size() > 0) return std::nullopt;
  const std::int64_t pixels = element_count(std::span(shape).subspan(2));
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(result.size()); ++i) {
    const double* image = x.floats().data() + i / pixels * element_count(sizes);
    std::vector<Taps> along(n);
    bool beyond = false;
    std::int64_t place = i % pixels;
    for (std::size_t axis = n; axis-- > 0; place /= size.dims[axis]) {
      const std::optional<Taps>& some = taps[axis][static_cast<std::size_t>(place % size.dims[axis])];
      beyond = beyond || !some;
      if (some) along[axis] = *some;
    }
    result.data()[i] = round_to_float32(beyond ? attrs.extrapolation_value : sampled(image, sizes, along));
  }
  const Tensor plain{DType::float32, std::move(result)};
  return layout.from_plain(convert(plain, attrs.out_dtype.value_or(data.dtype), context));
}

// How the sampling is done, so that TVM compiles it and rounding errors decide nothing.
template <std::size_t n>
ResizeAttrs<n> draw_sampling(Choices& choices, const Drawn& data, const Ints& target) {
  ResizeAttrs<n> attrs;
  // TVM takes a third of a second to simplify the cubic kernel of an image: a twentieth of the time that a campaign would spend inside passes.
  constexpr unsigned kCubicOneIn = 12;
  attrs.method = ResizeMethod::nearest_neighbor;
  const bool nearest_only = !is_float(data.dtype()) || data.dtype() == DType::float64;
  if (!nearest_only) {
    if (choices.flip()) attrs.method = ResizeMethod::linear;
    if (choices.one_in(kCubicOneIn)) attrs.method = ResizeMethod::cubic;
  }
  constexpr Coordinates kModes[] = {Coordinates::half_pixel,           Coordinates::align_corners,
                                    Coordinates::asymmetric,           Coordinates::pytorch_half_pixel,
                                    Coordinates::tf_half_pixel_for_nn, Coordinates::tf_crop_and_resize};
  // TVM's roi of resize3d begins with the last axis.
  attrs.coordinate_transformation_mode = kModes[choices.index(n == 2 ? 6 : 5)];
  const bool single = std::find(target.begin(), target.end(), 1) != target.end();
  // Both divide by the number of places less one.
  if (single && (attrs.coordinate_transformation_mode == Coordinates::align_corners ||
                 attrs.coordinate_transformation_mode == Coordinates::tf_crop_and_resize))
    attrs.coordinate_transformation_mode = Coordinates::half_pixel;
  if (attrs.coordinate_transformation_mode == Coordinates::tf_crop_and_resize) {
    attrs.roi = Floats{0, 0.25, choices.flip() ? 1.0 : 1.5, 0.75};
    attrs.extrapolation_value = choices.flip() ? 2.5 : 0;
    if (!is_float(data.dtype())) attrs.extrapolation_value = 2;
  }
  constexpr PlaceRounding kRoundings[] = {
      PlaceRounding::automatic,         PlaceRounding::round, PlaceRounding::round_prefer_floor,
      PlaceRounding::round_prefer_ceil, PlaceRounding::floor, PlaceRounding::ceil};
  attrs.rounding_method = choices.pick(kRoundings);
  // In three dimensions TVM excludes along the wrong axes.
  if (attrs.method == ResizeMethod::cubic && n == 2 && choices.one_in(3)) attrs.cubic_exclude = 1;
  if (attrs.method == ResizeMethod::cubic && choices.one_in(3)) attrs.cubic_alpha = -0.5;
  return attrs;
}

template <std::size_t n>
std::optional<CallDraft> generate_resize(Choices& choices, Scope& scope) {
  const std::string_view layout = !choices.one_in(3) ? kPlain[n] : n == 2 ? "NHWC" : "NDHWC";
  Want want{.shape = TensorLayout::parse(layout, kPlain[n]).value().from_plain(draw_image_shape(choices, n))};
  want.numeric_only = true;
  const std::optional<Drawn> data = draw_operand(choices, scope, want);
  if (!data || !kNumericDTypes.has(data->dtype())) return std::nullopt;
  Ints target;
  for (std::size_t i = 0; i < n; ++i) target.push_back(choices.integer(1, n == 2 ? 5 : 3));
  ResizeAttrs<n> attrs = draw_sampling<n>(choices, *data, target);
  attrs.layout = layout;
  attrs.complete();
  const ShapeType type{Shape(target.begin(), target.end()), static_cast<int>(n)};
  const std::optional<Ints> out =
      exact_shape(infer_resize<n>(exact_type(data->value.tensor()), {type, true}, attrs));
  if (!out || element_count(*out) > kMaxResult) return std::nullopt;
  return CallDraft({data->expr, make_expr(ShapeExpr{*type.values}, Type(type))}, attrs);
}

// Weights and their sums, in float32.
constexpr double kSampled = 32;

}  // namespace

std::vector<OpDef> resize_rows() {
  return {
      op<infer_resize<2>, eval_resize<2>, generate_resize<2>>("relax.image.resize2d", {"data", "size"},
                                                              {.ulps = kSampled}),
      op<infer_resize<3>, eval_resize<3>, generate_resize<3>>("relax.image.resize3d", {"data", "size"},
                                                              {.ulps = kSampled}),
  };
}

}  // namespace passdiff
