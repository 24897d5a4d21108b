// Shared by idioms: drawing operands, reading shapes, calls that several of them make.
#pragma once

#include "core/gen/graph_builder.h"
#include "core/ops/literal.h"

namespace passdiff {

inline const Shape& result_shape(const ExprPtr& tensor) {
  return *tensor->type.as_tensor()->shape;
}
inline DType result_dtype(const ExprPtr& tensor) {
  return *tensor->type.as_tensor()->dtype;
}

// The shape with the sizes that its symbolic dims have in this test case.
inline Shape static_shape(const GraphBuilder& graph, const Shape& shape) {
  const std::vector<std::int64_t> sizes = graph.sizes(shape);
  return Shape(sizes.begin(), sizes.end());
}

// A symbolic dim of this size in this test case, for a match_cast that is to define it.
inline Dim new_symbol(GraphBuilder& graph, std::int64_t size) {
  std::vector<Symbol>& symbols = graph.function().symbols;
  symbols.push_back({make_sym_var("k" + std::to_string(symbols.size())), size, Dim(size), false});
  return symbols.back().var;
}

// An existing or a new tensor with a static shape and a rank within these bounds; null if there is none.
inline ExprPtr draw_static(Choices& choices, GraphBuilder& graph, int min_rank, int max_rank) {
  ExprPtr tensor = graph.any_tensor(choices, min_rank, max_rank);
  return tensor != nullptr && is_static(result_shape(tensor)) ? tensor : nullptr;
}

// The axis, or the negative number that means the same axis.
inline std::int64_t either_sign(Choices& choices, std::size_t axis, std::size_t rank) {
  const auto plain = static_cast<std::int64_t>(axis);
  return choices.one_in(3) ? plain - static_cast<std::int64_t>(rank) : plain;
}

// The epsilon of a normalisation; large ones show where it stands in a formula, or is left out.
inline double draw_norm_epsilon(Choices& choices) {
  constexpr double kEpsilons[] = {1e-5, 0.5, 1e-3, 1, 1e-6};
  return choices.pick(kEpsilons);
}

// A random permutation; the identity is the first choice.
inline std::vector<std::int64_t> draw_permutation(Choices& choices, std::size_t rank) {
  std::vector<std::int64_t> axes;
  for (std::size_t i = 0; i < rank; ++i) axes.push_back(static_cast<std::int64_t>(i));
  for (std::size_t i = rank; i > 1; --i) std::swap(axes[i - 1], axes[i - 1 - choices.index(i)]);
  return axes;
}

inline ExprPtr reshape(GraphBuilder& graph, const ExprPtr& value, Shape shape) {
  if (value == nullptr) return nullptr;
  const Shape& from = result_shape(value);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    // R.reshape reads a 0 as the size of the operand's axis in that place.
    const bool zero = shape[i].is_static() && shape[i].value() == 0;
    if (zero && (i >= from.size() || !from[i].is_static() || from[i].value() != 0)) return nullptr;
  }
  return graph.call("relax.reshape", {value, make_shape(std::move(shape))});
}

// The out_dtype of a matmul: mostly left out.
inline AttrValue matmul_out_dtype(Choices& choices, DType dtype) {
  if (!choices.one_in(5)) return {};
  if (choices.flip()) return dtype;
  return dtype == DType::float32 ? DType::float64 : is_float(dtype) ? DType::float32 : DType::int32;
}

inline ExprPtr matmul(GraphBuilder& graph, const ExprPtr& lhs, const ExprPtr& rhs, AttrValue out_dtype = {}) {
  return graph.call("relax.matmul", {lhs, rhs}, {{"out_dtype", std::move(out_dtype)}});
}

// A call of strided_slice along one axis.
inline ExprPtr slice(GraphBuilder& graph, const ExprPtr& value, std::int64_t axis, std::int64_t begin,
                     std::int64_t end, std::int64_t stride = 1) {
  const auto one = [&graph](std::int64_t number) { return graph.pack({make_prim(number)}); };
  return graph.call("relax.strided_slice", {value, one(axis), one(begin), one(end), one(stride)});
}

}  // namespace passdiff
