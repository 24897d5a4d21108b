// Steps: the ways in which a body grows by a few bindings.
#pragma once

#include "core/gen/graph_builder.h"
#include "core/gen/idioms.h"

namespace passdiff {

// Adds calls of ops, idioms and structure until the body has about `bindings` bindings, or too many steps could not
// be made.
void grow(Choices& choices, GraphBuilder& graph, int bindings);
// Adds calls of ops alone, for the bodies of branches and closures.
void grow_calls(Choices& choices, GraphBuilder& graph, int bindings);

// Each of these adds structure; false if nothing in scope is fit for it.
bool add_call_of_function(Choices& choices, GraphBuilder& graph);  // of a function made for it, or of a known one
bool add_closure(Choices& choices, GraphBuilder& graph);
bool add_branches(Choices& choices, GraphBuilder& graph);
// Makes a function and a call of it on these values, which may be tuples; its body is the idiom, or what is drawn if that is null.
// The variable of the result, or null.
ExprPtr call_new_function(Choices& choices, GraphBuilder& graph, const std::vector<ExprPtr>& args,
                          const Idiom* idiom = nullptr);

// What the body returns: a variable, a constant or a tuple.
ExprPtr choose_result(Choices& choices, GraphBuilder& graph);
// A bool tensor of rank 0, or null.
ExprPtr draw_condition(Choices& choices, GraphBuilder& graph);

// A finished branch. The builder that made it must not be used any more.
struct Branch {
  Value value;
  Provenance provenance;
  SeqExpr body;
};
Branch finish_branch(GraphBuilder& graph, const ExprPtr& result);
// Binds an If, whose condition is a variable or a scalar. Null if it does not type.
ExprPtr bind_if(GraphBuilder& graph, const ExprPtr& condition, Branch then_branch, Branch else_branch);

// Runs `add` outside of dataflow blocks, where alone Ifs and local functions may stand; later bindings stand in a
// block of the kind before.
template <class Add>
auto outside_dataflow(GraphBuilder& graph, Add add) {
  const bool dataflow = graph.in_dataflow();
  if (dataflow) graph.begin_block(false);
  auto result = add();
  if (dataflow) graph.begin_block(true);
  return result;
}

}  // namespace passdiff
