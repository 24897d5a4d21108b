// nn.adaptive_avg_pool1d to 3d: the mean of windows that share out each spatial axis (adaptive_pool_impl in topi/nn/pooling.h).
#include <algorithm>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/numeric.h"
#include "core/ops/pool.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"
#include "core/ops/tensor_layout.h"
#include "core/ops/window.h"

namespace passdiff {
namespace {

template <std::size_t n>
struct AdaptiveAttrs {
  std::optional<Ints> output_size;  // nothing: the operand's sizes
  std::string layout{kPoolLayouts[n]};
  std::optional<std::string> out_layout;  // nothing: layout

  static constexpr auto fields() {
    return std::tuple(field("output_size", &AdaptiveAttrs::output_size),
                      field("layout", &AdaptiveAttrs::layout),
                      field("out_layout", &AdaptiveAttrs::out_layout));
  }
  void complete() {
    if (output_size) complete_axes(*output_size, n);
    if (!out_layout) out_layout = layout;
  }
  Result<TensorLayout> operand_layout() const { return TensorLayout::parse(layout, kPoolLayouts[n]); }
  Result<TensorLayout> result_layout() const {
    return TensorLayout::parse(out_layout.value_or(layout), kPoolLayouts[n]);
  }
};

template <std::size_t n>
Result<TensorType> infer_adaptive(const TensorType& data, const AdaptiveAttrs<n>& attrs) {
  if (attrs.output_size) TRY_VOID(check_numbers("output_size", *attrs.output_size, n, 1));
  const TensorLayout layout = TRY(attrs.operand_layout());
  const TensorLayout out = TRY(attrs.result_layout());
  TRY_VOID(layout.check_rank(data));
  if (!data.shape) return of_unknown_shape(data, out.rank());
  Shape shape = TRY(layout.to_plain(*data.shape));
  for (std::size_t i = 0; i < n && attrs.output_size; ++i) shape[2 + i] = (*attrs.output_size)[i];
  return of_shape(data, out.from_plain(shape));
}

// The elements of one image that a window takes.
using Places = std::vector<std::int64_t>;

// The windows with one more axis, of `size` elements, which `count` windows share out.
std::vector<Places> shared_out(const std::vector<Places>& windows, std::int64_t size, std::int64_t count) {
  std::vector<Places> result;
  for (const Places& window : windows) {
    for (std::int64_t p = 0; p < count; ++p) {
      Places places;
      for (const std::int64_t place : window) {
        for (std::int64_t i = p * size / count; i < ((p + 1) * size + count - 1) / count; ++i)
          places.push_back(place * size + i);
      }
      result.push_back(std::move(places));
    }
  }
  return result;
}

template <std::size_t n>
std::optional<Tensor> eval_adaptive(const Tensor& data, const AdaptiveAttrs<n>& attrs, EvalContext& context) {
  const std::optional<Ints> out = exact_shape(infer_adaptive(exact_type(data), attrs));
  if (!out || !is_affordable(*out) || !is_float(data.dtype)) return std::nullopt;
  const Tensor x = attrs.operand_layout()->to_plain(data);
  Ints shape = x.shape();
  std::vector<Places> windows{{0}};
  std::size_t image_size = 1;
  for (std::size_t i = 2; i < 2 + n; ++i) {
    const std::int64_t size = shape[i];
    if (attrs.output_size) shape[i] = (*attrs.output_size)[i - 2];
    windows = shared_out(windows, size, shape[i]);
    image_size *= static_cast<std::size_t>(size);
  }
  Tensor::Floats result = float_array(shape);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Places& window = windows[i % windows.size()];
    const double* image = x.floats().data() + i / windows.size() * image_size;
    double sum = 0;
    for (const std::int64_t place : window) sum += image[place];
    // TVM's sum is of the dtype before it is divided.
    result.data()[i] = round_float(data.dtype, sum, context.rounding) / static_cast<double>(window.size());
  }
  return attrs.result_layout()->from_plain(round_floats(data.dtype, std::move(result), context.rounding));
}

template <std::size_t n>
std::optional<CallDraft> generate_adaptive(Choices& choices, Scope& scope) {
  constexpr int kRank = static_cast<int>(n) + 2;
  const std::optional<Drawn> data = draw_operand(choices, scope, kFloatDTypes, kRank, kRank);
  if (!data || element_count(data->dims) == 0) return std::nullopt;
  AdaptiveAttrs<n> attrs;
  if (choices.one_in(3)) attrs.layout = choices.pick(kOtherPoolLayouts[n - 1]);
  // Without sizes TVM does not compile the pool over one axis (its Python function iterates over an integer).
  if (n == 1 || !choices.one_in(4)) {
    Ints sizes(n, choices.integer(1, 3));
    for (std::int64_t& size : sizes) size = choices.one_in(3) ? choices.integer(1, 3) : size;
    attrs.output_size = std::move(sizes);
  }
  attrs.complete();
  const auto out = exact_shape(infer_adaptive(exact_type(data->value.tensor()), attrs));
  if (!out || element_count(*out) > kMaxResult) return std::nullopt;
  return CallDraft({data->expr}, attrs);
}

template <std::size_t n>
OpDef adaptive_row(std::string_view name) {
  // A sum and a division in the operand's dtype: half an ulp of the running sum for each element.
  return op<infer_adaptive<n>, eval_adaptive<n>, generate_adaptive<n>>(name, {"data"}, {.ulps = 8});
}

}  // namespace

std::vector<OpDef> adaptive_pool_rows() {
  return {adaptive_row<1>("relax.nn.adaptive_avg_pool1d"), adaptive_row<2>("relax.nn.adaptive_avg_pool2d"),
          adaptive_row<3>("relax.nn.adaptive_avg_pool3d")};
}

}  // namespace passdiff
