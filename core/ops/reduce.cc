#include "core/ops/reduce.h"

#include <algorithm>

#include "core/ops/infer.h"

namespace passdiff {
namespace {

// Nothing if an axis does not exist.
std::optional<std::vector<bool>> reduced_axes(std::size_t rank, const std::optional<Ints>& axes) {
  std::vector<bool> reduced(rank, !axes);
  for (const std::int64_t given : axes.value_or(Ints())) {
    const int axis = runtime_axis(given, rank);
    if (axis < 0) return std::nullopt;
    reduced[static_cast<std::size_t>(axis)] = true;
  }
  return reduced;
}

}  // namespace

Result<TensorType> infer_reduction(const TensorType& x, const std::optional<Ints>& axes, bool keepdims,
                                   std::optional<DType> dtype) {
  if (x.rank == kUnknownRank) {
    if (axes || keepdims) return make_tensor_type(std::nullopt, kUnknownRank, dtype, x.vdevice);
    return make_tensor_type(Shape(), 0, dtype, x.vdevice);
  }
  std::vector<bool> reduced(static_cast<std::size_t>(x.rank), !axes);
  if (axes) {
    for (const int axis : TRY(normalise_axes(*axes, x.rank))) reduced[static_cast<std::size_t>(axis)] = true;
  }
  const auto gone = static_cast<int>(std::count(reduced.begin(), reduced.end(), true));
  const int rank = keepdims ? x.rank : x.rank - gone;
  if (!x.shape && (!axes ? rank > 0 && !keepdims : rank > 0)) {
    return make_tensor_type(std::nullopt, rank, dtype, x.vdevice);
  }
  Shape shape;
  for (std::size_t i = 0; i < reduced.size(); ++i) {
    if (!reduced[i]) {
      shape.push_back((*x.shape)[i]);
    } else if (keepdims) {
      shape.push_back(1);
    }
  }
  return make_tensor_type(std::move(shape), rank, dtype, x.vdevice);
}

Result<TensorType> infer_fold(const TensorType& x, const FoldAttrs& attrs) {
  return infer_reduction(x, attrs.axis, attrs.keepdims, x.dtype);
}

std::optional<Reduction> reduction_of(std::span<const std::int64_t> dims, const std::optional<Ints>& axes,
                                      bool keepdims) {
  const std::optional<std::vector<bool>> reduced = reduced_axes(dims.size(), axes);
  if (!reduced) return std::nullopt;
  Reduction reduction;
  reduction.outer.resize(dims.size());
  std::int64_t stride = 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    reduction.outer[i] = {dims[i], (*reduced)[i] ? 0 : stride};
    ((*reduced)[i] ? reduction.count : stride) *= dims[i];
  }
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (!(*reduced)[i] || keepdims) reduction.shape.push_back((*reduced)[i] ? 1 : dims[i]);
  }
  reduction.results = static_cast<std::size_t>(element_count(reduction.shape));
  if (dims.empty()) return reduction;
  reduction.row = reduction.outer.back();
  reduction.outer.pop_back();
  reduction.rows = element_count(dims.first(dims.size() - 1));
  return reduction;
}

std::vector<std::size_t> Reduction::slots() const {
  std::vector<std::size_t> slots;
  slots.reserve(static_cast<std::size_t>(rows * row.size));
  walk(outer, rows, [&](std::int64_t first) {
    for (std::int64_t i = 0; i < row.size; ++i)
      slots.push_back(static_cast<std::size_t>(first + i * row.stride));
  });
  return slots;
}

void report_empty(std::string_view op, EvalContext& context) {
  context.log.report(UndefinedRule::uninitialised_read, std::string(op) + " over no elements");
}

std::optional<Ints> draw_axes(Choices& choices, int rank) {
  if (rank == 0 || choices.one_in(3)) return std::nullopt;
  const int count = choices.one_in(3) ? static_cast<int>(choices.integer(0, rank)) : 1;
  Ints axes;
  for (const int axis : draw_distinct(choices, count, rank)) axes.push_back(draw_sign(choices, axis, rank));
  return axes;
}

std::int64_t reduced_count(const Drawn& operand, const std::optional<Ints>& axes) {
  return reduction_of(operand.dims, axes, false).value().count;
}

}  // namespace passdiff
