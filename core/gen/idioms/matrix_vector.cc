// Idioms of a matrix by a vector, and by few rows whose number is symbolic, as in decoding a token of a language model: schedules for them are
// of their own.
#include "core/gen/graph_builder.h"
#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"

namespace passdiff {
namespace {

// Some are whole tiles of schedules.
Dim draw_size(Choices& choices) {
  constexpr std::int64_t kSizes[] = {8, 4, 3, 16, 32};
  return choices.pick(kSizes);
}

// A bias of the result's last axis, an activation, or both.
void epilogue(Choices& choices, GraphBuilder& graph, ExprPtr result) {
  if (result == nullptr) return;
  const std::size_t kind = choices.index(3);
  if (kind != 1)
    result = graph.call("relax.add", {result, graph.fresh(choices, Origin::weight, result_dtype(result), {result_shape(result).back()})});
  if (kind != 0) graph.call("relax.nn.relu", {result});
}

// A matrix, or a batch of them, that may be scaled by rows or by elements, as a quantised one is, by a vector.
void matrix_vector(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  const Dim rows = draw_size(choices), inner = draw_size(choices);
  Shape shape{rows, inner};
  if (choices.one_in(4)) shape.insert(shape.begin(), Dim(choices.integer(1, 3)));
  ExprPtr matrix = graph.fresh(choices, Origin::weight, dtype, shape);
  if (choices.one_in(4)) {
    const Shape scales[] = {{rows, Dim(1)}, {inner}, shape};
    matrix = graph.call("relax.multiply", {matrix, graph.fresh(choices, Origin::weight, dtype, choices.pick(scales))});
  }
  const ExprPtr vector = graph.want(choices, dtype, {inner});
  epilogue(choices, graph, matmul(graph, matrix, vector, matmul_out_dtype(choices, dtype)));
}

// Rows whose number is symbolic by a matrix that lies either way round.
void symbolic_rows(Choices& choices, GraphBuilder& graph) {
  if (!graph.draft().options.symbolic_shapes) return;
  const DType dtype = graph.float_dtype(choices);
  const Dim inner = draw_size(choices), columns = draw_size(choices);
  const std::int64_t count = choices.integer(1, 5);
  const ExprPtr fixed = graph.fresh(choices, Origin::input, dtype, {Dim(count), inner});
  const ExprPtr rows = graph.match_cast(fixed, tensor_type({new_symbol(graph, count), inner}, dtype));
  const bool permuted = choices.flip();
  ExprPtr weight = graph.fresh(choices, Origin::weight, dtype, permuted ? Shape{columns, inner} : Shape{inner, columns});
  if (permuted) weight = graph.call("relax.permute_dims", {weight});
  epilogue(choices, graph, matmul(graph, rows, weight, matmul_out_dtype(choices, dtype)));
}

}  // namespace

std::vector<Idiom> matrix_vector_idioms() {
  return {
      {"matrix-vector", "a matrix, scaled or not, by a vector, then a bias and an activation", 2, matrix_vector, {"dlight.gpu.GEMV", "dlight.cpu.GEMV"}},
      {"symbolic-rows", "rows whose number is symbolic by a matrix, either way round", 2, symbolic_rows, {"dlight.gpu.LowBatchGEMV"}},
  };
}

}  // namespace passdiff
