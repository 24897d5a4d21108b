// Idioms of effects, which passes must neither drop nor double nor reorder: DeadCodeElimination, EliminateCommonSubexpr and
// ConvertToDataflow meet them.
#include "core/form/builder.h"
#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"
#include "core/gen/steps.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// Only `main` is impure: functions that it calls may be called from branches and closures, which are pure.
bool may_have_effects(GraphBuilder& graph) {
  return graph.draft().options.effects && graph.function().caller == nullptr;
}

void perform(GraphBuilder& graph, std::string_view op, std::vector<ExprPtr> args) {
  Result<ExprPtr> call = make_call(*find_op(op), std::move(args), {});
  if (!call) return;
  graph.function().pure = false;
  outside_dataflow(graph, [&] {
    graph.perform(*call);
    return true;
  });
}

ExprPtr format_of(std::string text) {
  return make_expr(StringImm{std::move(text)}, object_type());
}

void print_values(Choices& choices, GraphBuilder& graph) {
  std::vector<ExprPtr> args = {format_of(choices.flip() ? "{}" : "")};
  for (std::size_t i = choices.index(3); i > 0; --i) {
    const ExprPtr value = graph.any_tensor(choices, 0, 3);
    if (value != nullptr) args.push_back(value);
  }
  perform(graph, "relax.print", std::move(args));
}

// An assertion that holds: of a condition that is known to, or of a constant.
void assert_what_holds(Choices& choices, GraphBuilder& graph) {
  ExprPtr condition = draw_condition(choices, graph);
  Provenance ignored;
  const bool holds = condition != nullptr && as_int(graph.value_of(condition, ignored).tensor(), 0) != 0;
  if (!holds) condition = make_expr(PrimValue{DType::boolean, Dim(1)}, prim_type(DType::boolean));
  perform(graph, "relax.assert_op", {condition, format_of("")});
}

// Prints and assertions around the same call twice.
void effects_between_calls(Choices& choices, GraphBuilder& graph) {
  if (!may_have_effects(graph)) return;
  const ExprPtr x = graph.any_tensor(choices, 0, 3);
  if (x == nullptr) return;
  graph.call("relax.add", {x, x});
  print_values(choices, graph);
  if (choices.flip()) assert_what_holds(choices, graph);
  graph.call("relax.add", {x, x});
  if (choices.flip()) print_values(choices, graph);
}

}  // namespace

std::vector<Idiom> effects_idioms() {
  return {
      {"effects-between-calls",
       "prints and assertions around equal calls, in an impure function",
       2,
       effects_between_calls,
       {"DeadCodeElimination", "EliminateCommonSubexpr", "ConvertToDataflow", "ToNonDataflow",
        "CanonicalizeBindings", "RemovePurityChecking", "TopologicalSort", "LegalizeOps"}},
  };
}

}  // namespace passdiff
