// permute_dims, expand_dims, squeeze, flip: the same elements along other axes.
#include <algorithm>
#include <numeric>

#include "core/ops/draw.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct PermuteDimsAttrs {
  std::optional<Ints> axes;
  static constexpr auto fields() { return std::tuple(field("axes", &PermuteDimsAttrs::axes)); }
};

// For each axis of the result the axis of the operand that it is: as given, or all in reverse.
Result<std::vector<int>> permutation(const PermuteDimsAttrs& attrs, int rank) {
  Ints reversed(static_cast<std::size_t>(rank));
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  const Ints axes = attrs.axes.value_or(reversed);
  if (std::ssize(axes) != rank) {
    return Error{"type.rank",
                 "permute_dims: " + std::to_string(axes.size()) + " axes for rank " + std::to_string(rank)};
  }
  return normalise_axes(axes, rank);
}

// What belongs to these axes, in their order.
template <class T>
std::vector<T> picked(const std::vector<T>& by_axis, const std::vector<int>& axes) {
  std::vector<T> result;
  for (const int axis : axes) result.push_back(by_axis[static_cast<std::size_t>(axis)]);
  return result;
}

Result<TensorType> infer_permute_dims(const TensorType& x, const PermuteDimsAttrs& attrs) {
  if (x.rank == kUnknownRank) {
    if (!attrs.axes) return of_unknown_shape(x);
    return Error{"type.rank", "permute_dims: axes are given, but the rank is unknown"};
  }
  const std::vector<int> axes = TRY(permutation(attrs, x.rank));
  return x.shape ? of_shape(x, picked(*x.shape, axes)) : of_unknown_shape(x, x.rank);
}

std::optional<Tensor> eval_permute_dims(const Tensor& x, const PermuteDimsAttrs& attrs) {
  const Result<std::vector<int>> axes = permutation(attrs, static_cast<int>(x.rank()));
  if (!axes) return std::nullopt;
  return copy_strided(x, 0, picked(row_major(x.shape()), *axes));
}

std::optional<CallDraft> generate_permute_dims(Choices& choices, Scope& scope) {
  const int min_rank = choices.one_in(8) ? 0 : 2;
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, min_rank, 5, Known::rank);
  if (!data) return std::nullopt;
  if (choices.one_in(3)) return CallDraft({data->expr}, PermuteDimsAttrs());
  Ints axes(data->dims.size());
  std::iota(axes.begin(), axes.end(), 0);
  if (data->rank() >= 2 && choices.flip()) {  // the transposition that passes look for
    std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
  } else {
    const std::vector<int> order = draw_distinct(choices, data->rank(), data->rank());
    for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = draw_sign(choices, order[i], data->rank());
  }
  return CallDraft({data->expr}, PermuteDimsAttrs{axes});
}

struct ExpandDimsAttrs {
  Ints axis;
  static constexpr auto fields() { return std::tuple(required("axis", &ExpandDimsAttrs::axis)); }
};

Result<TensorType> infer_expand_dims(const TensorType& x, const ExpandDimsAttrs& attrs) {
  if (x.rank == kUnknownRank) return of_unknown_shape(x);
  const int rank = x.rank + static_cast<int>(attrs.axis.size());
  std::vector<int> axes = TRY(normalise_axes(attrs.axis, rank));
  if (!x.shape) return of_unknown_shape(x, rank);
  Shape shape = *x.shape;
  // The axes count in the result: inserted in rising order, each comes to stand where it belongs.
  std::sort(axes.begin(), axes.end());
  for (const int axis : axes) shape.insert(shape.begin() + axis, Dim(1));
  return of_shape(x, std::move(shape));
}

std::optional<Tensor> eval_expand_dims(const Tensor& x, const ExpandDimsAttrs& attrs) {
  const std::optional<Ints> shape = exact_shape(infer_expand_dims(exact_type(x), attrs));
  if (!shape) return std::nullopt;
  return with_shape(x, *shape);
}

std::optional<CallDraft> generate_expand_dims(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data =
      draw_operand(choices, scope, kAllDTypes, 0, kMaxDrawnRank - 1, Known::rank);
  if (!data) return std::nullopt;
  const int count = data->rank() < kMaxDrawnRank - 1 && choices.one_in(3) ? 2 : 1;
  const int rank = data->rank() + count;
  ExpandDimsAttrs attrs;
  for (const int axis : draw_distinct(choices, count, rank))
    attrs.axis.push_back(draw_sign(choices, axis, rank));
  return CallDraft({data->expr}, attrs);
}

