// What pools and their gradients share: attributes, inference, windows, and how their calls are drawn.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/ops/attributes.h"
#include "core/ops/draw.h"
#include "core/ops/strided.h"
#include "core/ops/tensor_layout.h"
#include "core/ops/window.h"

namespace passdiff {

enum class Pool : std::uint8_t { max, avg };

// The plain layouts, by the number of spatial axes.
constexpr std::string_view kPoolLayouts[] = {"", "NCW", "NCHW", "NCDHW"};
// Of the others, those that TVM compiles and in which no axis is split, by the number of spatial axes less one.
constexpr std::string_view kOtherPoolLayouts[][3] = {
    {"NWC", "CWN", "WCN"}, {"NHWC", "CHWN", "NWCH"}, {"NDHWC", "CDHWN", "DNHCW"}};

template <std::size_t n>
struct PoolAttrs {
  Ints pool_size = Ints(n, 1);
  Ints strides = Ints(n, 1);
  Ints padding = Ints(2 * n, 0);
  Ints dilation = Ints(n, 1);
  bool ceil_mode = false;
  bool count_include_pad = false;
  std::string layout{kPoolLayouts[n]};
  std::optional<std::string> out_layout;  // nothing: layout

  static constexpr auto fields() {
    return std::tuple(field("pool_size", &PoolAttrs::pool_size), field("strides", &PoolAttrs::strides),
                      field("padding", &PoolAttrs::padding), field("dilation", &PoolAttrs::dilation),
                      field("ceil_mode", &PoolAttrs::ceil_mode),
                      field("count_include_pad", &PoolAttrs::count_include_pad),
                      field("layout", &PoolAttrs::layout), field("out_layout", &PoolAttrs::out_layout));
  }
  void complete() {
    for (Ints* numbers : {&pool_size, &strides, &dilation}) complete_axes(*numbers, n);
    complete_padding(padding, n);
    if (!out_layout) out_layout = layout;
  }
  std::optional<Error> check() const {
    TRY_VOID(check_numbers("pool_size", pool_size, n, 1));
    TRY_VOID(check_numbers("strides", strides, n, 1));
    TRY_VOID(check_numbers("padding", padding, 2 * n, 0));
    return check_numbers("dilation", dilation, n, 1);
  }
  Result<TensorLayout> operand_layout() const { return TensorLayout::parse(layout, kPoolLayouts[n]); }
  Result<TensorLayout> result_layout() const {
    return TensorLayout::parse(out_layout.value_or(layout), kPoolLayouts[n]);
  }
};

// The number of windows along spatial axis i. Rounding up counts a last window that would begin behind the operand, which is
// left out again: TVM selects, and where it cannot decide, its type says so in words that dims here lack.
template <std::size_t n>
Result<Dim> pooled_size(const Dim& size, const PoolAttrs<n>& attrs, std::size_t i) {
  const std::int64_t stride = attrs.strides[i];
  const std::int64_t reach = attrs.dilation[i] * (attrs.pool_size[i] - 1);
  const std::int64_t before = attrs.padding[i];
  const std::int64_t more = before + attrs.padding[n + i] - reach - 1 + (attrs.ceil_mode ? stride - 1 : 0);
  const Dim places = TRY(window_places(size, more, stride));
  if (!attrs.ceil_mode) return places;
  const Dim beyond = (places - Dim(1)) * Dim(stride) - size - Dim(before - 1);
  if (!beyond.is_static() && stride == 1) return places - Dim(more + 1 >= before + 1 ? 1 : 0);
  return places - Dim::binary(DimOp::maximum, Dim::binary(DimOp::minimum, beyond, 1), 0);
}

template <std::size_t n>
Result<TensorType> infer_pool(const TensorType& data, const PoolAttrs<n>& attrs) {
  TRY_VOID(attrs.check());
  const TensorLayout layout = TRY(attrs.operand_layout());
  const TensorLayout out = TRY(attrs.result_layout());
  TRY_VOID(layout.check_rank(data));
  if (!data.shape) return of_unknown_shape(data, out.rank());
  Shape shape = TRY(layout.to_plain(*data.shape));
  for (std::size_t i = 0; i < n; ++i) shape[2 + i] = TRY(pooled_size(shape[2 + i], attrs, i));
  return of_shape(data, out.from_plain(shape));
}

// The windows of a pool over an operand in plain layout: as many as inference says, what lies beyond the last is cut off.
template <std::size_t n>
std::vector<WindowAxis> pool_axes(const Ints& shape, const PoolAttrs<n>& attrs) {
  std::vector<WindowAxis> axes;
  for (std::size_t i = 0; i < n; ++i) {
    WindowAxis axis{shape[2 + i], attrs.pool_size[i], attrs.strides[i], attrs.dilation[i], attrs.padding[i]};
    const std::int64_t places = pooled_size(shape[2 + i], attrs, i).value().value();
    axis.after = (places - 1) * axis.stride + axis.dilation * (axis.kernel - 1) + 1 - axis.size - axis.before;
    axes.push_back(axis);
  }
  return axes;
}

// An operand in plain layout with the windows over it, and the shape of the result.
struct Pooling {
  Tensor x;
  std::vector<WindowAxis> axes;
  Ints shape;
};
template <std::size_t n>
std::optional<Pooling> pooling_of(const Tensor& data, const PoolAttrs<n>& attrs) {
  const std::optional<Ints> out = exact_shape(infer_pool(exact_type(data), attrs));
  if (!out || !is_affordable(*out)) return std::nullopt;
  Pooling pooling{attrs.operand_layout()->to_plain(data), {}, {}};
  pooling.axes = pool_axes(pooling.x.shape(), attrs);
  pooling.shape = {pooling.x.shape()[0], pooling.x.shape()[1]};
  for (const WindowAxis& axis : pooling.axes) pooling.shape.push_back(axis.places());
  const std::int64_t images = pooling.x.shape()[0] * pooling.x.shape()[1];
  if (element_count(pooling.shape) > 0 && !are_affordable(pooling.axes, images)) return std::nullopt;
  return pooling;
}

// How many elements each window along spatial axis i counts. TVM divides by their product, and truncates.
template <std::size_t n>
Ints window_counts(const WindowAxis& axis, const PoolAttrs<n>& attrs, std::size_t i) {
  Ints counts;
  for (std::int64_t p = 0; p < axis.places(); ++p) {
    std::int64_t start = p * axis.stride - axis.before;
    const std::int64_t last = start + (axis.kernel - 1) * axis.dilation;
    const std::int64_t end = axis.size - 1 + (attrs.count_include_pad ? attrs.padding[n + i] : 0);
    // Steps over the padding in front.
    if (!attrs.count_include_pad)
      start += axis.dilation * std::max<std::int64_t>((axis.dilation - 1 - start) / axis.dilation, 0);
    counts.push_back((std::min(last, end) - start) / axis.dilation + 1);
  }
  return counts;
}

// The product of one number of each list, for all ways to take them, those of the last list fastest.
inline Ints products(const std::vector<Ints>& lists) {
  Ints result{1};
  for (const Ints& list : lists) {
    Ints next;
    for (const std::int64_t head : result) {
      for (const std::int64_t number : list) next.push_back(head * number);
    }
    result = std::move(next);
  }
  return result;
}

template <std::size_t n>
Ints divisors(std::span<const WindowAxis> axes, const PoolAttrs<n>& attrs) {
  std::vector<Ints> counts;
  for (std::size_t i = 0; i < n; ++i) counts.push_back(window_counts(axes[i], attrs, i));
  Ints result = products(counts);
  for (std::int64_t& count : result) count = std::max<std::int64_t>(count, 1);
  return result;
}

// An operand of a pool, and its attributes.
template <std::size_t n>
struct PoolDraw {
  Drawn data;
  PoolAttrs<n> attrs;
};

// One of the layouts that TVM compiles, in which spatial axes are never split.
template <std::size_t n>
void draw_layout(Choices& choices, const Drawn& data, PoolAttrs<n>& attrs) {
  if (data.rank() > static_cast<int>(n) + 2) {
    attrs.layout += std::to_string(data.size(data.rank() - 1)) + "c";
  } else if (choices.one_in(3)) {
    attrs.layout = choices.pick(kOtherPoolLayouts[n - 1]);
  }
}

// Does each window along the axis meet an element of the operand?
inline bool meets_operand(const WindowAxis& axis) {
  for (std::int64_t p = 0; p < axis.places(); ++p) {
    bool meets = false;
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
      const std::int64_t at = p * axis.stride + k * axis.dilation - axis.before;
      meets = meets || (at >= 0 && at < axis.size);
    }
    if (!meets) return false;
  }
  return true;
}

