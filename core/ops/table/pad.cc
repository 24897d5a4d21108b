// nn.pad, nn.pixel_shuffle, nn.batch_flatten. Inference follows src/relax/op/nn/nn.cc, where the first two forget the vdevice.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

enum class PadMode : std::uint8_t { constant, reflect, replicate, circular };
constexpr std::array<std::string_view, 4> words_of(PadMode) {
  return {"constant", "reflect", "replicate", "circular"};
}
struct PadAttrs {
  Ints pad_width;  // before and after each axis
  PadMode pad_mode = PadMode::constant;
  double pad_value = 0;
  static constexpr auto fields() {
    return std::tuple(required("pad_width", &PadAttrs::pad_width), field("pad_mode", &PadAttrs::pad_mode),
                      field("pad_value", &PadAttrs::pad_value));
  }
};

Result<TensorType> infer_pad(const TensorType& data, const PadAttrs& attrs) {
  if (data.rank == kUnknownRank || attrs.pad_width.size() != 2 * static_cast<std::size_t>(data.rank)) {
    return Error{"type.pad", "nn.pad: " + std::to_string(attrs.pad_width.size()) + " widths for rank " +
                                 std::to_string(data.rank)};
  }
  if (!data.shape) return make_tensor_type(std::nullopt, data.rank, data.dtype, std::nullopt);
  Shape shape = *data.shape;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    shape[i] = shape[i] + Dim(attrs.pad_width[2 * i] + attrs.pad_width[2 * i + 1]);
    if (shape[i].is_static() && shape[i].value() < 0)
      return Error{"type.pad", "nn.pad: crops more than there is"};
  }
  return make_tensor_type(std::move(shape), kUnknownRank, data.dtype, std::nullopt);
}

// The place along an axis of `size` that a place of the result shows, counted from the first; outside [0, size): none.
std::int64_t shown_place(std::int64_t at, std::int64_t size, PadMode mode) {
  switch (mode) {
    case PadMode::constant:
      return at;
    case PadMode::reflect:
      return size - 1 - std::abs(size - 1 - std::abs(at));
    case PadMode::replicate:
      return std::clamp<std::int64_t>(at, 0, size - 1);
    case PadMode::circular:
      return (at + size) % size;
  }
  return -1;
}

// The number as TVM casts it.
template <class T>
void fill_with(xt::xarray<T>& values, DType dtype, double number, Rounding& rounding) {
  T element;
  if constexpr (std::is_floating_point_v<T>)
    element = round_float(dtype, number, rounding);
  else
    element = static_cast<T>(wrap_int(dtype, static_cast<std::uint64_t>(static_cast<std::int64_t>(number))));
  std::fill(values.data(), values.data() + values.size(), element);
}

std::optional<Tensor> eval_pad(const Tensor& data, const PadAttrs& attrs, EvalContext& context) {
  const std::optional<Ints> shape = exact_shape(infer_pad(exact_type(data), attrs));
  if (!shape || !is_affordable(*shape)) return std::nullopt;
  const Ints sizes = data.shape();
  const std::vector<WalkAxis> walk = row_major(sizes);
  Tensor result = zeros(data.dtype, *shape);
  bool outside = false;
  std::visit(
      [&]<class T>(xt::xarray<T>& to) {
        fill_with(to, data.dtype, attrs.pad_value, context.rounding);
        const T* from = std::get<xt::xarray<T>>(data.values).data();
        Ints index(sizes.size(), 0);
        for (std::size_t i = 0; i < to.size(); ++i) {
          bool inside = true;
          const std::int64_t place = place_at(walk, [&](std::size_t axis) {
            const std::int64_t at = index[axis] - attrs.pad_width[2 * axis];
            const std::int64_t shown = sizes[axis] > 0 ? shown_place(at, sizes[axis], attrs.pad_mode) : -1;
            inside = inside && shown >= 0 && shown < sizes[axis];
            return shown;
          });
          if (inside) to.data()[i] = from[place];
          outside = outside || !inside;
          for (std::size_t axis = index.size(); axis-- > 0 && ++index[axis] == (*shape)[axis];)
            index[axis] = 0;
        }
      },
      result.values);
  // What is more than a reflection away, or shows an axis without elements, is read out of bounds by TVM.
  if (outside && attrs.pad_mode != PadMode::constant) {
    context.log.report(UndefinedRule::index_out_of_bounds, "nn.pad beyond what the operand can fill");
  }
  return result;
}

