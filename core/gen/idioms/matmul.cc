// Idioms of matrix products, which CombineParallelMatmul, ExpandMatmulOfSum, ReorderTakeAfterMatmul,
// AdjustMatmulOrder, FuseTransposeMatmul and LiftTransformParams match.
#include <algorithm>

#include "core/gen/graph_builder.h"
#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"

namespace passdiff {
namespace {

// The batch dims of an operand of matmul: those before the last two.
Shape batch_dims(Choices& choices, GraphBuilder& graph) {
  constexpr std::size_t kBatch[] = {0, 0, 1, 0, 2};
  Shape dims;
  for (std::size_t i = choices.pick(kBatch); i-- > 0;) dims.emplace_back(graph.dim(choices));
  return dims;
}

Shape with(Shape batch, std::initializer_list<Dim> last) {
  batch.insert(batch.end(), last.begin(), last.end());
  return batch;
}

// Several matmuls of one left operand. Each may get a bias and an activation; the results are used in any order.
void parallel_matmuls(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  const Dim rows = graph.dim(choices), inner = graph.dim(choices);
  const Shape batch = batch_dims(choices, graph);
  const bool vector = choices.one_in(6);
  const ExprPtr lhs = graph.want(choices, dtype, vector ? Shape{inner} : with(batch, {rows, inner}));
  const bool batched_rhs = choices.one_in(4);
  const bool shared_width = choices.flip();
  const std::size_t count = 2 + choices.index(3);
  Dim width = graph.dim(choices);
  AttrValue out_dtype = matmul_out_dtype(choices, dtype);
  const std::size_t bias = choices.index(4), activation = choices.index(4);
  const bool constants = choices.one_in(4);
  for (std::size_t i = 0; i < count; ++i) {
    if (!shared_width) width = graph.dim(choices);
    const bool rank1 = choices.one_in(8);
    const Shape shape = rank1 ? Shape{inner} : with(batched_rhs ? batch : Shape{}, {inner, width});
    const ExprPtr rhs = graph.fresh(choices, constants && choices.flip() ? Origin::constant : Origin::weight, dtype, shape);
    if (choices.one_in(6)) out_dtype = matmul_out_dtype(choices, dtype);
    ExprPtr result = matmul(graph, lhs, rhs, out_dtype);
    const bool has_bias = bias == 1 || (bias == 2 && choices.flip());
    if (has_bias && result != nullptr) {
      const DType of = *result->type.as_tensor()->dtype;
      const ExprPtr addend =
          graph.fresh(choices, Origin::weight, of, choices.one_in(4) ? result_shape(result) : Shape{width});
      result = choices.one_in(4) ? graph.call("relax.add", {addend, result})
                                 : graph.call("relax.add", {result, addend});
    }
    if (activation == 1 || (activation == 2 && choices.flip()))
      result = graph.call("relax.nn.relu", {result});
  }
}

// x @ (a + b) or (a + b) @ x; an addend may be broadcast, or be used elsewhere too. Where blocks are mixed, the product may stand in the next one.
void matmul_of_sum(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  const Dim rows = graph.dim(choices), inner = graph.dim(choices), columns = graph.dim(choices);
  const Shape batch = batch_dims(choices, graph);
  const bool vector_lhs = choices.one_in(6), vector_rhs = choices.one_in(6);
  const Shape rhs_shape =
      vector_rhs ? Shape{inner} : with(choices.one_in(3) ? batch : Shape{}, {inner, columns});
  const ExprPtr lhs = graph.want(choices, dtype, vector_lhs ? Shape{inner} : with(batch, {rows, inner}));
  const ExprPtr a = graph.fresh(choices, Origin::weight, dtype, rhs_shape);
  const Shape addends[] = {rhs_shape, rhs_shape, {columns}, {Dim(1), columns}, {inner, Dim(1)}, {}};
  const Shape& addend_shape = choices.pick(addends);
  ExprPtr b;
  if (choices.one_in(3) && addend_shape.size() == 2 && rhs_shape.size() == 2) {
    const Dim rank = graph.dim(choices);  // a low-rank correction, as in LoRA
    b = matmul(graph, graph.fresh(choices, Origin::weight, dtype, {addend_shape[0], rank}),
               graph.fresh(choices, Origin::weight, dtype, {rank, addend_shape[1]}));
  } else {
    b = graph.fresh(choices, choices.one_in(4) ? Origin::input : Origin::weight, dtype, addend_shape);
  }
  const ExprPtr sum = choices.flip() ? graph.call("relax.add", {a, b}) : graph.call("relax.add", {b, a});
  if (graph.config().blocks == BlockStyle::mixed && choices.flip()) graph.begin_block(choices.flip());
  const AttrValue out_dtype = matmul_out_dtype(choices, dtype);
  if (choices.one_in(6)) {
    matmul(graph, graph.call("relax.permute_dims", {sum}), graph.call("relax.permute_dims", {lhs}),
           out_dtype);
  } else {
    matmul(graph, lhs, sum, out_dtype);
  }
  if (choices.one_in(4)) graph.call("relax.multiply", {sum, sum});
}

// A matmul with what take gives of a weight, or a take of a matmul: all modes, axes and ranks.
void take_after_matmul(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  const Dim rows = graph.dim(choices), inner = graph.dim(choices), columns = graph.dim(choices);
  const Shape batch = batch_dims(choices, graph);
  const bool vector_rhs = choices.one_in(6);
  const Shape shape = vector_rhs ? Shape{inner} : with(choices.one_in(3) ? batch : Shape{}, {inner, columns});
  const ExprPtr lhs =
      graph.want(choices, dtype, choices.one_in(6) ? Shape{inner} : with(batch, {rows, inner}));
  const ExprPtr weight = graph.fresh(choices, Origin::weight, dtype, shape);
  const AttrValue out_dtype = matmul_out_dtype(choices, dtype);
  const bool take_first = !choices.one_in(3);
  const ExprPtr from = take_first ? weight : matmul(graph, lhs, weight, out_dtype);
  if (from == nullptr) return;
  const Shape dims = result_shape(from);
  if (dims.empty()) return;
  const std::size_t axis = choices.one_in(3) ? choices.index(dims.size()) : dims.size() - 1;
  const std::int64_t size = graph.size_of(dims[axis]);
  if (size == 0) return;
  // The axis that is summed over keeps its size only if as many are taken.
  const bool summed = take_first && axis + (vector_rhs ? 1 : 2) == dims.size();
  const std::int64_t count = summed ? size : graph.dim(choices);
  constexpr std::string_view kModes[] = {"fast", "clip", "wrap", "fast", "nan"};
  const std::string mode(choices.pick(kModes));
  const bool in_range = mode == "fast" || mode == "nan";
  const FillSpec fill{
      .fill = Fill::indices, .limit = in_range ? size : size + 2, .allow_negative = mode == "wrap"};
  const Shape index_shapes[] = {{count}, {count}, {}, {count, 2}};
  const ExprPtr indices = graph.fresh(choices, choices.one_in(3) ? Origin::constant : Origin::input,
                                      choices.one_in(3) ? DType::int32 : DType::int64,
                                      summed ? Shape{count} : choices.pick(index_shapes), fill);
  const auto signed_axis =
      static_cast<std::int64_t>(axis) - (choices.flip() ? static_cast<std::int64_t>(dims.size()) : 0);
  const ExprPtr taken = graph.call("relax.take", {from, indices}, {{"axis", signed_axis}, {"mode", mode}});
  if (take_first) matmul(graph, lhs, taken, out_dtype);
  if (choices.one_in(4)) graph.call("relax.add", {taken, taken});
}

ExprPtr maybe_permuted(Choices& choices, GraphBuilder& graph, const ExprPtr& value) {
  if (value == nullptr || !choices.one_in(3)) return value;
  const std::size_t rank = result_shape(value).size();
  if (rank < 1) return value;
  std::vector<std::int64_t> axes(rank);
  for (std::size_t i = 0; i < rank; ++i) axes[i] = static_cast<std::int64_t>(i);
  if (rank >= 2 && choices.flip()) std::swap(axes[rank - 1], axes[rank - 2]);  // else the identity
  return graph.call("relax.permute_dims", {value}, {{"axes", axes}});
}

// (a @ b) @ c and a @ (b @ c), with permutations between them, among which the identity, and vectors at either end.
void matmul_chain(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  const bool square = choices.one_in(3);
  Dim dims[4];
  for (Dim& dim : dims) dim = square && &dim != dims ? dims[0] : Dim(graph.dim(choices));
  const Shape batch = choices.one_in(4) ? batch_dims(choices, graph) : Shape{};
  const bool first_is_vector = choices.one_in(5), last_is_vector = choices.one_in(5);
  const Origin origin = choices.flip() ? Origin::weight : Origin::input;
  const ExprPtr a =
      graph.want(choices, dtype, first_is_vector ? Shape{dims[1]} : with(batch, {dims[0], dims[1]}));
  const ExprPtr b =
      graph.fresh(choices, origin, dtype, with(choices.flip() ? batch : Shape{}, {dims[1], dims[2]}));
  const ExprPtr c =
      graph.fresh(choices, origin, dtype, last_is_vector ? Shape{dims[2]} : Shape{dims[2], dims[3]});
  ExprPtr inner;
  if (choices.flip()) {
    inner = maybe_permuted(choices, graph, matmul(graph, a, b, matmul_out_dtype(choices, dtype)));
    matmul(graph, inner, maybe_permuted(choices, graph, c));
  } else {
    inner = maybe_permuted(choices, graph, matmul(graph, b, c, matmul_out_dtype(choices, dtype)));
    matmul(graph, maybe_permuted(choices, graph, a), inner);
  }
  if (choices.one_in(4)) graph.call("relax.negative", {inner});
}

// A matmul with a permuted operand: by default axes, by explicit ones, batched, or with more than the last two axes
// permuted.
void transpose_matmul(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  const Dim rows = graph.dim(choices), inner = graph.dim(choices),
            columns = choices.one_in(3) ? inner : Dim(graph.dim(choices));
  const Shape batch = batch_dims(choices, graph);
  const Shape weight_shape = with(choices.one_in(3) ? batch : Shape{}, {columns, inner});
  const ExprPtr weight =
      graph.fresh(choices, choices.one_in(3) ? Origin::input : Origin::weight, dtype, weight_shape);
  const std::size_t rank = weight_shape.size();
  AttrValue axes;
  if (rank > 2 || choices.flip()) {
    std::vector<std::int64_t> order;
    for (std::size_t i = 0; i < rank; ++i) order.push_back(static_cast<std::int64_t>(i));
    std::swap(order[rank - 1], order[rank - 2]);
    if (choices.one_in(6)) std::reverse(order.begin(), order.end());
    if (choices.one_in(3)) order.back() -= static_cast<std::int64_t>(rank);
    axes = order;
  }
  const ExprPtr turned = graph.call("relax.permute_dims", {weight}, {{"axes", axes}});
  const ExprPtr lhs =
      graph.want(choices, dtype, choices.one_in(6) ? Shape{inner} : with(batch, {rows, inner}));
  const ExprPtr product = matmul(graph, lhs, turned, matmul_out_dtype(choices, dtype));
  if (choices.one_in(4)) graph.call("relax.add", {turned, turned});
  if (choices.one_in(4)) matmul(graph, product, weight);
  if (choices.one_in(6)) matmul(graph, graph.call("relax.permute_dims", {turned}), turned);
}

}  // namespace

std::vector<Idiom> matmul_idioms() {
  return {
      {"parallel-matmuls",
       "several matmuls of one left operand, with bias and activation",
       4,
       parallel_matmuls,
       {"CombineParallelMatmul"}},
      {"matmul-of-sum",
       "x @ (a + b), broadcast or low-rank addends",
       3,
       matmul_of_sum,
       {"ExpandMatmulOfSum"}},
      {"take-after-matmul",
       "take of a weight before matmul, or of its result",
       3,
       take_after_matmul,
       {"ReorderTakeAfterMatmul"}},
      {"matmul-chain",
       "(a @ b) @ c and a @ (b @ c), with permutations between",
       3,
       matmul_chain,
       {"AdjustMatmulOrder"}},
      {"transpose-matmul", "matmul with a permuted operand", 3, transpose_matmul, {"FuseTransposeMatmul"}},
  };
}

}  // namespace passdiff
