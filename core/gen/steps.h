// Steps: the ways in which a body grows by a few bindings.
#pragma once

#include "core/gen/graph_builder.h"

namespace passdiff {

// Adds op calls, idioms and structure until the body has about `bindings` bindings. Gives up after many
// refusals.
void grow(Choices& choices, GraphBuilder& graph, int bindings);
// Op calls only: bodies of branches and closures.
void grow_calls(Choices& choices, GraphBuilder& graph, int bindings);

// Structure. False if nothing in scope is fit for it.
bool add_call_of_function(Choices& choices,
                          GraphBuilder& graph);  // of one that is made for it, or of a known one
bool add_closure(Choices& choices, GraphBuilder& graph);
bool add_branches(Choices& choices, GraphBuilder& graph);
// The helper is called on these values; tuples are allowed. Gives the result's variable or null.
ExprPtr call_new_function(Choices& choices, GraphBuilder& graph, const std::vector<ExprPtr>& args);

// A leaf or a tuple, to return.
ExprPtr choose_result(Choices& choices, GraphBuilder& graph);
// A scalar bool with a known value.
ExprPtr draw_condition(Choices& choices, GraphBuilder& graph);

// A finished branch. The graph it comes from must not be used any more.
struct Branch {
  Value value;
  Provenance provenance;
  SeqExpr body;
};
Branch finish_branch(GraphBuilder& graph, const ExprPtr& result);
// Null if the branches have no common type. `condition` is a variable.
ExprPtr bind_if(GraphBuilder& graph, const ExprPtr& condition, Branch then_branch, Branch else_branch);

// Runs `add` outside of dataflow blocks, as If and local functions demand; later bindings are in a block as
// before.
template <class Add>
auto outside_dataflow(GraphBuilder& graph, Add add) {
  const bool dataflow = graph.in_dataflow();
  if (dataflow) graph.begin_block(false);
  auto result = add();
  if (dataflow) graph.begin_block(true);
  return result;
}

}  // namespace passdiff
