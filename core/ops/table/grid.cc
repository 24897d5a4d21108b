// image.grid_sample and image.affine_grid. Inference follows src/relax/op/image/resize.cc, evaluation topi/image/grid_sample.py.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/ops/draw.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/steps.h"
#include "core/ops/strided.h"
#include "core/ops/taps.h"
#include "core/ops/tensor_layout.h"

namespace passdiff {
namespace {

enum class SampleMethod : std::uint8_t { bilinear, nearest, bicubic };
constexpr std::array<std::string_view, 3> words_of(SampleMethod) {
  return {"bilinear", "nearest", "bicubic"};
}
enum class GridPadding : std::uint8_t { zeros, border, reflection };
constexpr std::array<std::string_view, 3> words_of(GridPadding) {
  return {"zeros", "border", "reflection"};
}
struct GridSampleAttrs {
  SampleMethod method = SampleMethod::bilinear;
  std::string layout = "NCHW";
  GridPadding padding_mode = GridPadding::zeros;
  bool align_corners = false;
  static constexpr auto fields() {
    return std::tuple(field("method", &GridSampleAttrs::method), field("layout", &GridSampleAttrs::layout),
                      field("padding_mode", &GridSampleAttrs::padding_mode),
                      field("align_corners", &GridSampleAttrs::align_corners));
  }
  std::string_view plain() const { return layout == "NCDHW" ? "NCDHW" : "NCHW"; }
  std::size_t axes() const { return plain().size() - 2; }
};

Result<TensorType> infer_grid_sample(const TensorType& data, const TensorType& grid,
                                     const GridSampleAttrs& attrs) {
  const TensorLayout layout = TRY(TensorLayout::parse(attrs.layout, attrs.plain()));
  TRY_VOID(layout.check_rank(data));
  if (!data.shape || !grid.shape) return of_unknown_shape(data, layout.rank());
  // TVM reads the sizes without asking how many there are.
  if (grid.shape->size() < attrs.axes() + 2)
    return Error{"type.rank", "a grid of rank " + std::to_string(grid.rank)};
  Shape shape = TRY(layout.to_plain(*data.shape));
  for (std::size_t i = 2; i < attrs.axes() + 2; ++i) shape[i] = (*grid.shape)[i];
  return of_shape(data, layout.from_plain(shape));
}

// A place reflected at both ends of an axis, as often as needed.
double reflected(double x, std::int64_t size, bool align_corners) {
  const double start = align_corners ? 0 : -0.5;
  const auto length = static_cast<double>(align_corners ? size - 1 : size);
  if (x >= start && x <= length + start) return x;
  const double off = std::abs(start - x);
  const double times = std::trunc(std::trunc(off) / length);
  const double extra = off - times * length;
  return std::fmod(times, 2) == 0 ? extra + start : length - extra + start;
}

double padded_place(double x, std::int64_t size, const GridSampleAttrs& attrs) {
  if (attrs.padding_mode == GridPadding::zeros) return x;
  if (attrs.padding_mode == GridPadding::reflection) x = reflected(x, size, attrs.align_corners);
  return std::min(std::max(x, 0.0), static_cast<double>(size - 1));
}

std::array<double, 4> cubic_weights(double t) {
  constexpr double kA = -0.75;  // PyTorch's, which TVM takes
  const auto near = [](double x) { return ((kA + 2) * x - (kA + 3)) * x * x + 1; };
  const auto far = [](double x) { return ((kA * x - 5 * kA) * x + 8 * kA) * x - 4 * kA; };
  return {far(t + 1), near(t), near(1 - t), far(2 - t)};
}

// What a place in [-1, 1] along an axis of `size` shows. Places are numbers of the grid's dtype.
Taps taps_at(double normal, std::int64_t size, const GridSampleAttrs& attrs, DType dtype,
             Rounding& rounding) {
  const auto rounded = [&](double value) { return round_float(dtype, value, rounding); };
  const auto pixel = [&](double place) {
    return place >= 0 && place < static_cast<double>(size) ? static_cast<std::int64_t>(place)
                                                           : std::int64_t{-1};
  };
  const double span = static_cast<double>(attrs.align_corners ? size - 1 : size);
  double x = rounded(rounded(rounded(normal + 1) * span) / 2);
  if (!attrs.align_corners) x = rounded(x - 0.5);
  if (attrs.method != SampleMethod::bicubic) x = rounded(padded_place(x, size, attrs));
  if (attrs.method == SampleMethod::nearest) return {{pixel(std::nearbyint(x)), 1}};
  const double whole = std::floor(x);
  if (attrs.method == SampleMethod::bilinear)
    return {{pixel(whole), 1 - (x - whole)}, {pixel(whole + 1), x - whole}};
  const std::array<double, 4> weights = cubic_weights(x - whole);
  Taps taps;
  for (std::size_t i = 0; i < 4; ++i) {
    taps.push_back(
        {pixel(std::trunc(padded_place(whole - 1 + static_cast<double>(i), size, attrs))), weights[i]});
  }
  return taps;
}

std::optional<Tensor> eval_grid_sample(const Tensor& data, const Tensor& grid, const GridSampleAttrs& attrs,
                                       EvalContext& context) {
  const std::optional<Ints> out = exact_shape(infer_grid_sample(exact_type(data), exact_type(grid), attrs));
  const auto axes = static_cast<std::int64_t>(attrs.axes());
  if (!out || !is_affordable(*out) || !is_float(data.dtype) || !is_float(grid.dtype) ||
      grid.shape()[1] < axes || grid.rank() != attrs.plain().size())
    return std::nullopt;
  const TensorLayout layout = TensorLayout::parse(attrs.layout, attrs.plain()).value();
  const Tensor x = layout.to_plain(data);
  Ints shape = x.shape();
  const Ints sizes(shape.begin() + 2, shape.end());
  const Ints points = grid.shape();
  std::copy(points.begin() + 2, points.end(), shape.begin() + 2);
  if (points[0] < shape[0] || (x.size() == 0 && element_count(shape) > 0)) return std::nullopt;
  const std::int64_t pixels = element_count(std::span(shape).subspan(2));
  Tensor::Floats result = float_array(shape);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(result.size()); ++i) {
    const std::int64_t image = i / pixels;
    std::vector<Taps> taps;
    for (std::int64_t axis = 0; axis < axes; ++axis) {
      // The grid's first place is along the last axis.
      const std::int64_t row = image / shape[1] * points[1] + (axes - 1 - axis);
      const double normal = grid.floats().data()[row * pixels + i % pixels];
      taps.push_back(
          taps_at(normal, sizes[static_cast<std::size_t>(axis)], attrs, grid.dtype, context.rounding));
    }
    result.data()[i] = sampled(x.floats().data() + image * element_count(sizes), sizes, taps);
  }
  return layout.from_plain(round_floats(data.dtype, std::move(result), context.rounding));
}

// Places of -1.5 to 1.5, beside whole ones.
std::optional<ExprPtr> draw_grid(Choices& choices, Scope& scope, DType dtype, const Ints& shape) {
  Tensor grid = zeros(dtype, shape);
  constexpr double kPlaces[] = {-1, -0.75, -0.5, -0.25, 0, 0.375, 0.5, 0.875, 1, 1.25, -1.5};
  auto& values = std::get<Tensor::Floats>(grid.values);
  for (std::size_t i = 0; i < values.size(); ++i) values.data()[i] = choices.pick(kPlaces);
  return scope.constant(std::move(grid));
}

std::optional<CallDraft> generate_grid_sample(Choices& choices, Scope& scope) {
  GridSampleAttrs attrs;
  if (choices.one_in(3)) attrs.layout = "NCDHW";
  const auto axes = static_cast<int>(attrs.axes());
  const Want want{.dtype = DType::float32, .shape = draw_image_shape(choices, attrs.axes())};
  const std::optional<Drawn> data = draw_operand(choices, scope, want);
  if (!data) return std::nullopt;
  constexpr SampleMethod kMethods[] = {SampleMethod::bilinear, SampleMethod::nearest, SampleMethod::bicubic};
  // TVM takes up to a second to simplify a reflection, which is as long as all else that a campaign does with a case.
  constexpr unsigned kReflectionOneIn = 16;
  attrs.method = kMethods[choices.index(axes == 2 ? 3 : 2)];
  attrs.padding_mode = choices.flip() ? GridPadding::border : GridPadding::zeros;
  if (choices.one_in(kReflectionOneIn)) attrs.padding_mode = GridPadding::reflection;
  attrs.align_corners = choices.flip();
  // TVM divides by the size less one.
  const bool single = std::find(data->dims.begin() + 2, data->dims.end(), 1) != data->dims.end();
  if (single && attrs.align_corners) attrs.padding_mode = GridPadding::border;
  Ints shape{data->size(0), axes};
  for (int i = 0; i < axes; ++i) shape.push_back(choices.integer(1, 3));
  const Ints spatial(shape.begin() + 2, shape.end());
  if (element_count(spatial) * data->size(0) * data->size(1) > kMaxResult) return std::nullopt;
  return CallDraft({data->expr, *draw_grid(choices, scope, DType::float32, shape)}, attrs);
}

struct AffineGridAttrs {
  bool align_corners = true;
  static constexpr auto fields() {
    return std::tuple(field("align_corners", &AffineGridAttrs::align_corners));
  }
};

Result<TensorType> infer_affine_grid(const TensorType& data, const ShapeArg& size, const AffineGridAttrs&) {
  const int axes = size.type.rank;
  if (axes != 2 && axes != 3)
    return Error{"type.rank", "image.affine_grid: a size of rank " + std::to_string(axes)};
  if (data.rank != kUnknownRank && data.rank != 3)
    return Error{"type.rank", "image.affine_grid: data of rank " + std::to_string(data.rank)};
  for (std::size_t i = 1; data.shape && i < 3; ++i) {
    const Dim& dim = (*data.shape)[i];
    if (dim.is_static() && dim.value() != axes - 1 + static_cast<int>(i))
      return Error{"type.affine-grid", "image.affine_grid: a matrix of size " + to_string(dim)};
  }
  if (!data.shape || !size.literal) return of_unknown_shape(data, axes + 2);
  Shape shape{(*data.shape)[0], axes};
  shape.insert(shape.end(), size.type.values->begin(), size.type.values->end());
  return of_shape(data, std::move(shape));
}

std::optional<Tensor> eval_affine_grid(const Tensor& data, const ShapeValue& size,
                                       const AffineGridAttrs& attrs, EvalContext& context) {
  const ShapeType target{Shape(size.dims.begin(), size.dims.end()), static_cast<int>(size.dims.size())};
  const std::optional<Ints> shape = exact_shape(infer_affine_grid(exact_type(data), {target, true}, attrs));
  if (!shape || !is_affordable(*shape) || !is_float(data.dtype)) return std::nullopt;
  const Steps rounded(data.dtype, context.rounding);
  // Along an axis of s places: from -1 to 1 in steps, a little less so that the last is not beyond 1; or the pixels' centres.
  const auto coordinate = [&](std::int64_t at, std::int64_t s) {
    const auto count = static_cast<double>(s);
    const double start = rounded(attrs.align_corners ? -1 : -1 + 1 / count);
    const double step = rounded(attrs.align_corners ? (2 - 1e-7) / (count - 1) : 2 / count);
    return rounded(start + rounded(static_cast<double>(at) * step));
  };
  const std::size_t axes = size.dims.size();
  const std::int64_t pixels = element_count(size.dims);
  Tensor::Floats result = float_array(*shape);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(result.size()); ++i) {
    const double* row = data.floats().data() + i / pixels * static_cast<std::int64_t>(axes + 1);
    double value = row[axes];
    std::int64_t stride = pixels;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      stride /= size.dims[axis];
      const std::int64_t at = i % pixels / stride % size.dims[axis];
      value = rounded(value + rounded(row[axes - 1 - axis] * coordinate(at, size.dims[axis])));
    }
    result.data()[i] = value;
  }
  return round_floats(data.dtype, std::move(result), context.rounding);
}

