// Idioms that put another idiom elsewhere: into the branches of an If, or into a private function. Whatever passes match in a main
// function they then meet there.
#include <algorithm>

#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"
#include "core/gen/steps.h"

namespace passdiff {
namespace {

// One of those that the case is drawn for, mostly; else any that may stand elsewhere. Null if all of them are avoided.
const Idiom* draw_inner(Choices& choices, GraphBuilder& graph) {
  std::vector<const Idiom*> fit;
  const auto add = [&](const Idiom& idiom) {
    const GenerateOptions& options = graph.draft().options;
    const bool asked_for = !idiom.needs_tensor_ir || options.tensor_ir;
    if (idiom.nests && asked_for && !is_avoided(options, idiom.name)) fit.push_back(&idiom);
  };
  if (!choices.one_in(4)) {
    for (const Idiom* idiom : graph.config().idioms) add(*idiom);
  }
  if (fit.empty()) {
    for (const Idiom& idiom : idiom_table()) add(idiom);
  }
  return fit.empty() ? nullptr : choices.pick(fit);
}

ExprPtr last_tensor(const GraphBuilder& graph) {
  const std::span<const Entry> entries = graph.entries();
  const auto found = std::find_if(entries.rbegin(), entries.rend(), [](const Entry& entry) {
    return entry.tensor != nullptr && entry.origin == Origin::computed;
  });
  return found == entries.rend() ? nullptr : found->shown.expr;
}

// The idiom in one branch of an If, and in the other the same idiom, ending in the same type, or something simple.
void inside_branches(Choices& choices, GraphBuilder& graph) {
  if (!graph.draft().options.control_flow) return;
  const Idiom* inner = draw_inner(choices, graph);
  const ExprPtr condition = draw_condition(choices, graph);
  if (inner == nullptr || condition == nullptr || as<Var>(condition) == nullptr) return;
  GraphBuilder then_graph(graph.draft(), graph.function(), &graph);
  if (!choices.one_in(3)) then_graph.begin_block(true);
  inner->make(choices, then_graph);
  const ExprPtr then_result = then_graph.binding_count() > 0 ? last_tensor(then_graph) : nullptr;
  if (then_result == nullptr) return;
  const Shape shape = result_shape(then_result);
  const DType dtype = result_dtype(then_result);
  GraphBuilder else_graph(graph.draft(), graph.function(), &graph);
  if (!choices.one_in(3)) else_graph.begin_block(true);
  if (choices.flip()) inner->make(choices, else_graph);
  ExprPtr else_result = else_graph.want(choices, dtype, shape);
  if (else_result != nullptr && choices.flip() && dtype != DType::boolean)
    else_result = else_graph.call("relax.add", {else_result, else_result});
  if (else_result == nullptr) return;
  Branch then_branch = finish_branch(then_graph, then_result);
  const ExprPtr result = bind_if(graph, condition, std::move(then_branch), finish_branch(else_graph, else_result));
  if (result == nullptr) return;
  if (dtype == DType::boolean)
    graph.call("relax.logical_not", {result});
  else
    graph.call("relax.add", {result, result});
}

// The idiom in a private function, or a public one, that is made for a call.
void inside_function(Choices& choices, GraphBuilder& graph) {
  if (!graph.draft().options.several_functions || graph.function().caller != nullptr) return;
  const Idiom* inner = draw_inner(choices, graph);
  const ExprPtr x = graph.any_tensor(choices, 0, 3);
  if (inner == nullptr || x == nullptr) return;
  const ExprPtr result = call_new_function(choices, graph, {x}, inner);
  if (result == nullptr) return;
  const TupleType* type = result->type.as_tuple();
  if (type != nullptr && !type->fields.empty())
    graph.item(result, static_cast<int>(choices.index(type->fields.size())));
  else
    graph.bind(result);
}

}  // namespace

std::vector<Idiom> wrapped_idioms() {
  return {
      {.name = "inside-branches",
       .summary = "another idiom in the branches of an If",
       .weight = 5,
       .make = inside_branches,
       .nests = false},
      {.name = "inside-function",
       .summary = "another idiom in a function that is made for it",
       .weight = 5,
       .make = inside_function,
       .passes = {"InlinePrivateFunctions"},
       .nests = false},
  };
}

}  // namespace passdiff
