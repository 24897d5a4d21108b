// Idioms that are pieces of networks, in which several rewrites meet: mixed precision, fusion, in-place updates,
// lifting of weights.
#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"

namespace passdiff {
namespace {

ExprPtr scalar(Choices& choices, GraphBuilder& graph, DType dtype, Fill fill = Fill::nonzero) {
  return graph.fresh(choices, Origin::constant, dtype, {}, {.fill = fill});
}

// softmax(q @ k^T * scale) @ v, with or without a batch; the keys may be the values.
void attention(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  const Dim rows = graph.dim(choices), keys = graph.dim(choices), depth = graph.dim(choices);
  Shape query = {rows, depth}, key = {keys, depth};
  std::vector<std::int64_t> axes = {1, 0};
  if (choices.flip()) {
    const Dim batch = graph.dim(choices);
    query.insert(query.begin(), batch);
    key.insert(key.begin(), batch);
    axes = {0, 2, 1};
  }
  const ExprPtr q = graph.want(choices, dtype, query);
  const ExprPtr k = graph.want(choices, dtype, key);
  const ExprPtr turned = graph.call("relax.permute_dims", {k}, {{"axes", axes}});
  ExprPtr scores = graph.call("relax.matmul", {q, turned});
  if (!choices.one_in(3)) {
    scores = graph.call(choices.flip() ? "relax.divide" : "relax.multiply",
                        {scores, scalar(choices, graph, dtype)});
  }
  if (scores != nullptr && choices.one_in(3)) {
    const ExprPtr mask = graph.want(choices, DType::boolean, result_shape(scores), {.fill = Fill::booleans});
    scores = graph.call("relax.where", {mask, scores, scalar(choices, graph, dtype)});
  }
  const ExprPtr weights = graph.call("relax.nn.softmax", {scores}, {{"axis", std::int64_t{-1}}});
  graph.call("relax.matmul", {weights, choices.flip() ? k : graph.want(choices, dtype, key)});
}

// (x - mean(x)) / sqrt(mean(square) + c), scaled and shifted by weights.
void normalisation(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  const Shape shape = static_shape(graph, graph.shape(choices, 1, 3));
  const ExprPtr x = graph.want(choices, dtype, shape);
  const AttrValue axis = std::vector<std::int64_t>{either_sign(choices, shape.size() - 1, shape.size())};
  const ExprPtr mean = graph.call("relax.mean", {x}, {{"axis", axis}, {"keepdims", true}});
  const ExprPtr centred = graph.call("relax.subtract", {x, mean});
  const ExprPtr square = graph.call("relax.multiply", {centred, centred});
  const ExprPtr variance = graph.call("relax.mean", {square}, {{"axis", axis}, {"keepdims", true}});
  const ExprPtr safe = graph.call("relax.add", {variance, scalar(choices, graph, dtype, Fill::positive)});
  ExprPtr result = graph.call("relax.divide", {centred, graph.call("relax.sqrt", {safe})});
  const Shape weight = {shape.back()};
  if (choices.flip())
    result = graph.call("relax.multiply", {result, graph.fresh(choices, Origin::weight, dtype, weight)});
  if (choices.flip()) graph.call("relax.add", {result, graph.fresh(choices, Origin::weight, dtype, weight)});
}

// Two layers with a gate or a residual; their weights may be stored transposed.
void gated_layers(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  const Dim rows = graph.dim(choices), in = graph.dim(choices), hidden = graph.dim(choices);
  const ExprPtr x = graph.want(choices, dtype, {rows, in});
  const bool turned = choices.flip();
  const auto layer = [&](const ExprPtr& from, Dim inner, Dim outer) {
    const Shape shape = turned ? Shape{outer, inner} : Shape{inner, outer};
    ExprPtr weight = graph.fresh(choices, Origin::weight, dtype, shape);
    if (turned) weight = graph.call("relax.permute_dims", {weight});
    return graph.call("relax.matmul", {from, weight});
  };
  ExprPtr middle = graph.call(choices.flip() ? "relax.nn.relu" : "relax.sigmoid", {layer(x, in, hidden)});
  if (choices.flip()) middle = graph.call("relax.multiply", {middle, layer(x, in, hidden)});
  const ExprPtr out = layer(middle, hidden, in);
  if (!choices.one_in(3)) graph.call("relax.add", {out, x});
}

// Elementwise calls in a row, which may be fused, or be done in place unless an earlier value is used again.
void elementwise_chain(Choices& choices, GraphBuilder& graph) {
  constexpr std::string_view kUnary[] = {"relax.negative", "relax.abs", "relax.nn.relu", "relax.floor",
                                         "relax.sign"};
  constexpr std::string_view kBinary[] = {"relax.add", "relax.subtract", "relax.maximum", "relax.multiply"};
  const ExprPtr start = graph.any_tensor(choices, 0, 4);
  ExprPtr value = start, earlier = start;
  const std::size_t count = 2 + choices.index(4);
  for (std::size_t i = 0; i < count && value != nullptr; ++i) {
    const ExprPtr last = value;
    value = choices.flip() ? graph.call(choices.pick(kUnary), {value})
                           : graph.call(choices.pick(kBinary), {value, choices.flip() ? earlier : start});
    if (choices.one_in(3)) earlier = last;
  }
}

}  // namespace

std::vector<Idiom> small_networks_idioms() {
  return {
      {"attention", "softmax of a scaled product, times values", 2, attention},
      {"normalisation", "centred, divided by the deviation, scaled by weights", 2, normalisation},
      {"gated-layers", "two layers with a gate or a residual", 2, gated_layers},
      {"elementwise-chain",
       "elementwise steps in a row, earlier values used again",
       2,
       elementwise_chain,
       {"FuseOps"}},
  };
}

}  // namespace passdiff
