// Strided walks over tensors: what the ops that only move data are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/ir/type.h"
#include "core/result.h"
#include "core/tensor/tensor.h"
#include "core/tensor/value.h"

namespace passdiff {

// One axis of a walk: how many steps, and how far each goes in the source (0: repeat, negative: backwards).
struct WalkAxis {
  std::int64_t size;
  std::int64_t stride;
};

// The place to which index(k) steps along each axis k lead.
template <class Index>
std::int64_t place_at(std::span<const WalkAxis> axes, Index index) {
  std::int64_t place = 0;
  for (std::size_t k = 0; k < axes.size(); ++k) place += index(k) * axes[k].stride;
  return place;
}

// Calls visit(place) for the first `steps` places of the walk, outermost axis first.
template <class Visit>
void walk(std::span<const WalkAxis> axes, std::int64_t steps, Visit visit) {
  std::vector<std::int64_t> counter(axes.size(), 0);
  std::int64_t place = 0;
  for (std::int64_t n = 0; n < steps; ++n) {
    visit(place);
    for (std::size_t i = axes.size(); i-- > 0;) {
      place += axes[i].stride;
      if (++counter[i] < axes[i].size) break;
      place -= axes[i].stride * axes[i].size;
      counter[i] = 0;
    }
  }
}

// The elements that the walk meets from element `offset` of the source on, as a tensor whose sizes are those of the walk.
Tensor copy_strided(const Tensor& source, std::int64_t offset, std::span<const WalkAxis> axes);
// A tensor of `shape` whose element i, at `index` along each axis, comes from a place of the source: place(i, index) is an
// offset into the source's elements; -1 stands for `nowhere`, which is 0 in a tensor of integers.
template <class Place>
Tensor from_places(const Tensor& source, std::span<const std::int64_t> shape, double nowhere, Place place) {
  Tensor target = zeros(source.dtype, shape);
  std::visit(
      [&](const auto& from) {
        auto& to = std::get<std::decay_t<decltype(from)>>(target.values);
        using Element = std::decay_t<decltype(*to.data())>;
        std::vector<std::int64_t> index(shape.size(), 0);
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(to.size()); ++i) {
          const std::int64_t at = place(i, std::span<const std::int64_t>(index));
          for (std::size_t axis = index.size(); axis-- > 0 && ++index[axis] == shape[axis];) index[axis] = 0;
          if (at >= 0) {
            to.data()[i] = from.data()[at];
          } else if constexpr (std::is_floating_point_v<Element>) {
            to.data()[i] = nowhere;
          }
        }
      },
      source.values);
  return target;
}
// The same elements in another shape; CHECKs that there are as many.
Tensor with_shape(const Tensor& source, std::span<const std::int64_t> shape);
// The walk that visits a row-major tensor in order: the start of most others.
std::vector<WalkAxis> row_major(std::span<const std::int64_t> shape);

// A shape around one of its axes: outer * size * inner elements.
struct AxisSplit {
  std::int64_t outer;
  std::int64_t size;
  std::int64_t inner;
};
AxisSplit split_at(std::span<const std::int64_t> shape, int axis);
// Calls body(first element) for each line along the axis; elements of a line lie `inner` apart.
template <class Body>
void for_each_line(const AxisSplit& split, Body body) {
  for (std::int64_t outer = 0; outer < split.outer; ++outer) {
    for (std::int64_t inner = 0; inner < split.inner; ++inner) body(outer * split.size * split.inner + inner);
  }
}

// The type of a tensor value, with every size known. What inference says of operands of such types is the shape that the
// result of evaluation has: exact_shape(infer_tile(exact_type(x), attrs)).
TensorType exact_type(const Tensor& value);
// The sizes in an inferred type; nothing if inference failed, or if a size has no int64.
std::optional<std::vector<std::int64_t>> exact_shape(const Result<TensorType>& inferred);

// True if no dim is negative and the product of all is at most 2^24, or what an AffordableElements allows: results beyond are not even
// tried. Types that declare more end a run before (Limits::elements); this is for sizes that are known only when an op runs.
bool is_affordable(std::span<const std::int64_t> shape);
// While it lives, ops that run on this thread may make tensors of so many elements, if that is more than 2^24: for models whose own
// types declare as much.
class AffordableElements {
 public:
  explicit AffordableElements(std::int64_t most);
  ~AffordableElements();
  AffordableElements(const AffordableElements&) = delete;
  AffordableElements& operator=(const AffordableElements&) = delete;

 private:
  std::int64_t before_;
};

// The axis in [0, rank), or -1. Inference has checked it already wherever the rank was known.
int runtime_axis(std::int64_t axis, std::size_t rank);

}  // namespace passdiff
