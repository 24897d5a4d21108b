// nn.conv1d, nn.conv2d, nn.conv3d and their transposes. Inference follows src/relax/op/nn/convolution.cc, evaluation
// topi/nn/conv2d.py: what pads and dilates are zeros that are multiplied like any element, so that an infinite weight beside
// padding makes NaN.
#include <algorithm>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"
#include "core/ops/tensor_layout.h"
#include "core/ops/window.h"

namespace passdiff {
namespace {

// By the number of spatial axes.
constexpr std::string_view kDataLayouts[] = {"", "NCW", "NCHW", "NCDHW"};
constexpr std::string_view kKernelLayouts[] = {"", "OIW", "OIHW", "OIDHW"};
constexpr std::string_view kTransposedLayouts[] = {"", "IOW", "IOHW", "IODHW"};

template <std::size_t n, bool kTransposed>
struct ConvAttrs {
  static constexpr std::string_view kKernel = kTransposed ? kTransposedLayouts[n] : kKernelLayouts[n];

  Ints strides = Ints(n, 1);
  Ints padding = Ints(2 * n, 0);
  Ints output_padding = Ints(n, 0);  // of transposed convolutions
  Ints dilation = Ints(n, 1);
  std::int64_t groups = 1;
  std::string data_layout{kDataLayouts[n]};
  std::string kernel_layout{kKernel};
  std::optional<std::string> out_layout;  // nothing: data_layout
  std::optional<DType> out_dtype;

