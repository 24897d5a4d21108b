// Parts of networks that are trained: what Gradient differentiates.
#include "core/gen/idioms/parts.h"
#include "core/gen/training.h"

namespace passdiff {
namespace {

// A layer with weights and an activation, or what losses are made of.
void training(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  const Dim rows = graph.dim(choices), in = graph.dim(choices), out = graph.dim(choices);
  const ExprPtr x = graph.want(choices, dtype, {rows, in});
  ExprPtr value = graph.call("relax.matmul", {x, graph.fresh(choices, Origin::weight, dtype, {in, out})});
  if (choices.flip()) value = graph.call("relax.add", {value, graph.fresh(choices, Origin::weight, dtype, {out})});
  constexpr std::string_view kActivations[] = {"relax.nn.relu", "relax.sigmoid", "relax.tanh", "relax.nn.silu", "relax.exp"};
  if (!choices.one_in(3)) value = graph.call(choices.pick(kActivations), {value});
  switch (choices.index(4)) {
    case 0:
      graph.call("relax.nn.softmax", {value}, {{"axis", std::int64_t{-1}}});
      return;
    case 1:
      graph.call("relax.nn.cross_entropy_with_logits", {value, graph.want(choices, dtype, {rows, out})});
      return;
    case 2: {
      const ExprPtr log = graph.call("relax.nn.log_softmax", {value}, {{"axis", std::int64_t{-1}}});
      const FillSpec classes{.fill = Fill::indices, .limit = out.value(), .allow_negative = false};
      const ExprPtr targets = graph.want(choices, DType::int64, {rows}, classes);
      graph.call("relax.nn.nll_loss", {log, targets});
      return;
    }
    default:
      return;
  }
}

}  // namespace

std::vector<Idiom> training_idioms() {
  return {{.name = "training",
           .summary = "layers with weights and losses, in a function that returns a scalar, all of it differentiable",
           .weight = 7,
           .make = training,
           .passes = {"Gradient"},
           .trains = true}};
}

}  // namespace passdiff