std::optional<CallDraft> generate_pad(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, kMaxDrawnRank);
  if (!data || element_count(data->dims) == 0) return std::nullopt;
  PadAttrs attrs;
  constexpr PadMode kModes[] = {PadMode::constant, PadMode::reflect, PadMode::replicate, PadMode::circular};
  attrs.pad_mode = choices.pick(kModes);
  const bool too_far = attrs.pad_mode == PadMode::reflect && scope.allow_undefined(choices);
  std::int64_t count = 1;
  for (int axis = 0; axis < data->rank(); ++axis) {
    const std::int64_t size = data->size(axis);
    // Of a symbolic axis only the size in this test case is known.
    const std::int64_t most = attrs.pad_mode == PadMode::reflect ? std::min<std::int64_t>(size - 1, 2)
                                                                 : std::min<std::int64_t>(size, 2);
    for (int side = 0; side < 2; ++side) {
      const bool padded = choices.one_in(2) && count * (size + 4) <= kMaxResult;
      attrs.pad_width.push_back(padded ? choices.integer(0, attrs.pad_mode == PadMode::constant ? 3 : most)
                                       : 0);
    }
    count *= size + 4;
  }
  if (too_far) attrs.pad_width[0] = 2 * data->size(0) + 1;
  if (attrs.pad_mode == PadMode::constant && choices.flip()) {
    constexpr double kValues[] = {1, 2, 0.5, -1.5, 100};
    const double value = choices.pick(kValues);
    attrs.pad_value = is_float(data->dtype())           ? value
                      : data->dtype() == DType::boolean ? 1.0
                                                        : std::floor(std::abs(value));
  }
  return CallDraft({data->expr}, attrs);
}

struct PixelShuffleAttrs {
  std::int64_t upscale_factor = 1;
  static constexpr auto fields() {
    return std::tuple(required("upscale_factor", &PixelShuffleAttrs::upscale_factor));
  }
};

Result<TensorType> infer_pixel_shuffle(const TensorType& data, const PixelShuffleAttrs& attrs) {
  const std::int64_t r = attrs.upscale_factor;
  if (r < 1 || r > 1 << 15 || data.rank < 3)
    return Error{"type.pixel-shuffle",
                 "nn.pixel_shuffle: of rank " + std::to_string(data.rank) + " by " + std::to_string(r)};
  if (!data.shape) return make_tensor_type(std::nullopt, data.rank, data.dtype, std::nullopt);
  Shape shape = *data.shape;
  Dim& channels = shape[shape.size() - 3];
  // TVM reads the number of channels without asking whether it is known.
  if (!channels.is_static() || channels.value() % (r * r) != 0)
    return Error{"type.pixel-shuffle", "nn.pixel_shuffle: " + to_string(channels) + " channels"};
  channels = channels.value() / (r * r);
  for (std::size_t i = shape.size() - 2; i < shape.size(); ++i) shape[i] = shape[i] * Dim(r);
  return make_tensor_type(std::move(shape), kUnknownRank, data.dtype, std::nullopt);
}

// TVM 0.27 compiles no call of it: its kernels lack the function. [..., C * r * r, H, W] is taken as [..., C, r, r, H, W], and that as [..., C, H, r, W, r].
std::optional<Tensor> eval_pixel_shuffle(const Tensor& data, const PixelShuffleAttrs& attrs) {
  const std::optional<Ints> shape = exact_shape(infer_pixel_shuffle(exact_type(data), attrs));
  if (!shape || !is_affordable(*shape)) return std::nullopt;
  const std::int64_t r = attrs.upscale_factor;
  std::vector<WalkAxis> walk = row_major(data.shape());
  const WalkAxis width = walk.back(), height = walk[walk.size() - 2], channels = walk[walk.size() - 3];
  walk.resize(walk.size() - 3);
  walk.insert(walk.end(), {{channels.size / (r * r), channels.stride * r * r},
                           height,
                           {r, channels.stride * r},
                           width,
                           {r, channels.stride}});
  return with_shape(copy_strided(data, 0, walk), *shape);
}

Result<Type> infer_batch_flatten(const AnyTensor& any) {
  const TensorType& data = any.tensor;
  if (data.rank != kUnknownRank && data.rank < 2)
    return Error{"type.rank", "nn.batch_flatten: of rank " + std::to_string(data.rank)};
  if (data.rank == 2) return any.type;
  if (!data.shape) return Type(of_unknown_shape(data, 2));
  Dim flat = 1;
  for (std::size_t i = 1; i < data.shape->size(); ++i) flat = flat * (*data.shape)[i];
  return Type(of_shape(data, {data.shape->front(), flat}));
}

std::optional<Tensor> eval_batch_flatten(const Tensor& data) {
  const Ints shape = data.shape();
  if (shape.size() < 2) return std::nullopt;
  return with_shape(data, Ints{shape[0], element_count(std::span(shape).subspan(1))});
}

std::optional<CallDraft> generate_batch_flatten(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 2, kMaxDrawnRank);
  if (!data) return std::nullopt;
  return CallDraft({data->expr});
}

}  // namespace

std::vector<OpDef> pad_rows() {
  return {
      op<infer_pad, eval_pad, generate_pad>("relax.nn.pad", {"data"}, {.undefined = kOutOfBounds}),
      op<infer_pixel_shuffle, eval_pixel_shuffle>("relax.nn.pixel_shuffle", {"data"}),
      op<infer_batch_flatten, eval_batch_flatten, generate_batch_flatten>("relax.nn.batch_flatten", {"data"}),
  };
}

}  // namespace passdiff
