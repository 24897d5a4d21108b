// Strided walks over tensors: what the ops that only move data are made of.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/tensor/value.h"

namespace passdiff {

// One axis of a walk: how many steps, and how far each goes in the source (0: repeat, negative: backwards).
struct WalkAxis {
  std::int64_t size;
  std::int64_t stride;
};

// The elements that the walk meets, outermost axis first, as a tensor of `shape` (which has as many
// elements).
Tensor copy_strided(const Tensor& source, std::span<const std::int64_t> shape, std::int64_t offset,
                    std::span<const WalkAxis> axes);
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

// True if no dim is negative and the product of all is at most 2^24: results beyond are not even tried (the
// interpreter's own cap is lower and has its own outcome).
bool is_affordable(std::span<const std::int64_t> shape);

// The axis in [0, rank), or -1. Inference has checked it already wherever the rank was known.
int runtime_axis(std::int64_t axis, std::size_t rank);

// What evaluation returns where types left open whether the operands fit and at run time they do not
// (symbolic sizes, unknown ranks and dtypes): TVM's kernels then read out of bounds, and so it is reported.
// Rows do not list it.
Value misfit(EvalContext& context);

}  // namespace passdiff
