// nn.max_pool1d to 3d and nn.avg_pool1d to 3d. Inference follows
// src/relax/op/nn/pooling.cc, evaluation topi/nn/pooling.h. Infinities differ from TVM on purpose: it pads and starts with the
// lowest finite value, so that the maximum of -inf alone is finite there.
#include <algorithm>
#include <limits>

#include "core/ops/numeric.h"
#include "core/ops/pool.h"
#include "core/ops/row.h"

namespace passdiff {
namespace {

// Calls f(out, element) for each element that a window over the padded images reads; `out` begins as `init`.
template <class Out, class T, class F>
std::vector<Out> pooled(std::span<const T> images, std::span<const WindowAxis> axes, T padding, Out init,
                        F f) {
  const std::vector<T> in = padded(images, axes, padding);
  const Window window = window_over(axes);
  const std::size_t count = in.size() / static_cast<std::size_t>(window.image_size);
  std::vector<Out> out(count * static_cast<std::size_t>(window.places()), init);
  for (std::size_t i = 0; i < count; ++i) {
    const T* image = in.data() + static_cast<std::int64_t>(i) * window.image_size;
    Out* to = out.data() + static_cast<std::int64_t>(i) * window.places();
    for (const std::int64_t tap : window.taps) slide(window, image, tap, to, f);
  }
  return out;
}

// Like max: what is not greater than the next element is replaced by it, a NaN too.
template <std::size_t n>
std::optional<Tensor> eval_max_pool(const Tensor& data, const PoolAttrs<n>& attrs) {
  const std::optional<Pooling> p = pooling_of(data, attrs);
  if (!p) return std::nullopt;
  Tensor result = zeros(data.dtype, p->shape);
  if (result.size() == 0 || p->x.size() == 0) return attrs.result_layout()->from_plain(result);
  std::visit(
      [&]<class T>(const xt::xarray<T>& x) {
        T lowest;
        if constexpr (std::is_floating_point_v<T>)
          lowest = -std::numeric_limits<T>::infinity();
        else
          lowest = static_cast<T>(int_min(data.dtype));
        const auto keep = [](T& to, T next) { to = to > next ? to : next; };
        const std::vector<T> best = pooled(std::span(x.data(), x.size()), p->axes, lowest, lowest, keep);
        std::copy(best.begin(), best.end(), std::get<xt::xarray<T>>(result.values).data());
      },
      p->x.values);
  return attrs.result_layout()->from_plain(result);
}

// The sums, rounded to the dtype, over the divisors, which repeat image by image.
Tensor divided(DType dtype, std::span<const double> sums, const Ints& divisors, const Ints& shape,
               Rounding& rounding) {
  Tensor::Floats result = float_array(shape);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    result.data()[i] =
        round_float(dtype, sums[i], rounding) / static_cast<double>(divisors[i % divisors.size()]);
  }
  return round_floats(dtype, std::move(result), rounding);
}

template <std::size_t n>
std::optional<Tensor> eval_avg_pool(const Tensor& data, const PoolAttrs<n>& attrs, EvalContext& context) {
  const std::optional<Pooling> p = pooling_of(data, attrs);
  if (!p || !is_float(data.dtype)) return std::nullopt;
  if (element_count(p->shape) == 0 || p->x.size() == 0)
    return attrs.result_layout()->from_plain(zeros(data.dtype, p->shape));
  const Tensor::Floats& x = p->x.floats();
  const auto add = [](double& sum, double next) { sum += next; };
  const std::vector<double> sums = pooled(std::span(x.data(), x.size()), p->axes, 0.0, 0.0, add);
  const Tensor result = divided(data.dtype, sums, divisors(p->axes, attrs), p->shape, context.rounding);
  return attrs.result_layout()->from_plain(result);
}

template <std::size_t n, Pool kPool>
std::optional<CallDraft> generate_pool(Choices& choices, Scope& scope) {
  const auto drawn = draw_pool<n>(choices, scope, kPool == Pool::max ? kNumericDTypes : kFloatDTypes, true);
  if (!drawn) return std::nullopt;
  return CallDraft({drawn->data.expr}, drawn->attrs);
}

// A sum and a division in the operand's dtype: half an ulp of the running sum for each element.
constexpr double kAveraged = 8;

template <std::size_t n>
OpDef max_row(std::string_view name) {
  return op<infer_pool<n>, eval_max_pool<n>, generate_pool<n, Pool::max>>(name, {"data"});
}
template <std::size_t n>
OpDef avg_row(std::string_view name) {
  return op<infer_pool<n>, eval_avg_pool<n>, generate_pool<n, Pool::avg>>(name, {"data"},
                                                                          {.ulps = kAveraged});
}
}  // namespace

std::vector<OpDef> pool_rows() {
  return {
      max_row<1>("relax.nn.max_pool1d"), max_row<2>("relax.nn.max_pool2d"), max_row<3>("relax.nn.max_pool3d"),
      avg_row<1>("relax.nn.avg_pool1d"), avg_row<2>("relax.nn.avg_pool2d"), avg_row<3>("relax.nn.avg_pool3d"),
  };
}

}  // namespace passdiff
