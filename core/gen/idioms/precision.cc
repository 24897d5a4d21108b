// Idioms of values whose precision changes on the way, which a pass must neither drop nor add: ToMixedPrecision, FoldConstant,
// CombineParallelMatmul and ExpandMatmulOfSum meet them.
#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"

namespace passdiff {
namespace {

// A cast of a float32 to a narrower float, or to a wider one, and back at once.
void cast_round_trip(Choices& choices, GraphBuilder& graph) {
  const Shape shape = static_shape(graph, graph.shape(choices, 0, 3));
  const ExprPtr value = graph.fresh(choices, Origin::input, DType::float32, shape);
  const DType through = choices.pick({DType::float16, DType::bfloat16, DType::float64});
  const ExprPtr cast = graph.call("relax.astype", {value}, {{"dtype", through}});
  const ExprPtr back = graph.call("relax.astype", {cast}, {{"dtype", DType::float32}});
  if (choices.flip()) graph.call("relax.add", {back, value});
}

// A matmul of narrow operands that accumulates in float32, and is often cast back.
void wide_accumulation(Choices& choices, GraphBuilder& graph) {
  const DType narrow = choices.one_in(3) ? DType::bfloat16 : DType::float16;
  const Dim reduced(graph.dim(choices));
  const ExprPtr a = graph.fresh(choices, Origin::input, narrow, {Dim(graph.dim(choices)), reduced});
  const ExprPtr b = graph.fresh(choices, Origin::weight, narrow, {reduced, Dim(graph.dim(choices))});
  const ExprPtr product = graph.call("relax.matmul", {a, b}, {{"out_dtype", DType::float32}});
  if (choices.flip())
    graph.call("relax.negative", {product});
  else
    graph.call("relax.astype", {product}, {{"dtype", narrow}});
}

}  // namespace

std::vector<Idiom> precision_idioms() {
  return {
      {"cast-round-trip", "a float32 cast to another float and back", 1, cast_round_trip,
       {"ToMixedPrecision", "FoldConstant", "EliminateCommonSubexpr"}},
      {"wide-accumulation", "a matmul of 16-bit floats that accumulates in float32", 1, wide_accumulation,
       {"ToMixedPrecision", "CombineParallelMatmul", "ExpandMatmulOfSum", "AdjustMatmulOrder"}},
  };
}

}  // namespace passdiff