template <std::size_t n>
std::optional<PoolDraw<n>> draw_pool(Choices& choices, Scope& scope, DTypes dtypes, bool dilated) {
  const int rank = static_cast<int>(n) + 2 + (n < 3 && choices.one_in(8) ? 1 : 0);
  const std::optional<Drawn> data = draw_operand(choices, scope, dtypes, rank, rank);
  if (!data || element_count(data->dims) == 0 || element_count(data->dims) > 2 * kMaxResult)
    return std::nullopt;
  if (rank > static_cast<int>(n) + 2 && !data->dim(rank - 1).is_static()) return std::nullopt;
  PoolAttrs<n> attrs;
  draw_layout(choices, *data, attrs);
  const Shape declared = attrs.operand_layout()->to_plain(*data->type.shape).value();
  const Shape sizes = attrs.operand_layout()->to_plain(Shape(data->dims.begin(), data->dims.end())).value();
  attrs.ceil_mode = is_static(declared) && choices.one_in(3);
  attrs.count_include_pad = choices.flip();
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t size = sizes[2 + i].value();
    WindowAxis drawn = draw_window(choices, size, declared[2 + i].is_static());
    if (!dilated && drawn.dilation > 1) drawn.dilation = drawn.kernel = 1;
    if (!meets_operand(drawn)) drawn = {.size = size, .stride = drawn.stride};
    attrs.pool_size[i] = drawn.kernel;
    attrs.strides[i] = drawn.stride;
    attrs.dilation[i] = drawn.dilation;
    attrs.padding[i] = drawn.before;
    attrs.padding[n + i] = drawn.after;
  }
  attrs.complete();
  return PoolDraw<n>{*data, attrs};
}

}  // namespace passdiff
