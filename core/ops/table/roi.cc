// vision.roi_align and vision.roi_pool. Inference follows src/relax/op/vision, evaluation the files of these names in topi/vision,
// with numbers of the regions' dtype. A region is (batch, x1, y1, x2, y2).
#include <algorithm>
#include <cmath>

#include "core/ops/draw.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"
#include "core/ops/taps.h"
#include "core/ops/tensor_layout.h"
#include "core/ops/window.h"

namespace passdiff {
namespace {

enum class RoiLayout : std::uint8_t { nchw, nhwc };
constexpr std::array<std::string_view, 2> words_of(RoiLayout) {
  return {"NCHW", "NHWC"};
}
enum class RoiMode : std::uint8_t { avg, max };
constexpr std::array<std::string_view, 2> words_of(RoiMode) {
  return {"avg", "max"};
}
struct RoiAlignAttrs {
  Ints pooled_size;
  double spatial_scale = 1;
  std::int64_t sample_ratio = -1;  // samples along each axis of a bin; below 1: as many as it has pixels
  bool aligned = false;
  RoiLayout layout = RoiLayout::nchw;
  RoiMode mode = RoiMode::avg;
  static constexpr auto fields() {
    return std::tuple(required("pooled_size", &RoiAlignAttrs::pooled_size),
                      required("spatial_scale", &RoiAlignAttrs::spatial_scale),
                      field("sample_ratio", &RoiAlignAttrs::sample_ratio),
                      field("aligned", &RoiAlignAttrs::aligned), field("layout", &RoiAlignAttrs::layout),
                      field("mode", &RoiAlignAttrs::mode));
  }
  void complete() { complete_axes(pooled_size, 2); }
};
enum class RoiPoolLayout : std::uint8_t { nchw };
constexpr std::array<std::string_view, 1> words_of(RoiPoolLayout) {
  return {"NCHW"};
}
struct RoiPoolAttrs {
  Ints pooled_size;
  double spatial_scale = 1;
  RoiPoolLayout layout = RoiPoolLayout::nchw;
  static constexpr auto fields() {
    return std::tuple(required("pooled_size", &RoiPoolAttrs::pooled_size),
                      required("spatial_scale", &RoiPoolAttrs::spatial_scale),
                      field("layout", &RoiPoolAttrs::layout));
  }
  void complete() { complete_axes(pooled_size, 2); }
};

template <class Attrs>
Result<TensorType> infer_roi(const TensorType& data, const TensorType& rois, const Attrs& attrs) {
  TRY_VOID(check_numbers("pooled_size", attrs.pooled_size, 2, 1));
  if (data.rank != kUnknownRank && data.rank != 4)
    return Error{"type.rank", "images of rank " + std::to_string(data.rank)};
  if (rois.rank != kUnknownRank && rois.rank != 2)
    return Error{"type.rank", "regions of rank " + std::to_string(rois.rank)};
  if (rois.shape && (*rois.shape)[1].is_static() && (*rois.shape)[1].value() != 5)
    return Error{"type.roi", "regions of " + to_string((*rois.shape)[1]) + " numbers"};
  if (!data.shape || !rois.shape) return of_unknown_shape(data, 4);
  const Dim regions = (*rois.shape)[0], height = attrs.pooled_size[0], width = attrs.pooled_size[1];
  if constexpr (std::is_same_v<Attrs, RoiAlignAttrs>) {
    if (attrs.layout == RoiLayout::nhwc) return of_shape(data, {regions, height, width, (*data.shape)[3]});
  }
  return of_shape(data, {regions, (*data.shape)[1], height, width});
}

// The number that the op finds in each bin: bin(image, region, y, x) for each region, channel and bin, in plain layout. Nothing for
// a region of another image than there are, or one with a corner that is not finite: kernels cast corners to indices of pixels.
template <class Attrs, class Bin>
std::optional<Tensor> pool_regions(const Tensor& data, const Tensor& rois, const Attrs& attrs,
                                   const TensorLayout& layout, EvalContext& context, Bin bin) {
  const auto type = infer_roi(exact_type(data), exact_type(rois), attrs);
  const std::optional<Ints> out = exact_shape(type);
  if (!out || !is_affordable(*out) || !is_float(data.dtype) || !is_float(rois.dtype)) return std::nullopt;
  const Tensor x = layout.to_plain(data);
  const Ints images = x.shape();
  const Ints shape{rois.shape()[0], images[1], attrs.pooled_size[0], attrs.pooled_size[1]};
  Tensor::Floats result = float_array(shape);
  double* to = result.data();
  for (std::int64_t r = 0; r < shape[0]; ++r) {
    const double* region = rois.floats().data() + 5 * r;
    if (std::any_of(region + 1, region + 5, [](double corner) { return !std::isfinite(corner); })) return std::nullopt;
    if (!(region[0] >= 0 && region[0] < static_cast<double>(images[0])) || images[2] * images[3] == 0)
      return std::nullopt;
    for (std::int64_t c = 0; c < shape[1]; ++c) {
      const auto image = static_cast<std::int64_t>(region[0]) * images[1] + c;
      const double* pixels = x.floats().data() + image * images[2] * images[3];
      for (std::int64_t y = 0; y < shape[2]; ++y) {
        for (std::int64_t i = 0; i < shape[3]; ++i)
          *to++ = bin(pixels, std::span(images).subspan(2), region, y, i);
      }
    }
  }
  return layout.from_plain(round_floats(data.dtype, std::move(result), context.rounding));
}

// One axis of a region's bins.
struct BinAxis {
  double start, size;    // of the bin
  std::int64_t samples;  // in it
};

std::optional<Tensor> eval_roi_align(const Tensor& data, const Tensor& rois, const RoiAlignAttrs& attrs,
                                     EvalContext& context) {
  const auto rounded = [&](double value) { return round_float(rois.dtype, value, context.rounding); };
  const auto axis_of = [&](double from, double to, std::int64_t bin, std::int64_t bins) {
    const double start = rounded(from * rounded(attrs.spatial_scale));
    double size = rounded(rounded(to * rounded(attrs.spatial_scale)) - start);
    if (!attrs.aligned) size = std::max(size, 1.0);
    size = rounded(size / static_cast<double>(bins));
    // Corners that overflow have no distance.
    const double samples = std::isnan(size) ? 0 : std::clamp(std::ceil(size), -1e6, 1e6);
    return BinAxis{rounded(start + rounded(static_cast<double>(bin) * size)), size,
                   attrs.sample_ratio > 0 ? attrs.sample_ratio : static_cast<std::int64_t>(samples)};
  };
  // Pixels around sample k, none if it lies more than one pixel outside.
  const auto taps_of = [&](const BinAxis& axis, std::int64_t k, std::int64_t size) {
    const double step =
        rounded(rounded((static_cast<double>(k) + 0.5) * axis.size) / static_cast<double>(axis.samples));
    double at = rounded(axis.start + step);
    if (!(at >= -1) || at > static_cast<double>(size)) return Taps();
    at = std::min(std::max(at, 0.0), static_cast<double>(size - 1));
    const auto low = static_cast<std::int64_t>(at);
    const double part = at - std::floor(at);
    // The next pixel is read, if there is one, even where it weighs nothing.
    return Taps{{low, 1 - part}, {low + 1 < size ? low + 1 : -1, part}};
  };
  const auto bin = [&](const double* pixels, std::span<const std::int64_t> sizes, const double* region,
                       std::int64_t y, std::int64_t x) {
    const BinAxis rows = axis_of(region[2], region[4], y, attrs.pooled_size[0]);
    const BinAxis columns = axis_of(region[1], region[3], x, attrs.pooled_size[1]);
    const auto count = static_cast<double>(rows.samples * columns.samples);
    double sum = 0, largest = -INFINITY;
    for (std::int64_t i = 0; i < rows.samples; ++i) {
      for (std::int64_t k = 0; k < columns.samples; ++k) {
        const Taps taps[] = {taps_of(rows, i, sizes[0]), taps_of(columns, k, sizes[1])};
        const double value = sampled(pixels, sizes, taps);
        sum += rounded(value / count);
        largest = largest > value ? largest : value;
      }
    }
    return attrs.mode == RoiMode::avg ? sum : largest;
  };
  const auto layout = TensorLayout::parse(attrs.layout == RoiLayout::nchw ? "NCHW" : "NHWC", "NCHW").value();
  return pool_regions(data, rois, attrs, layout, context, bin);
}

// The maximum of the pixels in each bin; 0 if there is none. Corners are rounded to pixels first.
std::optional<Tensor> eval_roi_pool(const Tensor& data, const Tensor& rois, const RoiPoolAttrs& attrs,
                                    EvalContext& context) {
  const auto rounded = [&](double value) { return round_float(rois.dtype, value, context.rounding); };
  struct Range {
    std::int64_t begin, end;
  };
  const auto range_of = [&](double from, double to, std::int64_t at, std::int64_t bins, std::int64_t size) {
    const double scale = rounded(attrs.spatial_scale);
    const auto corner = [&](double place) {
      return std::clamp(std::floor(rounded(rounded(place * scale) + 0.5)), -1e6, 1e6);
    };
    const double start = corner(from);
    const double bin = rounded(std::max(corner(to) - start + 1, 1.0) / static_cast<double>(bins));
    const auto inside = [&](double place) {
      return std::clamp<std::int64_t>(static_cast<std::int64_t>(place + start), 0, size);
    };
    return Range{inside(std::floor(rounded(static_cast<double>(at) * bin))),
                 inside(std::ceil(rounded(static_cast<double>(at + 1) * bin)))};
  };
  const auto bin = [&](const double* pixels, std::span<const std::int64_t> sizes, const double* region,
                       std::int64_t y, std::int64_t x) {
    const Range rows = range_of(region[2], region[4], y, attrs.pooled_size[0], sizes[0]);
    const Range columns = range_of(region[1], region[3], x, attrs.pooled_size[1], sizes[1]);
    double largest = -INFINITY;
    for (std::int64_t i = rows.begin; i < rows.end; ++i) {
      for (std::int64_t k = columns.begin; k < columns.end; ++k) {
        const double pixel = pixels[i * sizes[1] + k];
        largest = largest > pixel ? largest : pixel;
      }
    }
    return rows.begin >= rows.end || columns.begin >= columns.end ? 0.0 : largest;
  };
  return pool_regions(data, rois, attrs, TensorLayout::parse("NCHW", "NCHW").value(), context, bin);
}

// Regions of the images, some of which reach beyond them.
ExprPtr draw_regions(Choices& choices, Scope& scope, DType dtype, std::int64_t images) {
  constexpr double kCorners[] = {0, 1, 0.5, 2, 3, 0.25, -1.5};
  constexpr double kSizes[] = {1, 2, 0.5, 3, 5};
  const std::int64_t count = choices.integer(1, 3);
  Tensor rois = zeros(dtype, Ints{count, 5});
  double* to = std::get<Tensor::Floats>(rois.values).data();
  for (std::int64_t i = 0; i < count; ++i, to += 5) {
    to[0] = static_cast<double>(choices.integer(0, images - 1));
    for (int axis = 1; axis < 3; ++axis) {
      to[axis] = choices.pick(kCorners);
      to[axis + 2] = to[axis] + choices.pick(kSizes);
    }
  }
  return scope.constant(std::move(rois));
}

template <class Attrs>
std::optional<CallDraft> generate_roi(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, {DType::float32}, 4, 4);
  if (!data || element_count(data->dims) == 0) return std::nullopt;
  constexpr double kScales[] = {1, 0.5, 2};
  Attrs attrs;
  attrs.pooled_size = {choices.integer(1, 3), choices.integer(1, 3)};
  attrs.spatial_scale = choices.pick(kScales);
  if constexpr (std::is_same_v<Attrs, RoiAlignAttrs>) {
    if (choices.flip()) attrs.sample_ratio = choices.integer(1, 2);
    attrs.aligned = choices.flip();
    if (choices.one_in(3)) attrs.layout = RoiLayout::nhwc;
    if (choices.one_in(3)) attrs.mode = RoiMode::max;
  }
  return CallDraft({data->expr, draw_regions(choices, scope, data->dtype(), data->size(0))}, attrs);
}

}  // namespace

std::vector<OpDef> roi_rows() {
  // Places, weights and their sums, each rounded to the dtype.
  return {
      op<infer_roi<RoiAlignAttrs>, eval_roi_align, generate_roi<RoiAlignAttrs>>("relax.vision.roi_align", {"data", "rois"},
                                                                                {.ulps = 32, .one_in = kCostlyOneIn}),
      op<infer_roi<RoiPoolAttrs>, eval_roi_pool, generate_roi<RoiPoolAttrs>>("relax.vision.roi_pool", {"data", "rois"}, {.one_in = kCostlyOneIn}),
  };
}

}  // namespace passdiff
