// Ifs: two branches, which see the values of the body around, and of which one is executed.
#include "core/form/builder.h"
#include "core/gen/steps.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

constexpr int kMaxNesting = 2;

// Adds calls of ops, and seldom another If or a call of a function.
void grow_branch(Choices& choices, GraphBuilder& graph, int bindings) {
  grow_calls(choices, graph, bindings);
  if (!choices.one_in(6)) return;
  int nesting = 0;
  for (Operands* outer = graph.outer(); outer != nullptr; outer = outer->outer()) ++nesting;
  if (choices.flip() && graph.config().max_helpers > 0) {
    add_call_of_function(choices, graph);
  } else if (nesting < kMaxNesting) {
    add_branches(choices, graph);
  }
}

ExprPtr last_tensor(const GraphBuilder& graph) {
  const std::span<const Entry> entries = graph.entries();
  for (std::size_t i = entries.size(); i-- > 0;) {
    if (entries[i].tensor != nullptr && entries[i].var != nullptr) return entries[i].shown.expr;
  }
  return nullptr;
}

// A result of the same type as that of the other branch.
ExprPtr result_like(Choices& choices, GraphBuilder& graph, const ExprPtr& other) {
  if (const TupleType* tuple = other->type.as_tuple()) {
    std::vector<ExprPtr> fields;
    for (const Type& field : tuple->fields) {
      const TensorType& type = *field.as_tensor();
      fields.push_back(graph.want(choices, *type.dtype, *type.shape));
    }
    return graph.pack(std::move(fields));
  }
  const TensorType& type = *other->type.as_tensor();
  return graph.want(choices, *type.dtype, *type.shape);
}

bool holds(const Value& condition) {
  if (const auto* scalar = std::get_if<ScalarValue>(&condition.node)) return std::get<std::int64_t>(scalar->value) != 0;
  return as_int(condition.tensor(), 0) != 0;
}

}  // namespace

Branch finish_branch(GraphBuilder& graph, const ExprPtr& result) {
  Branch branch;
  branch.value = graph.value_of(result, branch.provenance);
  branch.body = graph.finish(result);
  return branch;
}

ExprPtr bind_if(GraphBuilder& graph, const ExprPtr& condition, Branch then_branch, Branch else_branch) {
  Provenance provenance;
  const bool taken = holds(graph.value_of(condition, provenance));
  provenance.join(then_branch.provenance);
  provenance.join(else_branch.provenance);
  provenance.lifted = false;
  Result<ExprPtr> made = make_if(condition, std::move(then_branch.body), std::move(else_branch.body));
  if (!made.ok()) return nullptr;
  Value value = std::move(taken ? then_branch.value : else_branch.value);
  return outside_dataflow(graph, [&] { return graph.bind_known(*made, std::move(value), provenance); });
}

ExprPtr draw_condition(Choices& choices, GraphBuilder& graph) {
  const Entry* known = graph.choose(choices, [](const Entry& e) {
    return e.tensor != nullptr && *e.tensor->dtype == DType::boolean && e.tensor->shape->empty() &&
           e.var != nullptr;
  });
  if (known != nullptr && !choices.one_in(4)) return known->shown.expr;
  if (choices.flip())
    return graph.fresh(choices, Origin::input, DType::boolean, {}, {.fill = Fill::booleans});
  const ExprPtr tensor = graph.any_tensor(choices, 0, 3, true);
  if (tensor == nullptr) return nullptr;
  const ExprPtr bound = graph.fresh(choices, Origin::constant, *tensor->type.as_tensor()->dtype, {});
  constexpr std::string_view kCompare[] = {"relax.less", "relax.greater", "relax.greater_equal"};
  const std::string_view compare = choices.pick(kCompare);
  return graph.call(compare, {graph.call("relax.sum", {tensor}), bound});
}

bool add_branches(Choices& choices, GraphBuilder& graph) {
  const ExprPtr condition = draw_condition(choices, graph);
  if (condition == nullptr || as<Var>(condition) == nullptr) return false;
  GraphBuilder then_graph(graph.draft(), graph.function(), &graph);
  if (choices.one_in(3)) then_graph.begin_block(true);
  grow_branch(choices, then_graph, 1 + static_cast<int>(choices.index(2)));
  ExprPtr result = last_tensor(then_graph);
  if (result == nullptr) return false;
  if (choices.one_in(4)) result = then_graph.pack({result, last_tensor(graph)});
  if (result == nullptr) return false;
  Branch then_branch = finish_branch(then_graph, result);

  GraphBuilder else_graph(graph.draft(), graph.function(), &graph);
  if (choices.one_in(3)) else_graph.begin_block(true);
  grow_branch(choices, else_graph, static_cast<int>(choices.index(3)));
  result = result_like(choices, else_graph, result);
  if (result == nullptr) return false;
  Branch else_branch = finish_branch(else_graph, result);

  return bind_if(graph, condition, std::move(then_branch), std::move(else_branch)) != nullptr;
}

}  // namespace passdiff
