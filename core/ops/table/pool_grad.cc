// The gradients of nn.max_pool2d and nn.avg_pool2d (pool_grad_impl in topi/nn/pooling.h).
#include <limits>

#include "core/ops/numeric.h"
#include "core/ops/pool.h"
#include "core/ops/row.h"

namespace passdiff {
namespace {

Result<Type> infer_pool_grad(const TensorType&, const AnyTensor& data, const PoolAttrs<2>& attrs) {
  TRY_VOID(attrs.check());
  TRY(attrs.operand_layout());
  return data.type;
}

// The taps of windows of so many columns, column by column where the layout stores the columns before the rows: of equal elements the compiler takes
// the one that is stored first.
Ints taps_as_stored(const Ints& taps, std::int64_t columns, std::string_view layout) {
  if (layout.find('H') < layout.find('W')) return taps;
  Ints turned;
  for (std::int64_t column = 0; column < columns; ++column) {
    for (std::size_t i = static_cast<std::size_t>(column); i < taps.size(); i += static_cast<std::size_t>(columns)) turned.push_back(taps[i]);
  }
  return turned;
}

// The gradient of each window, added to the padded images: all of it at the first of its largest elements, or a part everywhere.
template <Pool kPool>
void spread(const Window& window, const double* images, const double* grad, const Ints& divisors,
            double* out) {
  const auto places = static_cast<std::size_t>(window.places());
  if constexpr (kPool == Pool::avg) {
    std::vector<double> parts(places);
    for (std::size_t i = 0; i < places; ++i) parts[i] = grad[i] / static_cast<double>(divisors[i]);
    for (const std::int64_t tap : window.taps)
      slide(window, out, tap, parts.data(), [](double part, double& to) { to += part; });
  } else {
    struct Best {
      const double* place;
      double value;
    };
    std::vector<Best> best(places, {nullptr, 0});
    for (const std::int64_t tap : window.taps) {
      slide(window, images, tap, best.data(), [](Best& to, const double& next) {
        if (to.place == nullptr || !(to.value >= next)) to = {&next, next};
      });
    }
    for (std::size_t i = 0; i < places; ++i) out[best[i].place - images] += grad[i];
  }
}

template <Pool kPool>
std::optional<Tensor> eval_pool_grad(const Tensor& output_grad, const Tensor& data, const PoolAttrs<2>& attrs,
                                     EvalContext& context) {
  const std::optional<Pooling> p = pooling_of(data, attrs);
  const TensorLayout layout = attrs.operand_layout().value();
  if (!p || layout.check_rank(exact_type(output_grad)) || !is_float(data.dtype) ||
      !is_float(output_grad.dtype))
    return std::nullopt;
  const Tensor grad = layout.to_plain(output_grad);
  if (grad.shape() != p->shape) return std::nullopt;
  Tensor::Floats result = float_array(p->x.shape());
  if (grad.size() > 0 && result.size() > 0) {
    Window window = window_over(p->axes);
    window.taps = taps_as_stored(window.taps, p->axes[1].kernel, attrs.layout);
    const std::vector<std::int64_t> places = padded_places(p->axes);
    const std::span<const double> x(p->x.floats().data(), p->x.size());
    const std::vector<double> images =
        padded(x, std::span<const WindowAxis>(p->axes), -std::numeric_limits<double>::infinity());
    std::vector<double> padded_result(images.size(), 0.0);
    const Ints counts = divisors(p->axes, attrs);
    for (std::size_t i = 0; i < result.size() / places.size(); ++i) {
      const std::size_t image = i * static_cast<std::size_t>(window.image_size);
      double* to = padded_result.data() + image;
      spread<kPool>(window, images.data() + image,
                    grad.floats().data() + i * static_cast<std::size_t>(window.places()), counts, to);
      for (std::size_t k = 0; k < places.size(); ++k) {
        if (places[k] >= 0) result.data()[i * places.size() + k] = to[places[k]];
      }
    }
  }
  const Tensor plain = round_floats(data.dtype, std::move(result), context.rounding);
  return layout.from_plain(plain);
}

// TVM's gradients have windows where rounding up leaves the last out, and that of max_pool2d looks for elements behind the last
// window among the maxima: both then read beyond their operands.
template <Pool kPool>
bool stays_inside(const Ints& shape, const PoolAttrs<2>& attrs) {
  const std::vector<WindowAxis> axes = pool_axes(shape, attrs);
  for (std::size_t i = 0; i < 2; ++i) {
    const WindowAxis& axis = axes[i];
    const std::int64_t more = attrs.padding[2 + i] + (attrs.ceil_mode ? axis.stride - 1 : 0);
    const std::int64_t windows = (axis.size - axis.kernel + axis.before + more) / axis.stride + 1;
    const bool covered = (axis.size - 1 + axis.before) / axis.stride < windows;
    if (windows != axis.places() || (kPool == Pool::max && !covered)) return false;
  }
  return true;
}

// Windows side by side, the last of which may reach into padding.
void tile_windows(const Ints& shape, PoolAttrs<2>& attrs) {
  attrs.ceil_mode = false;
  attrs.strides = attrs.pool_size;
  for (std::size_t i = 0; i < 2; ++i) {
    attrs.padding[i] = 0;
    attrs.padding[2 + i] = (attrs.strides[i] - shape[2 + i] % attrs.strides[i]) % attrs.strides[i];
  }
}

// Those that TVM compiles (measured).
constexpr DTypes kCompiled{DType::float16, DType::float32, DType::float64};

template <Pool kPool>
std::optional<CallDraft> generate_pool_grad(Choices& choices, Scope& scope) {
  auto drawn = draw_pool<2>(choices, scope, kCompiled, false);
  if (!drawn) return std::nullopt;
  const Ints shape = drawn->attrs.operand_layout()->to_plain(drawn->data.value.tensor()).shape();
  if (!stays_inside<kPool>(shape, drawn->attrs)) {
    if (!is_static(*drawn->data.type.shape)) return std::nullopt;
    tile_windows(shape, drawn->attrs);
  }
  const Want want{.dtype = drawn->data.dtype(), .shape = infer_pool(drawn->data.type, drawn->attrs)->shape};
  const std::optional<Drawn> grad = draw_operand(choices, scope, want);
  if (!grad) return std::nullopt;
  return CallDraft({grad->expr, drawn->data.expr}, drawn->attrs);
}

template <Pool kPool>
OpDef grad_row(std::string_view name) {
  // Sums of up to as many quotients as a window has taps, in the operand's dtype.
  return op<infer_pool_grad, eval_pool_grad<kPool>, generate_pool_grad<kPool>>(name, {"output_grad", "data"}, {.ulps = 8, .one_in = kCostlyOneIn});
}

}  // namespace

std::vector<OpDef> pool_grad_rows() {
  return {grad_row<Pool::max>("relax.grad.max_pool2d_backward"),
          grad_row<Pool::avg>("relax.grad.avg_pool2d_backward")};
}

}  // namespace passdiff
