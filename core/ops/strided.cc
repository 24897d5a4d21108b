#include "core/ops/strided.h"

#include <algorithm>

#include "core/ops/infer.h"

namespace passdiff {

Tensor copy_strided(const Tensor& source, std::int64_t offset, std::span<const WalkAxis> axes) {
  std::vector<std::int64_t> shape;
  for (const WalkAxis& axis : axes) shape.push_back(axis.size);
  Tensor target = zeros(source.dtype, shape);
  std::visit(
      [&](const auto& from) {
        auto* out = std::get<std::decay_t<decltype(from)>>(target.values).data();
        walk(axes, element_count(shape), [&](std::int64_t place) { *out++ = from.data()[offset + place]; });
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

TensorType exact_type(const Tensor& value) {
  const std::vector<std::int64_t> sizes = value.shape();
  return make_tensor_type(Shape(sizes.begin(), sizes.end()), kUnknownRank, value.dtype, std::nullopt);
}

std::optional<std::vector<std::int64_t>> exact_shape(const Result<TensorType>& inferred) {
  if (!inferred || !inferred->shape || !is_static(*inferred->shape)) return std::nullopt;
  std::vector<std::int64_t> sizes;
  for (const Dim& size : *inferred->shape) sizes.push_back(size.value());
  return sizes;
}

namespace {

constexpr std::int64_t kUsuallyAffordable = std::int64_t{1} << 24;
thread_local std::int64_t affordable = kUsuallyAffordable;

}  // namespace

AffordableElements::AffordableElements(std::int64_t most) : before_(affordable) {
  affordable = std::max(kUsuallyAffordable, most);
}
AffordableElements::~AffordableElements() {
  affordable = before_;
}

bool is_affordable(std::span<const std::int64_t> shape) {
  std::int64_t total = 1;
  for (const std::int64_t size : shape) {
    if (size < 0 || size > affordable) return false;
    // Sizes of 0 are left out: their neighbours must be affordable all the same.
    total *= std::max<std::int64_t>(size, 1);
    if (total > affordable) return false;
  }
  return true;
}

int runtime_axis(std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) return -1;
  return static_cast<int>(axis < 0 ? axis + signed_rank : axis);
}

}  // namespace passdiff
