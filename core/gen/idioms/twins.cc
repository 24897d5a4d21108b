// Idioms of calls that look alike and are not: the same op with other attributes, equal operands. A pass that merges or simplifies
// them wrongly is then seen.
#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"

namespace passdiff {
namespace {

using Ints = std::vector<std::int64_t>;

// A tensor whose elements along each axis differ in sum and order.
ExprPtr draw_operand(Choices& choices, GraphBuilder& graph, int min_rank) {
  const Shape shape = static_shape(graph, graph.shape(choices, min_rank, 4));
  return graph.want(choices, graph.float_dtype(choices), shape);
}

ExprPtr reduction(Choices& choices, GraphBuilder& graph, std::string_view op, const ExprPtr& x) {
  const std::size_t rank = result_shape(x).size();
  return graph.call(op, {x}, {{"axis", Ints{either_sign(choices, choices.index(rank), rank)}},
                              {"keepdims", choices.flip()}});
}

// The same op on the same operands, two or three times, each with attributes of its own, which may be equal.
void attribute_twins(Choices& choices, GraphBuilder& graph) {
  const ExprPtr x = draw_operand(choices, graph, 2);
  if (x == nullptr) return;
  const Shape shape = result_shape(x);
  const std::size_t rank = shape.size();
  const auto axis = [&] { return AttrValue(either_sign(choices, choices.index(rank), rank)); };
  constexpr std::string_view kReduce[] = {"relax.sum", "relax.max", "relax.mean", "relax.prod", "relax.min"};
  const std::string_view reduce = choices.pick(kReduce);
  const std::size_t kind = choices.index(9);
  const std::int64_t size = graph.size_of(shape[0]);
  if (size == 0) return;
  const ExprPtr indices = kind == 2 ? graph.fresh(choices, Origin::input, DType::int64, {Dim(2)},
                                                  {.fill = Fill::indices, .limit = size + 1})
                                    : nullptr;
  const auto twin = [&]() -> ExprPtr {
    switch (kind) {
      case 0:
        return graph.call("relax.nn.softmax", {x}, {{"axis", axis()}});
      case 1:
        return reduction(choices, graph, reduce, x);
      case 2: {
        constexpr std::string_view kModes[] = {"clip", "wrap"};
        return graph.call("relax.take", {x, indices},
                          {{"axis", std::int64_t{0}}, {"mode", std::string(choices.pick(kModes))}});
      }
      case 3:
        return graph.call("relax.cumsum", {x}, {{"axis", axis()}, {"exclusive", choices.flip()}});
      case 4:
        return graph.call("relax.argmax", {x}, {{"axis", axis()}, {"keepdims", choices.flip()}});
      case 5:
        return graph.call("relax.nn.leakyrelu", {x}, {{"alpha", choices.flip() ? 0.5 : 0.25}});
      case 6:
        return graph.call("relax.flip", {x}, {{"axis", axis()}});
      case 7:
        return graph.call("relax.sort", {x}, {{"axis", axis()}, {"descending", choices.flip()}});
      default:
        return graph.call("relax.permute_dims", {x}, {{"axes", draw_permutation(choices, rank)}});
    }
  };
  const ExprPtr first = twin(), second = twin();
  if (choices.one_in(3)) twin();
  if (first == nullptr || second == nullptr || !choices.flip()) return;
  graph.call("relax.subtract", {first, second});
}

// Ops of equal operands, whose results algebra knows unless values are infinite, NaN or a zero of the other sign.
void equal_operands(Choices& choices, GraphBuilder& graph) {
  constexpr std::string_view kOps[] = {"relax.subtract", "relax.divide",   "relax.maximum", "relax.minimum",
                                       "relax.multiply", "relax.equal",    "relax.less",    "relax.floor_divide",
                                       "relax.mod",      "relax.not_equal", "relax.add"};
  const std::string_view op = choices.pick(kOps);
  const bool divides = op == "relax.divide" || op == "relax.floor_divide" || op == "relax.mod";
  const Shape shape = static_shape(graph, graph.shape(choices, 0, 3));
  const DType dtype = choices.one_in(4) ? DType::int32 : graph.float_dtype(choices);
  const ExprPtr x = graph.want(choices, dtype, shape, {.fill = divides ? Fill::nonzero : Fill::small});
  if (x == nullptr) return;
  const ExprPtr other = choices.one_in(3) ? graph.call("relax.negative", {graph.call("relax.negative", {x})}) : x;
  const ExprPtr result = graph.call(op, {x, other});
  if (result == nullptr) return;
  if (result_dtype(result) == DType::boolean) {
    graph.call("relax.where", {result, x, graph.want(choices, dtype, shape)});
  } else {
    graph.call("relax.add", {result, choices.flip() ? x : graph.want(choices, dtype, shape)});
  }
}

}  // namespace

std::vector<Idiom> twins_idioms() {
  return {
      {"attribute-twins",
       "the same op on the same operands with other attributes",
       3,
       attribute_twins,
       {"EliminateCommonSubexpr", "FuseOps"}},
      {"equal-operands", "x - x, x / x, maximum(x, x), comparisons of a value with itself", 2, equal_operands},
  };
}

}  // namespace passdiff
