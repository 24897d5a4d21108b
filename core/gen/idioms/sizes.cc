// Idioms of what is computed of symbolic dims, as scalars: ComputePrimValue and VMShapeLower meet them.
#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"
#include "core/gen/steps.h"

namespace passdiff {
namespace {

constexpr std::string_view kBranchOps[] = {"relax.add", "relax.multiply", "relax.subtract"};

// A tensor, one of whose sizes becomes a symbolic dim.
ExprPtr cast_to_new_size(Choices& choices, GraphBuilder& graph) {
  const ExprPtr x = graph.any_tensor(choices, 1, 3);
  if (x == nullptr) return nullptr;
  Shape shape = result_shape(x);
  const std::size_t axis = choices.index(shape.size());
  shape[axis] = new_symbol(graph, graph.size_of(shape[axis]));
  return graph.match_cast(x, tensor_type(std::move(shape), result_dtype(x)));
}

// Arithmetic on symbolic dims of the function.
Dim computed_size(Choices& choices, GraphBuilder& graph, int depth = 2) {
  const std::vector<Symbol>& symbols = graph.function().symbols;
  if (depth == 0 || choices.one_in(4)) return symbols[choices.index(symbols.size())].var;
  constexpr DimOp kOps[] = {DimOp::add,     DimOp::subtract, DimOp::multiply, DimOp::floor_divide,
                            DimOp::floor_mod, DimOp::minimum,  DimOp::maximum};
  const DimOp op = choices.pick(kOps);
  const bool by_literal = op == DimOp::floor_divide || op == DimOp::floor_mod || choices.flip();
  const Dim lhs = computed_size(choices, graph, depth - 1);
  return Dim::binary(op, lhs, by_literal ? Dim(choices.integer(1, 6)) : computed_size(choices, graph, depth - 1));
}

ExprPtr condition_on_sizes(Choices& choices, GraphBuilder& graph) {
  constexpr DimOp kTests[] = {DimOp::equal, DimOp::not_equal, DimOp::less, DimOp::less_equal, DimOp::greater, DimOp::greater_equal};
  const DimOp op = choices.pick(kTests);
  const Dim bound(choices.integer(0, 4));
  Dim test = Dim::binary(op, computed_size(choices, graph), bound);
  // Some are known without the sizes, as that of n - n.
  if (test.is_static()) test = Dim::binary(op, computed_size(choices, graph, 0), bound);
  return make_expr(PrimValue{DType::boolean, test}, prim_type(DType::boolean));
}

// An If whose condition is computed of sizes.
void if_on_sizes(Choices& choices, GraphBuilder& graph) {
  if (!graph.draft().options.control_flow) return;
  ExprPtr x = graph.any_tensor(choices, 0, 3);
  if (x == nullptr) return;
  if (result_dtype(x) == DType::boolean) x = graph.want(choices, DType::float32, result_shape(x));
  const ExprPtr condition = condition_on_sizes(choices, graph);
  GraphBuilder then_graph(graph.draft(), graph.function(), &graph);
  const ExprPtr then_result = then_graph.call(choices.pick(kBranchOps), {x, x});
  GraphBuilder else_graph(graph.draft(), graph.function(), &graph);
  const ExprPtr else_result = else_graph.call(choices.pick(kBranchOps), {x, x});
  if (then_result == nullptr || else_result == nullptr) return;
  Branch then_branch = finish_branch(then_graph, then_result);
  bind_if(graph, condition, std::move(then_branch), finish_branch(else_graph, else_result));
}

// A number computed of sizes as an operand.
void arithmetic_on_sizes(Choices& choices, GraphBuilder& graph) {
  const ExprPtr like = graph.any_tensor(choices, 0, 3);
  if (like == nullptr) return;
  const ExprPtr x = graph.want(choices, DType::int64, result_shape(like));
  const Dim size = computed_size(choices, graph);
  if (!size.is_static()) graph.call(choices.pick(kBranchOps), {x, make_expr(PrimValue{DType::int64, size}, prim_type(DType::int64))});
}

void computed_sizes(Choices& choices, GraphBuilder& graph) {
  if (!graph.draft().options.symbolic_shapes) return;
  if (!graph.has_symbols() && cast_to_new_size(choices, graph) == nullptr) return;
  if (!choices.one_in(6)) if_on_sizes(choices, graph);
  if (choices.one_in(3)) arithmetic_on_sizes(choices, graph);
}

}  // namespace

std::vector<Idiom> sizes_idioms() {
  return {
      {.name = "computed-sizes",
       .summary = "branches and operands that are computed of symbolic dims",
       .weight = 4,
       .make = computed_sizes,
       .passes = {"ComputePrimValue", "VMShapeLower"},
       .nests = false},
  };
}

}  // namespace passdiff