  static constexpr auto fields() {
    const auto window =
        std::tuple(field("strides", &ConvAttrs::strides), field("padding", &ConvAttrs::padding));
    const auto rest = std::tuple(
        field("dilation", &ConvAttrs::dilation), field("groups", &ConvAttrs::groups),
        field("data_layout", &ConvAttrs::data_layout), field("kernel_layout", &ConvAttrs::kernel_layout),
        field("out_layout", &ConvAttrs::out_layout), field("out_dtype", &ConvAttrs::out_dtype));
    if constexpr (!kTransposed)
      return std::tuple_cat(window, rest);
    else
      return std::tuple_cat(window, std::tuple(field("output_padding", &ConvAttrs::output_padding)), rest);
  }
  void complete() {
    for (Ints* numbers : {&strides, &output_padding, &dilation}) complete_axes(*numbers, n);
    complete_padding(padding, n);
    if (!out_layout) out_layout = data_layout;
  }
  std::optional<Error> check() const {
    TRY_VOID(check_numbers("strides", strides, n, 1));
    TRY_VOID(check_numbers("padding", padding, 2 * n, 0));
    TRY_VOID(check_numbers("output_padding", output_padding, n, 0));
    TRY_VOID(check_numbers("dilation", dilation, n, 1));
    return check_numbers("groups", std::span(&groups, 1), 1, 1);
  }
};

// The layouts of a call's operands and result.
struct ConvLayouts {
  TensorLayout data, kernel, out;
};
template <std::size_t n, bool kTransposed>
Result<ConvLayouts> layouts_of(const ConvAttrs<n, kTransposed>& attrs) {
  return ConvLayouts{TRY(TensorLayout::parse(attrs.data_layout, kDataLayouts[n])),
                     TRY(TensorLayout::parse(attrs.kernel_layout, attrs.kKernel)),
                     TRY(TensorLayout::parse(attrs.out_layout.value_or(attrs.data_layout), kDataLayouts[n]))};
}

// Do the channels fit, and fall into groups? `grouped` is the axis of the kernel that the groups share out.
std::optional<Error> check_channels(const Dim& data, const Dim& kernel, const Dim& grouped,
                                    std::int64_t groups) {
  const Dim left = Dim::binary(DimOp::floor_mod, grouped, groups);
  if (!proven_different(data, kernel) && !proven_different(left, 0)) return std::nullopt;
  return Error{"type.channels", "channels " + to_string(data) + " of the data, " + to_string(kernel) +
                                    " of the kernel and " + to_string(grouped) + " in " +
                                    std::to_string(groups) + " groups do not fit"};
}

// The size of the result along spatial axis i, from those of data and kernel.
template <std::size_t n, bool kTransposed>
Result<Dim> spatial_size(const Dim& size, const Dim& kernel, const ConvAttrs<n, kTransposed>& attrs,
                         std::size_t i) {
  const std::int64_t padding = attrs.padding[i] + attrs.padding[n + i];
  const Dim reach = Dim(attrs.dilation[i]) * (kernel - Dim(1));
  if constexpr (!kTransposed) {
    return window_places(reach.is_static() ? size : size - reach,
                         padding - 1 - (reach.is_static() ? reach.value() : 0), attrs.strides[i]);
  } else {
    if (attrs.output_padding[i] >= attrs.strides[i]) {
      return Error{"type.window", "the output padding is not less than the stride"};
    }
    const std::int64_t stride = attrs.strides[i];
    return window_places(size * Dim(stride) + reach, attrs.output_padding[i] - padding - stride, 1);
  }
}

template <std::size_t n, bool kTransposed>
Result<TensorType> infer_conv(const TensorType& data, const TensorType& weight,
                              const ConvAttrs<n, kTransposed>& attrs) {
  TRY_VOID(attrs.check());
  const ConvLayouts layouts = TRY(layouts_of(attrs));
  TRY_VOID(layouts.data.check_rank(data));
  TRY_VOID(layouts.kernel.check_rank(weight));
  const std::optional<DType> dtype =
      attrs.out_dtype ? attrs.out_dtype : TRY(unify_dtypes(data.dtype, weight.dtype));
  const std::optional<int> vdevice = TRY(unify_vdevices(data, weight));
  if (!data.shape || !weight.shape) return make_tensor_type(std::nullopt, layouts.out.rank(), dtype, vdevice);
  const Shape x = TRY(layouts.data.to_plain(*data.shape));
  const Shape w = TRY(layouts.kernel.to_plain(*weight.shape));
  const Dim groups = attrs.groups;
  TRY_VOID(check_channels(x[1], kTransposed ? w[0] : w[1] * groups, w[0], attrs.groups));
  Shape shape{x[0], kTransposed ? w[1] * groups : w[0]};
  for (std::size_t i = 0; i < n; ++i) shape.push_back(TRY(spatial_size(x[2 + i], w[2 + i], attrs, i)));
  return make_tensor_type(layouts.out.from_plain(shape), layouts.out.rank(), dtype, vdevice);
}

// The kernel of a convolution that does what the transposed one does: output channels first, taps in reverse.
Tensor transposed_kernel(const Tensor& kernel, std::int64_t groups) {
  const Ints shape = kernel.shape();
  const std::vector<WalkAxis> given = row_major(shape);
  std::vector<WalkAxis> walk{
      {groups, given[0].stride * (shape[0] / groups)}, given[1], {shape[0] / groups, given[0].stride}};
  std::int64_t last = 0;
  for (std::size_t i = 2; i < given.size(); ++i) {
    walk.push_back({given[i].size, -given[i].stride});
    last += (given[i].size - 1) * given[i].stride;
  }
  Ints result = shape;
  result[0] = groups * shape[1];
  result[1] = shape[0] / groups;
  return with_shape(copy_strided(kernel, last, walk), result);
}

// Sums over input channels and taps, one image of the result after the other.
template <class Sum, class T, class F>
void convolve(std::span<const T> data, std::span<const T> kernel, const Ints& kernel_shape,
              std::int64_t groups, const Window& window, Sum* out, F add_product) {
  const std::int64_t outs = kernel_shape[0];
  const std::int64_t ins = kernel_shape[1];
  const auto images = static_cast<std::int64_t>(data.size()) / window.image_size;
  const auto taps = static_cast<std::int64_t>(window.taps.size());
  for (std::int64_t i = 0; i < images / (ins * groups) * outs; ++i, out += window.places()) {
    const std::int64_t o = i % outs;
    const T* image = data.data() + (i / outs * groups + o / (outs / groups)) * ins * window.image_size;
    const T* weight = kernel.data() + o * ins * taps;
    for (std::int64_t channel = 0; channel < ins; ++channel, image += window.image_size) {
      for (const std::int64_t tap : window.taps) {
        const T w = *weight++;
        slide(window, image, tap, out, [=](Sum& sum, T x) { add_product(sum, x, w); });
      }
    }
  }
}

template <std::size_t n, bool kTransposed>
std::vector<WindowAxis> window_axes(const Ints& data, const Ints& kernel,
                                    const ConvAttrs<n, kTransposed>& attrs) {
  std::vector<WindowAxis> axes;
  for (std::size_t i = 0; i < n; ++i) {
    WindowAxis axis{data[2 + i],       kernel[2 + i],    attrs.strides[i],
                    attrs.dilation[i], attrs.padding[i], attrs.padding[n + i]};
    if constexpr (kTransposed) {
      // TVM dilates the kernel itself, with zeros.
      const std::int64_t reach = axis.dilation * (axis.kernel - 1);
      axis = {axis.size,  reach + 1, 1, 1, reach - axis.before, reach - axis.after + attrs.output_padding[i],
              axis.stride};
    }
    axes.push_back(axis);
  }
  return axes;
}

Tensor convolve_floats(DType dtype, const Tensor& x, const Tensor& w, std::span<const WindowAxis> axes,
                       const Ints& shape, std::int64_t groups, EvalContext& context) {
  std::vector<double> storage;
  const std::vector<double> images = padded(doubles_of(x, storage), axes, 0.0);
  Tensor::Floats result = float_array(shape);
  const Window window = window_over(axes);
  convolve(std::span(images), std::span(w.floats().data(), w.size()), w.shape(), groups, window,
           result.data(), [](double& sum, double a, double b) { sum += a * b; });
  return round_floats(dtype, std::move(result), context.rounding);
}

Tensor convolve_ints(DType dtype, const Tensor& x, const Tensor& w, std::span<const WindowAxis> axes,
                     const Ints& shape, std::int64_t groups, EvalContext& context) {
  Ints x_storage, w_storage;
  const Ints images = padded(ints_of(x, x_storage), axes, std::int64_t{0});
  std::vector<ExactInt> sums(static_cast<std::size_t>(element_count(shape)));
  convolve(std::span(images), ints_of(w, w_storage), w.shape(), groups, window_over(axes), sums.data(),
           [](ExactInt& sum, std::int64_t a, std::int64_t b) { sum.add(Int128{a} * b); });
  IntResult result(dtype, shape);
  for (std::size_t i = 0; i < sums.size(); ++i) result.set(i, sums[i]);
  return std::move(result).finish("a convolution", context.log);
}

// The kernel with zeros between its taps, as its window reads it.
Tensor dilated_kernel(const Tensor& kernel, std::span<const WindowAxis> axes, const Ints& dilation) {
  Ints shape = kernel.shape();
  std::vector<WindowAxis> dilated;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    dilated.push_back({.size = shape[2 + i], .base_dilation = dilation[i]});
    shape[2 + i] = axes[i].kernel;
  }
  Tensor result = zeros(kernel.dtype, shape);
  std::visit(
      [&](const auto& from) {
        const auto taps =
            padded(std::span(from.data(), from.size()), dilated, std::decay_t<decltype(*from.data())>{});
        std::copy(taps.begin(), taps.end(), std::get<std::decay_t<decltype(from)>>(result.values).data());
      },
      kernel.values);
  return result;
}

template <std::size_t n, bool kTransposed>
std::optional<Tensor> eval_conv(const Tensor& data, const Tensor& weight,
                                const ConvAttrs<n, kTransposed>& attrs, EvalContext& context) {
  const Result<TensorType> type = infer_conv(exact_type(data), exact_type(weight), attrs);
  const std::optional<Ints> out = exact_shape(type);
  if (!out || !is_affordable(*out)) return std::nullopt;
  const DType dtype = *type->dtype;
  const ConvLayouts layouts = layouts_of(attrs).value();
  const Tensor x = layouts.data.to_plain(*Converted(data, dtype, context));
  Tensor w = layouts.kernel.to_plain(*Converted(weight, dtype, context));
  // Sums over nothing, or none: padding may crop an axis away.
  if (x.size() == 0 || w.size() == 0 || element_count(*out) == 0) return zeros(dtype, *out);
  const std::vector<WindowAxis> axes = window_axes(x.shape(), w.shape(), attrs);
  if (!are_affordable(axes, x.shape()[0] * x.shape()[1])) return std::nullopt;
  if (kTransposed) w = dilated_kernel(transposed_kernel(w, attrs.groups), axes, attrs.dilation);
  Ints shape{x.shape()[0], w.shape()[0]};
  for (const WindowAxis& axis : axes) shape.push_back(axis.places());
  return layouts.out.from_plain(
      (is_float(dtype) ? convolve_floats : convolve_ints)(dtype, x, w, axes, shape, attrs.groups, context));
}

template <std::size_t n, bool kTransposed>
CallDraft overflowing_conv(Choices& choices, Scope& scope) {
  ConvAttrs<n, kTransposed> attrs;
  const auto cube = [&](DType dtype, auto value) {
    if constexpr (n == 1)
      return full_constant(scope, dtype, {1, 1, 2}, value);
    else if constexpr (n == 2)
      return full_constant(scope, dtype, {1, 1, 2, 2}, value);
    else
      return full_constant(scope, dtype, {1, 1, 2, 2, 2}, value);
  };
  if (choices.flip()) {
    attrs.out_dtype = DType::int32;
    attrs.complete();
    const ExprPtr huge = cube(DType::float32, 0x1p40);
    return {{huge, huge}, attrs};
  }
  attrs.complete();
  const ExprPtr large = cube(DType::int32, std::int64_t{1} << 20);
  return {{large, large}, attrs};
}

// Those that TVM compiles: no split axes, and the spatial axes in order.
template <std::size_t n, bool kTransposed>
void draw_layouts(Choices& choices, ConvAttrs<n, kTransposed>& attrs) {
  if (kTransposed || !choices.one_in(3)) return;
  constexpr std::string_view kData[][3] = {
      {"NWC", "CWN", "WCN"}, {"NHWC", "CHWN", "HWNC"}, {"NDHWC", "CDHWN", "DHWNC"}};
  constexpr std::string_view kKernel[][3] = {
      {"WIO", "OWI", "IOW"}, {"HWIO", "OHWI", "IOHW"}, {"DHWIO", "ODHWI", "IODHW"}};
  if (choices.flip()) attrs.data_layout = choices.pick(kData[n - 1]);
  if (choices.flip()) attrs.kernel_layout = choices.pick(kKernel[n - 1]);
}

// Windows over operands of these sizes: those of the kernel's spatial axes. Along a symbolic axis the stride is 1, beyond which
// TVM's types are not ours.
template <std::size_t n, bool kTransposed>
void draw_windows(Choices& choices, const Shape& declared, const Shape& sizes,
                  ConvAttrs<n, kTransposed>& attrs, Shape& kernel) {
  for (std::size_t i = 0; i < n; ++i) {
    const WindowAxis drawn = draw_window(choices, sizes[2 + i].value(), declared[2 + i].is_static());
    kernel[2 + i] = drawn.kernel;
    attrs.strides[i] = drawn.stride;
    attrs.dilation[i] = drawn.dilation;
    attrs.padding[i] = drawn.before;
    attrs.padding[n + i] = drawn.after;
    if (kTransposed && drawn.stride > 1) attrs.output_padding[i] = choices.integer(0, drawn.stride - 1);
  }
}

template <std::size_t n, bool kTransposed>
std::optional<CallDraft> generate_conv(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) return overflowing_conv<n, kTransposed>(choices, scope);
  const std::optional<Drawn> data = draw_operand(choices, scope, kNumericDTypes, n + 2, n + 2);
  if (!data || element_count(data->dims) == 0) return std::nullopt;
  ConvAttrs<n, kTransposed> attrs;
  draw_layouts(choices, attrs);
  const TensorLayout layout = TensorLayout::parse(attrs.data_layout, kDataLayouts[n]).value();
  const Shape x = layout.to_plain(*data->type.shape).value();
  const Shape sizes = layout.to_plain(Shape(data->dims.begin(), data->dims.end())).value();
  const std::int64_t channels = sizes[1].value();
  if (x[1].is_static() && choices.one_in(3))
    attrs.groups = channels % 2 == 0 && choices.flip() ? 2 : channels;
  const std::int64_t outs = choices.integer(1, 2);
  const Dim ins = attrs.groups == 1 ? x[1] : Dim(channels / attrs.groups);
  Shape w = kTransposed ? Shape{x[1], outs} : Shape{outs * attrs.groups, ins};
  w.resize(2 + n, 1);
  ConvAttrs<n, kTransposed> windows = attrs;
  Shape kernel = w;
  draw_windows(choices, x, sizes, windows, kernel);
  const auto results = [&](const auto& some, const Shape& k) {
    std::int64_t count = sizes[0].value() * outs * attrs.groups;
    for (std::size_t i = 0; i < n; ++i) {
      const Result<Dim> size = spatial_size(sizes[2 + i], k[2 + i], some, i);
      count *= size ? size->value() : 0;
    }
    return count;
  };
  const std::int64_t count = results(windows, kernel);
  if (count > 0 && count <= kMaxResult) {
    attrs = windows;
    w = kernel;
  } else if (results(attrs, w) > kMaxResult) {
    return std::nullopt;
  }
  if (choices.one_in(4)) attrs.out_dtype = draw_out_dtype(choices, data->dtype());
  attrs.complete();
  const TensorLayout kernel_layout = TensorLayout::parse(attrs.kernel_layout, attrs.kKernel).value();
  const Want want{.dtype = data->dtype(), .shape = kernel_layout.from_plain(w)};
  const std::optional<Drawn> weight = draw_operand(choices, scope, want);
  if (!weight) return std::nullopt;
  return CallDraft({data->expr, weight->expr}, attrs);
}


template <std::size_t n, bool kTransposed>
OpDef conv_row(std::string_view name) {
  // TVM accumulates in the result's dtype, element by element: half an ulp of the running sum each.
  return op<infer_conv<n, kTransposed>, eval_conv<n, kTransposed>, generate_conv<n, kTransposed>>(
      name, {"data", "weight"}, {.undefined = kOverflowAndCast, .multilinear = true, .ulps = 8});
}

}  // namespace

std::vector<OpDef> conv_rows() {
  return {
      conv_row<1, false>("relax.nn.conv1d"),          conv_row<2, false>("relax.nn.conv2d"),
      conv_row<3, false>("relax.nn.conv3d"),          conv_row<1, true>("relax.nn.conv1d_transpose"),
      conv_row<2, true>("relax.nn.conv2d_transpose"), conv_row<3, true>("relax.nn.conv3d_transpose"),
  };
}

}  // namespace passdiff
