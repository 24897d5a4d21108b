#include "core/ops/tensor_layout.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "core/ops/infer.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

Error layout_error(std::string_view text, std::string_view plain) {
  return Error{"type.layout", "layout " + std::string(text) + " is no layout of " + std::string(plain)};
}

// size / factor, rounded up. TVM simplifies what to_plain made: n * 4 in groups of 4 is n.
Dim groups_of(const Dim& size, std::int64_t factor) {
  const DimBinary* product = size.is_static() ? nullptr : std::get_if<DimBinary>(&size.node()->node);
  if (product && product->op == DimOp::multiply && proven_equal(product->rhs, factor)) return product->lhs;
  return Dim::binary(DimOp::floor_divide, size + Dim(factor - 1), factor);
}

}  // namespace

Result<TensorLayout> TensorLayout::parse(std::string_view text, std::string_view plain) {
  constexpr std::int64_t kMaxFactor = 1 << 20;
  TensorLayout layout;
  layout.plain_rank_ = plain.size();
  layout.axes_.reserve(text.size());
  if (text == plain) {
    for (std::size_t i = 0; i < plain.size(); ++i) layout.axes_.push_back({i, 0});
    return layout;
  }
  std::vector<int> outer(plain.size(), 0);
  std::vector<std::int64_t> inner(plain.size(), 0);
  std::int64_t factor = 0;
  for (const char letter : text) {
    if (letter >= '0' && letter <= '9') {
      factor = factor * 10 + (letter - '0');
      if (factor > kMaxFactor) return layout_error(text, plain);
      continue;
    }
    const bool is_inner = letter >= 'a' && letter <= 'z';
    const std::size_t at = plain.find(is_inner ? static_cast<char>(std::toupper(letter)) : letter);
    if (at == std::string_view::npos || is_inner != (factor > 0)) return layout_error(text, plain);
    if (is_inner ? inner[at] != 0 : outer[at]++ != 0) return layout_error(text, plain);
    if (is_inner) inner[at] = factor;
    layout.axes_.push_back({at, std::exchange(factor, 0)});
  }
  if (factor != 0 || std::find(outer.begin(), outer.end(), 0) != outer.end())
    return layout_error(text, plain);
  for (Axis& axis : layout.axes_) {
    if (axis.factor == 0) axis.step = std::max<std::int64_t>(inner[axis.plain], 1);
  }
  return layout;
}

bool TensorLayout::is_plain() const {
  if (axes_.size() != plain_rank_) return false;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    if (axes_[i].plain != i) return false;
  }
  return true;
}

std::optional<Error> TensorLayout::check_rank(const TensorType& type) const {
  if (type.rank == kUnknownRank || type.rank == rank()) return std::nullopt;
  return Error{"type.rank",
               "rank " + std::to_string(type.rank) + " in a layout of " + std::to_string(rank())};
}

Result<Shape> TensorLayout::to_plain(const Shape& shape) const {
  Shape plain(plain_rank_);
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const Axis& axis = axes_[i];
    if (axis.factor == 0) {
      plain[axis.plain] = shape[i] * Dim(axis.step);
    } else if (shape[i].is_static() && shape[i].value() != axis.factor) {
      return Error{"type.layout", "axis " + std::to_string(i) + " is of size " + to_string(shape[i]) +
                                      ", not of the layout's " + std::to_string(axis.factor)};
    }
  }
  return plain;
}

Shape TensorLayout::from_plain(const Shape& shape) const {
  Shape result;
  for (const Axis& axis : axes_) {
    result.push_back(axis.factor > 0 ? Dim(axis.factor) : groups_of(shape[axis.plain], axis.step));
  }
  return result;
}

Tensor TensorLayout::to_plain(const Tensor& tensor) const {
  if (is_plain()) return tensor;
  const std::vector<WalkAxis> given = row_major(tensor.shape());
  std::vector<WalkAxis> walk;
  std::vector<std::int64_t> shape;
  for (std::size_t plain = 0; plain < plain_rank_; ++plain) {
    shape.push_back(1);
    for (const bool inner : {false, true}) {
      for (std::size_t i = 0; i < axes_.size(); ++i) {
        if (axes_[i].plain != plain || (axes_[i].factor > 0) != inner) continue;
        walk.push_back(given[i]);
        shape.back() *= given[i].size;
      }
    }
  }
  Tensor result = copy_strided(tensor, 0, walk);
  return walk.size() == shape.size() ? std::move(result) : with_shape(result, shape);
}

std::optional<Tensor> TensorLayout::from_plain(const Tensor& tensor) const {
  if (is_plain()) return tensor;
  const std::vector<WalkAxis> given = row_major(tensor.shape());
  std::vector<WalkAxis> walk;
  for (const Axis& axis : axes_) {
    const auto [size, stride] = given[axis.plain];
    if (size % axis.step != 0) return std::nullopt;
    walk.push_back(axis.factor > 0 ? WalkAxis{axis.factor, stride}
                                   : WalkAxis{size / axis.step, stride * axis.step});
  }
  return copy_strided(tensor, 0, walk);
}

}  // namespace passdiff
