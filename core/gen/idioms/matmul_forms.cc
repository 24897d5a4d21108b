// Idioms of matrix products in forms that rewrites must tell apart: permuted sums and sums of narrow integers,
// biases of all shapes, symbolic widths, operands that depend on another product.
#include <algorithm>

#include "core/gen/graph_builder.h"
#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"

namespace passdiff {
namespace {

// x @ permute_dims(a + b). The matrices are often square: then shapes do not show whether they are permuted.
void permuted_sum(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  const Dim inner = graph.dim(choices);
  const Dim columns = choices.flip() ? inner : Dim(graph.dim(choices));
  const ExprPtr lhs =
      graph.want(choices, dtype, choices.one_in(4) ? Shape{inner} : Shape{graph.dim(choices), inner});
  const bool plain = choices.one_in(6);  // the axes are those of the identity
  const Shape shape = plain ? Shape{inner, columns} : Shape{columns, inner};
  const ExprPtr a = graph.fresh(choices, Origin::input, dtype, shape);
  const ExprPtr b = graph.fresh(choices, choices.flip() ? Origin::weight : Origin::input, dtype, shape);
  const ExprPtr sum = graph.call("relax.add", {a, b});
  AttrValue axes;
  if (plain) {
    axes = std::vector<std::int64_t>{0, 1};
  } else if (choices.flip()) {
    axes = std::vector<std::int64_t>{1, choices.flip() ? 0 : -2};
  }
  matmul(graph, lhs, graph.call("relax.permute_dims", {sum}, {{"axes", axes}}));
}

// x @ (a + b) of integers so narrow that a + b wraps; the products are added up in as many bits or in more.
void narrow_sum(Choices& choices, GraphBuilder& graph) {
  const DType dtype = choices.flip() ? DType::int8 : DType::uint8;
  const Shape shape{graph.dim(choices), graph.dim(choices)};
  const ExprPtr lhs = graph.want(choices, dtype, {graph.dim(choices), shape[0]});
  const FillSpec any{.fill = Fill::indices,
                     .limit = dtype == DType::int8 ? 128 : 256,
                     .allow_negative = dtype == DType::int8};
  const ExprPtr a = graph.fresh(choices, Origin::input, dtype, shape, any);
  const ExprPtr b = graph.fresh(choices, Origin::weight, dtype, shape, any);
  const ExprPtr sum = graph.call("relax.add", {a, b});
  const AttrValue out_dtypes[] = {DType::int32, AttrValue(), dtype, DType::float32};
  matmul(graph, lhs, sum, choices.pick(out_dtypes));
}

// A symbolic dim that a parameter defines, or null if there is none.
Dim symbolic_dim(Choices& choices, GraphBuilder& graph) {
  const auto& symbols = graph.function().symbols;
  const auto found =
      std::find_if(symbols.begin(), symbols.end(), [](const Symbol& s) { return s.of_parameter; });
  return found == symbols.end() ? Dim(graph.dim(choices)) : Dim(found->var);
}

// Several matmuls of one left operand with biases of one kind: a vector, a row, a whole matrix, or broadcast.
void biased_matmuls(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  const Dim rows = graph.dim(choices), inner = graph.dim(choices);
  const ExprPtr lhs = graph.want(choices, dtype, {rows, inner});
  const std::size_t form = choices.index(5);
  const bool relu = choices.one_in(4);
  for (std::size_t count = 2 + choices.index(2); count > 0; --count) {
    const Dim width = graph.dim(choices);
    const ExprPtr product = matmul(graph, lhs, graph.fresh(choices, Origin::weight, dtype, {inner, width}));
    const Shape forms[] = {{Dim(1), width}, {width}, {rows, width}, {Dim(1)}, {rows, Dim(1)}};
    const ExprPtr bias = graph.fresh(choices, Origin::weight, dtype, forms[form]);
    const ExprPtr sum = graph.call("relax.add", {product, bias});
    if (relu) graph.call("relax.nn.relu", {sum});
  }
}

// Several matmuls of one left operand, the width of one of them symbolic.
void widths_of_matmuls(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  const Dim rows = graph.dim(choices), inner = graph.dim(choices);
  const ExprPtr lhs = graph.want(choices, dtype, {rows, inner});
  const std::size_t count = 2 + choices.index(2), symbolic = choices.index(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Dim width = i == symbolic ? symbolic_dim(choices, graph) : Dim(graph.dim(choices));
    matmul(graph, lhs, graph.fresh(choices, Origin::weight, dtype, {inner, width}));
  }
}

// The right operand of one matmul comes from another one with the same left operand.
void dependent_matmuls(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  const Dim size = graph.dim(choices);
  const ExprPtr lhs = graph.want(choices, dtype, {size, size});
  const ExprPtr first = matmul(graph, lhs, graph.fresh(choices, Origin::weight, dtype, {size, size}));
  const ExprPtr between = choices.flip() ? first : graph.call("relax.nn.relu", {first});
  if (choices.flip()) matmul(graph, lhs, graph.fresh(choices, Origin::weight, dtype, {size, size}));
  matmul(graph, lhs, between);
}

}  // namespace

std::vector<Idiom> matmul_forms_idioms() {
  return {
      {"permuted-sum", "x @ permute_dims(a + b)", 2, permuted_sum, {"ExpandMatmulOfSum"}},
      {"narrow-sum",
       "x @ (a + b) of integers that wrap, with and without a wider out_dtype",
       2,
       narrow_sum,
       {"ExpandMatmulOfSum"}},
      {"biased-matmuls",
       "matmuls of one left operand, with biases of several ranks, broadcast or not",
       2,
       biased_matmuls,
       {"CombineParallelMatmul"}},
      {"widths-of-matmuls",
       "matmuls of one left operand, the width of one symbolic",
       2,
       widths_of_matmuls,
       {"CombineParallelMatmul"}},
      {"dependent-matmuls",
       "matmuls of one left operand, one of them by way of another",
       1,
       dependent_matmuls,
       {"CombineParallelMatmul"}},
  };
}

}  // namespace passdiff
