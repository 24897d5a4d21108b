// The layout of a tensor in TVM's notation: a letter for each axis ("NHWC"). Where an axis is split, its lower-case letter behind
// a factor stands for the inner part ("NCHW4c"). Each op has a plain layout ("NCHW"), in which its inference and evaluation think.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/ir/type.h"
#include "core/result.h"
#include "core/tensor/tensor.h"

namespace passdiff {

class TensorLayout {
 public:
  // Fails with type.layout if `text` is no layout, or if its axes are not those of `plain`, none of which is split.
  static Result<TensorLayout> parse(std::string_view text, std::string_view plain);

  int rank() const { return static_cast<int>(axes_.size()); }
  // Fails with type.rank if the type is of a known rank, and that is another one.
  std::optional<Error> check_rank(const TensorType& type) const;
  // The sizes along the plain axes of a tensor with these sizes in this layout. Fails with type.layout if the inner part of an
  // axis has another size than its factor.
  Result<Shape> to_plain(const Shape& shape) const;
  // The sizes in this layout of a tensor with these sizes along the plain axes; an outer part is rounded up.
  Shape from_plain(const Shape& shape) const;
  // The tensor with its axes in plain order, from one in this layout of the right rank.
  Tensor to_plain(const Tensor& tensor) const;
  // The inverse; nothing if a split axis is no multiple of its factor.
  std::optional<Tensor> from_plain(const Tensor& tensor) const;

 private:
  // Is it the plain layout itself?
  bool is_plain() const;

  struct Axis {
    std::size_t plain;      // the place of its letter in the plain layout
    std::int64_t factor;    // of an inner part; else 0
    std::int64_t step = 1;  // of an outer part: how far a step leads along the plain axis
  };
  std::size_t plain_rank_ = 0;
  std::vector<Axis> axes_;
};

}  // namespace passdiff
