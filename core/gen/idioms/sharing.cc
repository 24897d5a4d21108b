// Idioms of values that are shared, constant, or determined by weights alone, which EliminateCommonSubexpr,
// FoldConstant, LiftTransformParams, CanonicalizeBindings and DeadCodeElimination match.
#include "core/form/builder.h"
#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"

namespace passdiff {
namespace {

constexpr std::string_view kSharedOps[] = {"relax.add", "relax.multiply", "relax.subtract", "relax.maximum"};

// The same call twice: as it is, with exchanged operands, with another attribute, on items of tuples, through an
// alias.
void common_subexpressions(Choices& choices, GraphBuilder& graph) {
  const ExprPtr a = graph.any_tensor(choices, 1, 4);
  if (a == nullptr) return;
  const std::size_t rank = result_shape(a).size();
  const ExprPtr b = graph.want(choices, result_dtype(a), result_shape(a));
  const std::string_view op = choices.pick(kSharedOps);
  const ExprPtr first = graph.call(op, {a, b});
  ExprPtr second;
  switch (choices.index(6)) {
    case 0:
      second = graph.call(op, {a, b});
      break;
    case 1:
      second = graph.call(op, {b, a});
      break;
    case 2:
      second = graph.call(op, {graph.bind(a), b});
      break;
    case 3: {
      const AttrValue axis = std::vector<std::int64_t>{0};
      const AttrValue again = std::vector<std::int64_t>{-static_cast<std::int64_t>(rank)};
      graph.call("relax.sum", {first}, {{"axis", axis}, {"keepdims", true}});
      second = graph.call("relax.sum", {first},
                          {{"axis", choices.flip() ? axis : again}, {"keepdims", choices.flip()}});
      break;
    }
    case 4: {
      const ExprPtr tuple = graph.bind(graph.pack({first, a}));
      const ExprPtr same = graph.bind(graph.pack({first, a}));
      second = graph.call(op, {graph.item(tuple, 0), graph.item(same, 0)});
      break;
    }
    default: {
      const ExprPtr x = graph.call("relax.negative", {first});
      const ExprPtr y = graph.call("relax.negative", {graph.call(op, {a, b})});
      second = graph.call("relax.add", {x, y});
      break;
    }
  }
  if (choices.flip()) graph.call("relax.multiply", {first, second});
}

// Calls on constants alone, whose result is then used together with another value.
void constant_subgraph(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.dtype(choices);
  const Shape shape = static_shape(graph, graph.shape(choices, 0, 3));
  const ExprPtr first = graph.fresh(choices, Origin::constant, dtype, shape);
  if (first == nullptr) return;
  ExprPtr folded;
  switch (choices.index(6)) {
    case 0:
      folded =
          graph.call(choices.pick(kSharedOps), {first, graph.fresh(choices, Origin::constant, dtype, shape)});
      break;
    case 1:
      folded = graph.call("relax.permute_dims", {first});
      break;
    case 2: {
      constexpr DType kTargets[] = {DType::float16, DType::int32, DType::float32, DType::boolean,
                                    DType::int8};
      folded = graph.call("relax.astype", {first}, {{"dtype", choices.pick(kTargets)}});
      break;
    }
    case 3: {
      const Shape indices = {graph.dim(choices)};
      if (shape.empty() || shape[0].value() == 0) return;
      const FillSpec fill{.fill = Fill::indices, .limit = shape[0].value(), .allow_negative = false};
      folded = graph.call("relax.take",
                          {first, graph.fresh(choices, Origin::constant, DType::int64, indices, fill)},
                          {{"axis", std::int64_t{0}}});
      break;
    }
    case 4:
      folded = graph.call("relax.concat", {graph.pack({first, first})}, {{"axis", std::int64_t{-1}}});
      break;
    default:
      folded = graph.call("relax.zeros_like", {first});
      break;
  }
  if (folded == nullptr) return;
  if (choices.one_in(3)) folded = graph.call("relax.negative", {folded});
  if (folded == nullptr || choices.one_in(4)) return;
  graph.call("relax.add", {graph.want(choices, result_dtype(folded), result_shape(folded)), folded});
}

ExprPtr transformed(Choices& choices, GraphBuilder& graph, const ExprPtr& weight) {
  if (weight == nullptr) return nullptr;
  const Shape shape = result_shape(weight);
  switch (choices.index(5)) {
    case 0:
      return graph.call("relax.permute_dims", {weight});
    case 1: {
      Dim elements = 1;
      for (const Dim& dim : shape) elements = elements * dim;
      return reshape(graph, weight, {elements});
    }
    case 2:
      return graph.call("relax.astype", {weight}, {{"dtype", graph.float_dtype(choices)}});
    case 3:
      return graph.call("relax.add",
                        {weight, graph.fresh(choices, Origin::constant, result_dtype(weight), {})});
    default:
      return graph.call("relax.concat", {graph.pack({weight, weight})}, {{"axis", std::int64_t{0}}});
  }
}

// Weights that are transformed: with several uses, used untransformed too, packed in a tuple, met by constants and
// inputs.
void lifted_weights(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  const Dim rows = graph.dim(choices), columns = graph.dim(choices);
  const ExprPtr weight = graph.fresh(choices, Origin::weight, dtype, {rows, columns});
  ExprPtr lifted = transformed(choices, graph, weight);
  if (choices.one_in(3)) lifted = transformed(choices, graph, lifted);
  if (lifted == nullptr) return;
  if (choices.one_in(3)) {
    const ExprPtr tuple = graph.bind(graph.pack({lifted, weight}));
    if (choices.flip()) lifted = graph.item(tuple, static_cast<int>(choices.index(2)));
  }
  const ExprPtr input = graph.want(choices, result_dtype(lifted), result_shape(lifted));
  const ExprPtr used = graph.call(choices.pick(kSharedOps), {input, lifted});
  if (choices.flip()) graph.call("relax.multiply", {lifted, used});
  if (choices.one_in(3))
    graph.call("relax.matmul", {graph.want(choices, dtype, {graph.dim(choices), rows}), weight});
  if (choices.one_in(4))
    transformed(choices, graph, graph.fresh(choices, Origin::weight, dtype, {columns, rows}));
}

// Tuples that are made, nested, taken apart and made again.
void tuple_juggling(Choices& choices, GraphBuilder& graph) {
  const ExprPtr a = graph.any_tensor(choices, 0, 3);
  const ExprPtr b = graph.any_tensor(choices, 0, 3);
  const ExprPtr pair = graph.bind(graph.pack({a, b}));
  if (pair == nullptr) return;
  const ExprPtr nested =
      graph.bind(graph.pack({pair, choices.flip() ? graph.call("relax.negative", {a}) : b}));
  const ExprPtr inner = graph.item(nested, 0);
  const ExprPtr first =
      graph.item(inner != nullptr && choices.flip() ? inner : pair, static_cast<int>(choices.index(2)));
  // The same tuple, made of its own items.
  if (choices.flip()) graph.bind(graph.pack({graph.item(pair, 0), graph.item(pair, 1)}));
  if (choices.flip()) graph.bind(first);
  if (first != nullptr) graph.call("relax.add", {first, first});
}

// Calls whose result is plain from algebra: x + 0, x * 1, x - x, where(c, x, x), maximum(x, x).
void binary_identities(Choices& choices, GraphBuilder& graph) {
  const ExprPtr x = draw_static(choices, graph, 0, 4);
  if (x == nullptr) return;
  const DType dtype = result_dtype(x);
  const Shape neutral = choices.flip() ? Shape{} : result_shape(x);
  ExprPtr same;
  switch (choices.index(6)) {
    case 0:
      same = graph.call("relax.add", {x, graph.call("relax.zeros_like", {x})});
      break;
    case 1:
      same = graph.call("relax.multiply", {graph.call("relax.ones_like", {x}), x});
      break;
    case 2:
      same = graph.call("relax.subtract", {x, x});
      break;
    case 3: {
      const ExprPtr condition = graph.want(choices, DType::boolean, neutral, {.fill = Fill::booleans});
      same = graph.call("relax.where", {condition, x, x});
      break;
    }
    case 4:
      same = graph.call("relax.maximum", {x, x});
      break;
    default:
      same = graph.call("relax.negative", {graph.call("relax.negative", {x})});
      break;
  }
  if (same != nullptr && choices.flip()) graph.call("relax.add", {same, graph.want(choices, dtype, neutral)});
}

}  // namespace

std::vector<Idiom> sharing_idioms() {
  return {
      {"common-subexpressions",
       "the same call again: exchanged operands, other attributes, tuples, aliases",
       3,
       common_subexpressions,
       {"EliminateCommonSubexpr"}},
      {"constant-subgraph", "ops on constants alone", 3, constant_subgraph, {"FoldConstant"}},
      {"lifted-weights",
       "weights transformed, shared, returned, used raw too",
       4,
       lifted_weights,
       {"LiftTransformParams", "LazyTransformParams"}},
      {"tuple-juggling", "tuples made, nested, taken apart", 2, tuple_juggling, {"CanonicalizeBindings"}},
      {"binary-identities", "x + 0, x * 1, x - x, where(c, x, x)", 2, binary_identities},
  };
}

}  // namespace passdiff
