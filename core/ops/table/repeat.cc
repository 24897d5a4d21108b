// tile, repeat: each element several times.
#include <algorithm>

#include "core/ops/draw.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct TileAttrs {
  Ints repeats;
  static constexpr auto fields() { return std::tuple(required("repeats", &TileAttrs::repeats)); }
};

// Operand and repeats are aligned at their last axes; where one has fewer it is taken to have 1.
Result<TensorType> infer_tile(const TensorType& data, const TileAttrs& attrs) {
  const Ints& repeats = attrs.repeats;
  // TVM infers negative sizes here, and cannot allocate them.
  if (std::any_of(repeats.begin(), repeats.end(), [](std::int64_t n) { return n < 0; })) {
    return Error{"type.repeats", "tile: a negative repeat"};
  }
  if (data.rank == kUnknownRank) return of_unknown_shape(data);
  const int rank = std::max(data.rank, static_cast<int>(repeats.size()));
  if (!data.shape) return of_unknown_shape(data, rank);
  Shape shape(static_cast<std::size_t>(rank), Dim(1));
  std::copy(data.shape->rbegin(), data.shape->rend(), shape.rbegin());
  for (std::size_t i = 1; i <= repeats.size(); ++i) {
    Dim& dim = shape[shape.size() - i];
    dim = dim * Dim(repeats[repeats.size() - i]);
  }
  return of_shape(data, std::move(shape));
}

// Along each axis an element comes from its index modulo the operand's size.
std::optional<Tensor> eval_tile(const Tensor& data, const TileAttrs& attrs) {
  const std::optional<Ints> shape = exact_shape(infer_tile(exact_type(data), attrs));
  if (!shape || !is_affordable(*shape)) return std::nullopt;
  const std::vector<WalkAxis> axes = row_major(data.shape());
  return from_places(data, *shape, 0, [&](std::int64_t, std::span<const std::int64_t> index) {
    return place_at(axes, [&, last = index.last(axes.size())](std::size_t k) { return last[k] % axes[k].size; });
  });
}

std::optional<CallDraft> generate_tile(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 0, 4);
  if (!data) return std::nullopt;
  const int rank = data->rank();
  const std::int64_t length = choices.integer(std::max(rank - 1, 0), rank + 1);
  std::int64_t elements = element_count(data->dims);
  TileAttrs attrs;
  for (std::int64_t i = 0; i < length; ++i) {
    std::int64_t times = choices.one_in(32) ? 0 : choices.integer(1, 3);
    if (elements * times > kMaxResult) times = 1;
    elements *= times;
    attrs.repeats.push_back(times);
  }
  return CallDraft({data->expr}, attrs);
}

struct RepeatAttrs {
  std::int64_t repeats = 0;
  std::optional<std::int64_t> axis;
  static constexpr auto fields() {
    return std::tuple(required("repeats", &RepeatAttrs::repeats), field("axis", &RepeatAttrs::axis));
  }
};

Result<TensorType> infer_repeat(const TensorType& data, const RepeatAttrs& attrs) {
  if (attrs.repeats < 0) return Error{"type.repeats", "repeat: a negative repeat"};
  int axis = 0;
  if (attrs.axis && data.rank != kUnknownRank) axis = TRY(normalise_axis(*attrs.axis, data.rank));
  if (!data.shape) return of_unknown_shape(data, attrs.axis ? data.rank : 1);
  if (attrs.axis) {
    Shape shape = *data.shape;
    Dim& dim = shape[static_cast<std::size_t>(axis)];
    dim = dim * Dim(attrs.repeats);
    return of_shape(data, std::move(shape));
  }
  Dim total = attrs.repeats;
  for (const Dim& dim : *data.shape) total = total * dim;
  return of_shape(data, {total});
}

// Without an axis each element stands `repeats` times in a row; with one, each run of elements behind the axis does.
std::optional<Tensor> eval_repeat(const Tensor& data, const RepeatAttrs& attrs) {
  const std::optional<Ints> shape = exact_shape(infer_repeat(exact_type(data), attrs));
  if (!shape || !is_affordable(*shape)) return std::nullopt;
  const std::int64_t run = attrs.axis ? split_at(*shape, runtime_axis(*attrs.axis, shape->size())).inner : 1;
  return from_places(data, *shape, 0, [&](std::int64_t i, std::span<const std::int64_t>) {
    return i / run / attrs.repeats * run + i % run;
  });
}

std::optional<CallDraft> generate_repeat(Choices& choices, Scope& scope) {
  // Rank 0 does not compile in TVM, nor do 0 repeats.
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 4);
  if (!data) return std::nullopt;
  RepeatAttrs attrs{.repeats = choices.integer(1, 3), .axis = {}};
  if (element_count(data->dims) * attrs.repeats > kMaxResult) attrs.repeats = 1;
  if (!choices.one_in(3)) attrs.axis = draw_axis(choices, data->rank());
  return CallDraft({data->expr}, attrs);
}

}  // namespace

std::vector<OpDef> repeat_rows() {
  return {
      op<infer_tile, eval_tile, generate_tile>("relax.tile", {"data"}),
      op<infer_repeat, eval_repeat, generate_repeat>("relax.repeat", {"data"}),
  };
}

}  // namespace passdiff
