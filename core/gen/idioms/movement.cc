// Idioms of data movement, which RemoveRedundantReshape, ReorderPermuteDimsAfterConcat, OptimizeLayoutTransform and
// FoldConstant match.
#include <algorithm>

#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"

namespace passdiff {
namespace {

Shape flattened(const Shape& shape, std::size_t from, std::size_t to) {
  Shape flat(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(from));
  Dim product = 1;
  for (std::size_t i = from; i < to; ++i) product = product * shape[i];
  flat.push_back(product);
  flat.insert(flat.end(), shape.begin() + static_cast<std::ptrdiff_t>(to), shape.end());
  return flat;
}

// concat of several permuted values: by the same axes or different ones, along a negative axis, with extra uses.
void concat_of_permutes(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.dtype(choices);
  const std::size_t rank = 2 + choices.index(2);
  Shape shape;
  const bool square = choices.one_in(3);
  for (std::size_t i = 0; i < rank; ++i)
    shape.push_back(square && i > 0 ? shape[0] : Dim(graph.dim(choices)));
  AttrValue axes;
  if (!choices.one_in(3)) axes = draw_permutation(choices, rank);
  const std::size_t joined = choices.index(rank);  // axis of the operands in which sizes may differ
  std::vector<ExprPtr> permuted;
  const std::size_t count = 2 + choices.index(2);
  for (std::size_t i = 0; i < count; ++i) {
    Shape own = shape;
    if (!square) own[joined] = graph.dim(choices);
    const ExprPtr operand = graph.fresh(choices, choices.flip() ? Origin::weight : Origin::input, dtype, own);
    if (choices.one_in(8)) axes = draw_permutation(choices, rank);
    permuted.push_back(graph.call("relax.permute_dims", {operand}, {{"axes", axes}}));
  }
  std::size_t axis = rank - 1 - joined;
  if (const auto* order = std::get_if<std::vector<std::int64_t>>(&axes)) {
    axis = static_cast<std::size_t>(
        std::find(order->begin(), order->end(), static_cast<std::int64_t>(joined)) - order->begin());
  }
  if (square && choices.flip()) axis = choices.index(rank);
  const ExprPtr concat =
      graph.call("relax.concat", {graph.pack(permuted)}, {{"axis", either_sign(choices, axis, rank)}});
  if (choices.one_in(3)) graph.call("relax.abs", {permuted[0]});
  if (concat != nullptr && rank == 2 && choices.flip()) {
    const ExprPtr lhs = graph.want(choices, dtype, {graph.dim(choices), result_shape(concat)[0]});
    graph.call("relax.matmul", {lhs, concat});
  }
}

// reshape of reshape, reshape to the same shape, expand_dims and squeeze, one after another.
void reshape_chain(Choices& choices, GraphBuilder& graph) {
  const ExprPtr start = graph.any_tensor(choices, 1, 4);
  if (start == nullptr) return;
  ExprPtr value = start;
  const std::size_t count = 2 + choices.index(3);
  for (std::size_t i = 0; i < count && value != nullptr; ++i) {
    const Shape shape = result_shape(value);
    const std::size_t rank = shape.size();
    switch (choices.index(6)) {
      case 0:
        value = reshape(graph, value, shape);
        break;
      case 1:
        value = reshape(graph, value, flattened(shape, 0, rank));
        break;
      case 2: {
        const std::size_t from = rank > 1 ? choices.index(rank - 1) : 0;
        value = reshape(graph, value, rank > 1 ? flattened(shape, from, from + 2) : shape);
        break;
      }
      case 3: {
        const std::int64_t axis = either_sign(choices, choices.index(rank + 1), rank + 1);
        value = graph.call("relax.expand_dims", {value}, {{"axis", std::vector<std::int64_t>{axis}}});
        if (choices.flip())
          value = graph.call("relax.squeeze", {value}, {{"axis", std::vector<std::int64_t>{axis}}});
        break;
      }
      case 4:
        value = reshape(graph, value, result_shape(start));
        break;
      default:
        value = graph.call("relax.squeeze", {value});
        break;
    }
    if (value != nullptr && choices.one_in(4)) graph.call("relax.negative", {value});
  }
  if (value != nullptr && choices.flip()) reshape(graph, value, result_shape(start));
}

// permute_dims of permute_dims: by the inverse, by the same axes again, or by any.
void permute_chain(Choices& choices, GraphBuilder& graph) {
  const bool alike = choices.one_in(3);  // all axes are as long: a permutation that is composed wrongly still has the right type
  const Shape cube(alike ? static_cast<std::size_t>(choices.integer(3, 4)) : 0, Dim(choices.integer(2, 3)));
  const ExprPtr start = alike ? graph.want(choices, graph.dtype(choices), cube) : graph.any_tensor(choices, 2, 4);
  if (start == nullptr) return;
  const std::size_t rank = result_shape(start).size();
  const std::vector<std::int64_t> first = draw_permutation(choices, rank);
  std::vector<std::int64_t> second = first;
  if (choices.flip()) {
    for (std::size_t i = 0; i < rank; ++i)
      second[static_cast<std::size_t>(first[i])] = static_cast<std::int64_t>(i);
  } else if (choices.flip()) {
    second = draw_permutation(choices, rank);
  }
  if (choices.one_in(3)) second.back() -= static_cast<std::int64_t>(rank);
  ExprPtr once = graph.call("relax.permute_dims", {start}, {{"axes", first}});
  if (once != nullptr && choices.one_in(3)) once = reshape(graph, once, result_shape(once));
  const ExprPtr twice = graph.call("relax.permute_dims", {once}, {{"axes", second}});
  if (twice != nullptr && choices.flip()) graph.call("relax.add", {twice, once});
}

// Slices of a value, or the parts that split makes of it, joined again: in order or not, along the same axis or
// another.
void slice_concat(Choices& choices, GraphBuilder& graph) {
  const ExprPtr start = draw_static(choices, graph, 1, 4);
  if (start == nullptr) return;
  const std::size_t rank = result_shape(start).size();
  const std::size_t axis = choices.index(rank);
  const std::int64_t size = result_shape(start)[axis].value();
  if (size < 2) return;
  std::vector<ExprPtr> parts;
  if (choices.flip()) {
    const std::int64_t cut = choices.integer(1, size - 1);
    parts = {slice(graph, start, either_sign(choices, axis, rank), 0, cut),
             slice(graph, start, either_sign(choices, axis, rank), cut, choices.one_in(4) ? 1000 : size)};
    if (choices.one_in(4))
      parts.push_back(slice(graph, start, static_cast<std::int64_t>(axis), size - 1, 0, -1));
  } else {
    AttrValue sections = size % 2 == 0 ? AttrValue(std::int64_t{2}) : AttrValue(std::vector<std::int64_t>{1});
    const ExprPtr split =
        graph.call("relax.split", {start},
                   {{"indices_or_sections", sections}, {"axis", either_sign(choices, axis, rank)}});
    parts = {graph.item(split, 0), graph.item(split, 1)};
  }
  if (choices.flip()) std::reverse(parts.begin(), parts.end());
  const std::size_t joined = choices.one_in(3) ? choices.index(rank) : axis;
  graph.call("relax.concat", {graph.pack(parts)}, {{"axis", either_sign(choices, joined, rank)}});
  if (choices.one_in(3)) graph.call("relax.negative", {parts[0]});
}

// Casts one after another: there and back, through a narrower dtype, to the same dtype.
void astype_chain(Choices& choices, GraphBuilder& graph) {
  ExprPtr value = graph.any_tensor(choices, 0, 4);
  if (value == nullptr) return;
  const DType first = result_dtype(value);
  constexpr DType kDTypes[] = {DType::float32, DType::float16, DType::float64,
                               DType::int32,   DType::int64,   DType::int8};
  const std::size_t count = 1 + choices.index(3);
  for (std::size_t i = 0; i < count; ++i) {
    value =
        graph.call("relax.astype", {value}, {{"dtype", choices.one_in(4) ? first : choices.pick(kDTypes)}});
  }
  value = graph.call("relax.astype", {value}, {{"dtype", first}});
  if (choices.flip()) graph.call("relax.add", {value, value});
}

// A broadcast (by broadcast_to, by expand_dims, or of an axis of size 1) and a reduction over the axis that it made.
void reduce_broadcast(Choices& choices, GraphBuilder& graph) {
  const ExprPtr start = draw_static(choices, graph, 1, 3);
  if (start == nullptr) return;
  const Shape shape = result_shape(start);
  const std::size_t axis = choices.index(shape.size());
  constexpr std::string_view kReduce[] = {"relax.sum", "relax.max", "relax.mean", "relax.min", "relax.prod"};
  const AttrValue axes = std::vector<std::int64_t>{either_sign(choices, axis, shape.size())};
  const bool keep = !choices.one_in(3);
  ExprPtr reduced = graph.call(choices.pick(kReduce), {start}, {{"axis", axes}, {"keepdims", keep}});
  if (!keep) reduced = graph.call("relax.expand_dims", {reduced}, {{"axis", axes}});
  if (reduced == nullptr) return;
  const ExprPtr wide = graph.call("relax.broadcast_to", {reduced, make_shape(shape)});
  const ExprPtr centred = graph.call("relax.subtract", {start, choices.flip() ? wide : reduced});
  if (choices.flip())
    graph.call(choices.pick(kReduce), {centred}, {{"axis", axes}, {"keepdims", choices.flip()}});
}

}  // namespace

std::vector<Idiom> movement_idioms() {
  return {
      {"concat-of-permutes",
       "concat of permuted values, axes alike or not",
       3,
       concat_of_permutes,
       {"ReorderPermuteDimsAfterConcat"}},
      {"reshape-chain",
       "reshape, expand_dims and squeeze one after another, some without effect",
       3,
       reshape_chain,
       {"RemoveRedundantReshape"}},
      {"permute-chain", "permute_dims of permute_dims: inverse, repeated, any", 3, permute_chain},
      {"slice-concat", "slices or the parts of a split, joined again", 2, slice_concat},
      {"astype-chain", "casts there and back", 2, astype_chain},
      {"reduce-broadcast", "a reduction and the broadcast that undoes its shape", 2, reduce_broadcast},
  };
}

}  // namespace passdiff