std::optional<CallDraft> generate_affine_grid(Choices& choices, Scope& scope) {
  const std::int64_t axes = choices.one_in(3) ? 3 : 2;
  const Want want{.dtype = scope.float_dtype(choices), .shape = Shape{choices.integer(1, 3), axes, axes + 1}};
  const std::optional<Drawn> data = draw_operand(choices, scope, want);
  if (!data) return std::nullopt;
  const AffineGridAttrs attrs{!choices.flip()};
  Shape size;
  // TVM asks for two places along each axis whose corners are aligned.
  for (std::int64_t i = 0; i < axes; ++i)
    size.push_back(choices.integer(attrs.align_corners ? 2 : 1, axes == 2 ? 4 : 3));
  return CallDraft({data->expr, make_expr(ShapeExpr{size}, shape_type(size))}, attrs);
}

}  // namespace

std::vector<OpDef> grid_rows() {
  // Places, weights and their sums, each rounded to the dtype.
  return {
      op<infer_grid_sample, eval_grid_sample, generate_grid_sample>("relax.image.grid_sample", {"data", "grid"},
                                                                    {.ulps = 32, .one_in = kCostlyOneIn}),
      op<infer_affine_grid, eval_affine_grid, generate_affine_grid>("relax.image.affine_grid", {"data", "size"}, {.ulps = 8}),
  };
}

}  // namespace passdiff
