#include "core/ops/strided.h"

#include <algorithm>

#include "core/ops/infer.h"

namespace passdiff {
namespace {

template <class T>
void walk(const T* source, T* target, std::span<const WalkAxis> axes) {
  if (axes.empty()) {
    *target = *source;
    return;
  }
  const WalkAxis inner = axes.back();
  const std::size_t outer_rank = axes.size() - 1;
  std::vector<std::int64_t> counter(outer_rank, 0);
  std::int64_t position = 0;
  while (true) {
    for (std::int64_t i = 0; i < inner.size; ++i) *target++ = source[position + i * inner.stride];
    std::size_t axis = outer_rank;
    for (; axis > 0; --axis) {
      const WalkAxis& step = axes[axis - 1];
      position += step.stride;
      if (++counter[axis - 1] < step.size) break;
      position -= step.size * step.stride;
      counter[axis - 1] = 0;
    }
    if (axis == 0) return;
  }
}

}  // namespace

Tensor copy_strided(const Tensor& source, std::span<const std::int64_t> shape, std::int64_t offset,
                    std::span<const WalkAxis> axes) {
  Tensor target = zeros(source.dtype, shape);
  if (target.size() == 0) return target;
  std::visit(
      [&](const auto& from) {
        auto& to = std::get<std::decay_t<decltype(from)>>(target.values);
        walk(from.data() + offset, to.data(), axes);
      },
      source.values);
  return target;
}

Tensor with_shape(const Tensor& source, std::span<const std::int64_t> shape) {
  CHECK(static_cast<std::int64_t>(source.size()) == element_count(shape)) << source.size() << " elements";
  Tensor target = zeros(source.dtype, shape);
  std::visit(
      [&](const auto& from) {
        auto& to = std::get<std::decay_t<decltype(from)>>(target.values);
        std::copy_n(from.data(), from.size(), to.data());
      },
      source.values);
  return target;
}

std::vector<WalkAxis> row_major(std::span<const std::int64_t> shape) {
  std::vector<WalkAxis> axes(shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    axes[i] = {shape[i], stride};
    stride *= shape[i];
  }
  return axes;
}

AxisSplit split_at(std::span<const std::int64_t> shape, int axis) {
  const auto at = static_cast<std::size_t>(axis);
  return {element_count(shape.first(at)), shape[at], element_count(shape.subspan(at + 1))};
}

bool is_affordable(std::span<const std::int64_t> shape) {
  constexpr std::int64_t kMax = std::int64_t{1} << 24;
  std::int64_t total = 1;
  for (const std::int64_t size : shape) {
    if (size < 0 || size > kMax) return false;
    // Sizes of 0 are left out: their neighbours must be affordable all the same.
    total *= std::max<std::int64_t>(size, 1);
    if (total > kMax) return false;
  }
  return true;
}

int runtime_axis(std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) return -1;
  return static_cast<int>(axis < 0 ? axis + signed_rank : axis);
}

Value misfit(EvalContext& context) {
  context.log.report(UndefinedRule::index_out_of_bounds,
                     "operands whose sizes at run time do not fit each other");
  return Value();
}

}  // namespace passdiff
