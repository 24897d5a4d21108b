// Idioms of activations and fusion: what FastMathTransform replaces, what FuseOps joins, and chains of values whose storage can be
// used again.
#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"

namespace passdiff {
namespace {

using Ints = std::vector<std::int64_t>;

constexpr std::string_view kActivations[] = {"relax.nn.relu",     "relax.sigmoid",  "relax.tanh",       "relax.nn.gelu",
                                             "relax.nn.silu",     "relax.nn.selu",  "relax.nn.softplus", "relax.erf",
                                             "relax.nn.gelu_tanh", "relax.nn.leakyrelu", "relax.exp"};

ExprPtr draw_floats(Choices& choices, GraphBuilder& graph, int min_rank, int max_rank) {
  return graph.any_tensor(choices, min_rank, max_rank, true);
}

ExprPtr softmax(Choices& choices, GraphBuilder& graph, const ExprPtr& x) {
  const std::size_t rank = result_shape(x).size();
  constexpr std::string_view kOps[] = {"relax.nn.softmax", "relax.nn.softmax", "relax.nn.log_softmax"};
  return graph.call(choices.pick(kOps), {x}, {{"axis", either_sign(choices, choices.index(rank), rank)}});
}

// exp, tanh, erf and softmax, one after another or side by side, on float32 mostly.
void fast_math(Choices& choices, GraphBuilder& graph) {
  const DType dtype = choices.one_in(4) ? graph.float_dtype(choices) : DType::float32;
  const ExprPtr x = graph.want(choices, dtype, static_shape(graph, graph.shape(choices, 1, 3)));
  constexpr std::string_view kFast[] = {"relax.tanh", "relax.erf", "relax.exp", "relax.tanh"};
  ExprPtr value = x;
  const std::size_t count = 1 + choices.index(3);
  for (std::size_t i = 0; i < count && value != nullptr; ++i) {
    value = choices.one_in(3) ? softmax(choices, graph, value) : graph.call(choices.pick(kFast), {value});
    if (value != nullptr && choices.one_in(3)) value = graph.call("relax.multiply", {value, x});
  }
  if (x != nullptr) graph.call("relax.add", {x, graph.call(choices.pick(kFast), {x})});
}

// Activations of all kinds on a value and on what they make of it.
void activations(Choices& choices, GraphBuilder& graph) {
  const ExprPtr x = draw_floats(choices, graph, 0, 4);
  ExprPtr value = x;
  const std::size_t count = 2 + choices.index(3);
  for (std::size_t i = 0; i < count && value != nullptr; ++i)
    value = graph.call(choices.pick(kActivations), {choices.one_in(4) ? x : value});
}

// A matmul or a reduction, elementwise steps, injective ones: groups that FuseOps makes, with several consumers of a value inside.
void fusion_groups(Choices& choices, GraphBuilder& graph) {
  const DType dtype = choices.flip() ? DType::float32 : graph.float_dtype(choices);
  const Dim rows = graph.dim(choices), inner = graph.dim(choices), columns = graph.dim(choices);
  const ExprPtr x = graph.want(choices, dtype, {rows, inner});
  ExprPtr value = x;
  if (!choices.one_in(3)) {
    value = graph.call("relax.matmul", {x, graph.fresh(choices, Origin::weight, dtype, {inner, columns})});
    if (value != nullptr && choices.flip())
      value = graph.call("relax.add", {value, graph.fresh(choices, Origin::weight, dtype, {columns})});
  }
  const std::size_t count = 2 + choices.index(4);
  for (std::size_t i = 0; i < count && value != nullptr; ++i) {
    const ExprPtr last = value;
    const std::size_t rank = result_shape(value).size();
    switch (choices.index(7)) {
      case 0:
        value = graph.call("relax.permute_dims", {value});
        break;
      case 1:
        value = graph.call("relax.expand_dims", {value}, {{"axis", Ints{0}}});
        break;
      case 2:
        if (rank > 0)
          value = graph.call("relax.sum", {value}, {{"axis", Ints{static_cast<std::int64_t>(choices.index(rank))}},
                                                    {"keepdims", true}});
        break;
      case 3:
        value = graph.call("relax.add", {value, last});
        break;
      case 4:
        if (rank > 0) value = graph.call("relax.concat", {graph.pack({value, last})}, {{"axis", std::int64_t{0}}});
        break;
      default:
        value = graph.call(choices.pick(kActivations), {value});
        break;
    }
    if (value != nullptr && choices.one_in(5)) graph.call("relax.negative", {last});
  }
}

// Many values of few sizes, each dead soon after it is made: a plan of storage uses the same memory again.
void short_lived_values(Choices& choices, GraphBuilder& graph) {
  const ExprPtr start = draw_static(choices, graph, 1, 3);
  if (start == nullptr) return;
  constexpr std::string_view kUnary[] = {"relax.negative", "relax.abs", "relax.square"};
  constexpr std::string_view kBinary[] = {"relax.add", "relax.maximum", "relax.subtract"};
  ExprPtr a = graph.call(choices.pick(kUnary), {start}), b = start;
  const std::size_t count = 3 + choices.index(4);
  for (std::size_t i = 0; i < count && a != nullptr; ++i) {
    const ExprPtr next = choices.flip() ? graph.call(choices.pick(kBinary), {a, b}) : graph.call(choices.pick(kUnary), {a});
    if (choices.one_in(3)) b = a;
    a = next;
    if (a != nullptr && choices.one_in(4)) {
      const std::size_t rank = result_shape(a).size();
      Dim elements = 1;
      for (const Dim& dim : result_shape(a)) elements = elements * dim;
      const Shape shape = result_shape(a);
      const ExprPtr flat = rank > 1 ? reshape(graph, a, {elements}) : a;
      a = reshape(graph, flat == nullptr ? a : flat, shape);
      b = a;
    }
  }
}

// Casts through integers and narrow floats between elementwise steps.
void cast_steps(Choices& choices, GraphBuilder& graph) {
  constexpr DType kThrough[] = {DType::int32, DType::int8,  DType::float16, DType::uint8,  DType::int64,
                                DType::int16, DType::float64, DType::boolean, DType::bfloat16};
  ExprPtr value = graph.any_tensor(choices, 0, 3);
  if (value == nullptr) return;
  const DType first = result_dtype(value);
  const std::size_t count = 1 + choices.index(3);
  for (std::size_t i = 0; i < count && value != nullptr; ++i) {
    value = graph.call("relax.astype", {value}, {{"dtype", choices.pick(kThrough)}});
    if (value != nullptr && result_dtype(value) != DType::boolean && choices.flip())
      value = graph.call("relax.add", {value, value});
  }
  graph.call("relax.astype", {value}, {{"dtype", first}});
}

}  // namespace

std::vector<Idiom> activations_idioms() {
  return {
      {"fast-math", "exp, tanh, erf and softmax in a row", 2, fast_math, {"FastMathTransform"}},
      {"activations", "activations of all kinds in a row", 1, activations, {"FuseOps", "ToMixedPrecision"}},
      {"fusion-groups",
       "matmuls, elementwise and injective steps, reductions, values used twice",
       2,
       fusion_groups,
       {"FuseOps", "FuseTIR", "AnnotateTIROpPattern"}},
      {"short-lived-values",
       "values of few sizes that are dead soon",
       2,
       short_lived_values,
       {"StaticPlanBlockMemory", "KillAfterLastUse", "DataflowUseInplaceCalls", "RewriteDataflowReshape"}},
      {"cast-steps", "casts through integers and narrow floats", 1, cast_steps, {"ToMixedPrecision", "FoldConstant"}},
  };
}

}  // namespace passdiff
