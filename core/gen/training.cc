#include "core/gen/training.h"

#include <algorithm>
#include <array>

#include "core/form/builder.h"

namespace passdiff {
namespace {

// The ops with a gradient in TVM 0.27 (python/tvm/relax/op/_op_gradient.py), without the prefix "relax.".
constexpr std::array<std::string_view, 53> kDifferentiable = {
    "abs",        "add",           "astype",       "broadcast_to",  "concat",       "cos",
    "cumsum",     "divide",        "equal",        "exp",           "expand_dims",  "full",
    "full_like",  "greater",       "greater_equal", "less",         "less_equal",   "log",
    "matmul",     "maximum",       "mean",         "minimum",       "multiply",     "negative",
    "nn.avg_pool2d", "nn.conv2d",  "nn.cross_entropy_with_logits", "nn.log_softmax", "nn.max_pool2d", "nn.nll_loss",
    "nn.relu",    "nn.silu",       "nn.softmax",   "not_equal",     "ones",         "ones_like",
    "permute_dims", "power",       "reshape",      "sigmoid",       "sin",          "split",
    "sqrt",       "subtract",      "sum",          "take",          "tanh",         "triu",
    "variance",   "where",         "zeros",        "zeros_like",    "grad.start_checkpoint"};

bool is_loss_operand(const Entry& entry, DType dtype) {
  return entry.origin == Origin::computed && entry.tensor != nullptr && entry.tensor->dtype == dtype;
}

// A number made of all elements of the tensor: each counts, and mostly each in another way.
ExprPtr to_scalar(Choices& choices, GraphBuilder& graph, const ExprPtr& x) {
  const TensorType& type = *x->type.as_tensor();
  if (type.shape->empty()) return x;
  const auto constant = [&] { return graph.fresh(choices, Origin::constant, *type.dtype, *type.shape); };
  switch (choices.index(5)) {
    case 0:
      return graph.call("relax.sum", {graph.call("relax.multiply", {x, constant()})});
    case 1: {
      const ExprPtr error = graph.call("relax.subtract", {x, constant()});
      return graph.call("relax.mean", {graph.call("relax.multiply", {error, error})});
    }
    case 2:
      return graph.call("relax.sum", {graph.call("relax.multiply", {x, x})});
    case 3:
      return graph.call("relax.mean", {x});
    default:
      return graph.call("relax.sum", {x});
  }
}

}  // namespace

bool is_differentiable(const OpDef& op) {
  constexpr std::string_view kPrefix = "relax.";
  const std::string_view name = std::string_view(op.name).substr(kPrefix.size());
  return std::find(kDifferentiable.begin(), kDifferentiable.end(), name) != kDifferentiable.end();
}

void restrict_to_training(Config& config) {
  std::erase_if(config.ops, [](std::uint8_t op) { return !is_differentiable(all_ops()[op]); });
  if (config.ops.empty()) {
    for (std::size_t i = 0; i < all_ops().size(); ++i) {
      if (is_differentiable(all_ops()[i])) config.ops.push_back(static_cast<std::uint8_t>(i));
    }
  }
  std::erase_if(config.idioms, [](const Idiom* idiom) { return !idiom->trains; });
  config.blocks = BlockStyle::one_dataflow;
  config.branches = config.closures = config.sibling = config.odd_outputs = false;
  config.max_helpers = 0;
  config.vdevices = 0;
}

ExprPtr choose_loss(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  ExprPtr loss;
  const std::size_t parts = 1 + choices.index(3);
  for (std::size_t i = 0; i < parts; ++i) {
    const Entry* entry = graph.choose(choices, [&](const Entry& e) { return e.uses == 0 && is_loss_operand(e, dtype); });
    if (entry == nullptr) entry = graph.choose(choices, [&](const Entry& e) { return is_loss_operand(e, dtype); });
    const ExprPtr operand = entry != nullptr ? entry->shown.expr : graph.want(choices, dtype, graph.shape(choices, 1, 3));
    if (operand == nullptr) continue;
    const ExprPtr part = to_scalar(choices, graph, operand);
    if (part != nullptr) loss = loss == nullptr ? part : graph.call("relax.add", {loss, part});
  }
  if (loss == nullptr || as<Var>(loss) == nullptr) return nullptr;
  if (!choices.one_in(3)) return loss;
  const Entry* other = graph.choose(choices, [&](const Entry& e) { return e.origin == Origin::computed && e.tensor != nullptr; });
  if (other == nullptr) return loss;
  return choices.flip() ? make_tuple({loss, other->shown.expr}) : make_tuple({other->shown.expr, loss});
}

}  // namespace passdiff