struct SqueezeAttrs {
  std::optional<Ints> axis;
  static constexpr auto fields() { return std::tuple(field("axis", &SqueezeAttrs::axis)); }
};

// The sizes that stay, of Dims or of integers. An axis that is given goes if its size is 1 or symbolic; one of another size
// stays, as in PyTorch (manipulate.cc).
template <class Size>
std::vector<Size> squeezed(const std::vector<Size>& sizes, const SqueezeAttrs& attrs) {
  const Ints given = attrs.axis.value_or(Ints());
  const auto is_given = [&](std::int64_t axis) {
    return std::find(given.begin(), given.end(), axis) != given.end();
  };
  const std::int64_t rank = std::ssize(sizes);
  std::vector<Size> kept;
  for (std::int64_t i = 0; i < rank; ++i) {
    const Size& size = sizes[static_cast<std::size_t>(i)];
    const Dim dim(size);
    const bool asked = !attrs.axis || is_given(i) || is_given(i - rank);
    if (!asked || (dim.is_static() && dim.value() != 1)) kept.push_back(size);
  }
  return kept;
}

Result<TensorType> infer_squeeze(const TensorType& x, const SqueezeAttrs& attrs) {
  if (x.rank == kUnknownRank) return of_unknown_shape(x);
  const std::vector<int> given = TRY(normalise_axes(attrs.axis.value_or(Ints()), x.rank));
  if (!attrs.axis && !(x.shape && is_static(*x.shape))) return of_unknown_shape(x);
  if (!x.shape) return of_unknown_shape(x, x.rank - static_cast<int>(given.size()));
  return of_shape(x, squeezed(*x.shape, attrs));
}

std::optional<Tensor> eval_squeeze(const Tensor& x, const SqueezeAttrs& attrs, const Type& result) {
  const std::optional<Ints> shape = exact_shape(infer_squeeze(exact_type(x), attrs));
  if (!shape) return std::nullopt;
  // The ranks differ if a symbolic axis is squeezed that is not 1 after all.
  const TensorType* type = result.as_tensor();
  if (type && type->rank != kUnknownRank && type->rank != std::ssize(*shape)) return std::nullopt;
  return with_shape(x, *shape);
}

std::optional<CallDraft> generate_squeeze(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 0, 5);
  if (!data) return std::nullopt;
  if (is_static(*data->type.shape) && choices.one_in(3)) return CallDraft({data->expr}, SqueezeAttrs());
  Ints axes;
  for (int i = 0; i < data->rank(); ++i) {
    const Dim& dim = data->dim(i);
    const bool goes = dim.is_static() && (dim.value() == 1 ? !choices.one_in(4) : choices.one_in(8));
    if (goes) axes.push_back(draw_sign(choices, i, data->rank()));
  }
  return CallDraft({data->expr}, SqueezeAttrs{axes});
}

struct FlipAttrs {
  std::int64_t axis = 0;
  static constexpr auto fields() { return std::tuple(required("axis", &FlipAttrs::axis)); }
};

Result<Type> infer_flip(const AnyTensor& data, const FlipAttrs& attrs) {
  if (data.tensor.rank != kUnknownRank) TRY(normalise_axis(attrs.axis, data.tensor.rank));
  return data.type;
}

std::optional<Tensor> eval_flip(const Tensor& data, const FlipAttrs& attrs) {
  const int axis = runtime_axis(attrs.axis, data.rank());
  if (axis < 0) return std::nullopt;
  std::vector<WalkAxis> walk = row_major(data.shape());
  WalkAxis& flipped = walk[static_cast<std::size_t>(axis)];
  const std::int64_t last = (flipped.size - 1) * flipped.stride;
  flipped.stride = -flipped.stride;
  return copy_strided(data, last, walk);
}

std::optional<CallDraft> generate_flip(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 5, Known::rank);
  if (!data) return std::nullopt;
  return CallDraft({data->expr}, FlipAttrs{draw_axis(choices, data->rank())});
}

}  // namespace

std::vector<OpDef> axes_rows() {
  return {
      op<infer_permute_dims, eval_permute_dims, generate_permute_dims>("relax.permute_dims", {"x"}, {.weight = 3}),
      op<infer_expand_dims, eval_expand_dims, generate_expand_dims>("relax.expand_dims", {"x"}),
      op<infer_squeeze, eval_squeeze, generate_squeeze>("relax.squeeze", {"x"}),
      op<infer_flip, eval_flip, generate_flip>("relax.flip", {"data"}),
  };
}

}  // namespace passdiff
