// Idioms of normalisations, which the DecomposeOps passes take apart: over trailing and other axes, with epsilons that matter
// because the variance is close to zero.
#include <algorithm>

#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"
#include "core/tensor/filled.h"

namespace passdiff {
namespace {

using Ints = std::vector<std::int64_t>;

ExprPtr scalar(GraphBuilder& graph, DType dtype, double number) {
  return graph.constant(filled_tensor(dtype, Ints{}, [&](std::size_t) { return number; }));
}

// A float tensor; in every second case its elements are close together, so that epsilon decides about the result.
ExprPtr draw_data(Choices& choices, GraphBuilder& graph, int min_rank) {
  const Shape shape = static_shape(graph, graph.shape(choices, min_rank, 4));
  const DType dtype = graph.float_dtype(choices);
  const ExprPtr data = graph.want(choices, dtype, shape);
  if (data == nullptr || choices.flip()) return data;
  return graph.call("relax.multiply", {data, scalar(graph, dtype, 0.0078125)});
}

ExprPtr parameter(Choices& choices, GraphBuilder& graph, DType dtype, const Shape& shape) {
  return graph.fresh(choices, choices.one_in(4) ? Origin::constant : Origin::weight, dtype, shape,
                     {.fill = Fill::nonzero});
}

// layer_norm or rms_norm over the last axes, or over others.
void axis_norm(Choices& choices, GraphBuilder& graph) {
  const ExprPtr data = draw_data(choices, graph, 1);
  if (data == nullptr) return;
  const Shape& shape = result_shape(data);
  const std::size_t rank = shape.size();
  const std::size_t count = 1 + choices.index(std::min<std::size_t>(rank, 2));
  const std::size_t first = choices.one_in(4) ? choices.index(rank - count + 1) : rank - count;
  Ints axes;
  Shape over;
  for (std::size_t i = first; i < first + count; ++i) {
    axes.push_back(either_sign(choices, i, rank));
    over.push_back(shape[i]);
  }
  const ExprPtr gamma = parameter(choices, graph, result_dtype(data), over);
  const double epsilon = draw_norm_epsilon(choices);
  ExprPtr normed;
  if (choices.one_in(3)) {
    normed = graph.call("relax.nn.rms_norm", {data, gamma}, {{"axes", axes}, {"epsilon", epsilon}});
  } else {
    const ExprPtr beta = parameter(choices, graph, result_dtype(data), over);
    normed = graph.call("relax.nn.layer_norm", {data, gamma, beta},
                        {{"axes", axes},
                         {"epsilon", epsilon},
                         {"center", !choices.one_in(4)},
                         {"scale", !choices.one_in(4)}});
  }
  if (normed != nullptr) graph.call("relax.add", {normed, data});
}

// rms_norm of the last axis of a batch of rows to which a residual is added, as in a layer of a language model.
void rms_norm_of_rows(Choices& choices, GraphBuilder& graph) {
  const DType dtype = choices.one_in(4) ? DType::float16 : DType::float32;
  const Shape shape{Dim(choices.integer(1, 2)), Dim(choices.integer(2, 4)), Dim(choices.integer(1, 8))};
  const ExprPtr data = graph.want(choices, dtype, shape), residual = graph.want(choices, dtype, shape);
  if (data == nullptr || residual == nullptr) return;
  const ExprPtr sum = graph.call("relax.add", {data, residual});
  if (sum == nullptr) return;
  const ExprPtr weight = parameter(choices, graph, dtype, {shape.back()});
  graph.call("relax.nn.rms_norm", {sum, weight}, {{"axes", Ints{either_sign(choices, 2, 3)}}, {"epsilon", draw_norm_epsilon(choices)}});
}

// group_norm or instance_norm along any channel axis, over the other axes.
void channel_norm(Choices& choices, GraphBuilder& graph) {
  const ExprPtr data = draw_data(choices, graph, 3);
  if (data == nullptr) return;
  const Shape& shape = result_shape(data);
  const std::size_t channel = choices.one_in(3) ? choices.index(shape.size()) : 1;
  Ints axes;
  for (std::size_t i = choices.one_in(4) ? 0 : 1; i < shape.size(); ++i) {
    if (i != channel && i != 0) axes.push_back(either_sign(choices, i, shape.size()));
  }
  if (axes.empty()) return;
  const DType dtype = result_dtype(data);
  const Shape channels = {shape[channel]};
  const std::vector<ExprPtr> operands = {data, parameter(choices, graph, dtype, channels),
                                         parameter(choices, graph, dtype, channels)};
  const AttrValue axis = static_cast<std::int64_t>(channel);
  const AttrValue epsilon = draw_norm_epsilon(choices);
  const AttrValue center = !choices.one_in(4), scale = !choices.one_in(4);
  ExprPtr normed;
  if (choices.flip()) {
    const std::int64_t size = shape[channel].value();
    const std::int64_t groups = size % 2 == 0 && choices.flip() ? 2 : choices.flip() ? 1 : size;
    normed = graph.call("relax.nn.group_norm", operands,
                        {{"num_groups", groups},
                         {"channel_axis", axis},
                         {"axes", axes},
                         {"epsilon", epsilon},
                         {"center", center},
                         {"scale", scale}});
  } else {
    normed = graph.call("relax.nn.instance_norm", operands,
                        {{"channel_axis", axis},
                         {"axes", axes},
                         {"epsilon", epsilon},
                         {"center", center},
                         {"scale", scale}});
  }
  if (normed != nullptr) graph.call("relax.nn.relu", {normed});
}

// batch_norm for inference, of one or two values with the same parameters.
void inference_batch_norm(Choices& choices, GraphBuilder& graph) {
  const ExprPtr data = draw_data(choices, graph, 2);
  if (data == nullptr) return;
  const Shape& shape = result_shape(data);
  const std::size_t axis = choices.one_in(3) ? choices.index(shape.size()) : 1;
  const auto drawn = [&](Fill fill) {
    return graph.fresh(choices, Origin::weight, result_dtype(data), {shape[axis]}, {.fill = fill});
  };
  const ExprPtr gamma = drawn(Fill::small), beta = drawn(Fill::small), mean = drawn(Fill::small);
  ExprPtr variance = drawn(Fill::positive);
  if (choices.one_in(3)) variance = graph.call("relax.zeros_like", {variance});
  const double epsilon = choices.flip() ? 1e-3 : 0.5;
  const auto normed = [&](const ExprPtr& of) {
    const ExprPtr tuple = graph.call("relax.nn.batch_norm", {of, gamma, beta, mean, variance},
                                     {{"axis", static_cast<std::int64_t>(axis)},
                                      {"epsilon", epsilon},
                                      {"center", !choices.one_in(4)},
                                      {"scale", !choices.one_in(4)},
                                      {"training", false}});
    if (choices.one_in(4)) graph.item(tuple, 2);
    return graph.item(tuple, 0);
  };
  const ExprPtr once = normed(data);
  if (once != nullptr && choices.one_in(3)) normed(once);
}

// dropout, whose mask may be used, after a norm or an activation.
void dropped(Choices& choices, GraphBuilder& graph) {
  const ExprPtr data = graph.any_tensor(choices, 1, 4, true);
  if (data == nullptr) return;
  const ExprPtr before = choices.flip() ? graph.call("relax.nn.relu", {data}) : data;
  const ExprPtr tuple = graph.call("relax.nn.dropout", {before}, {{"rate", choices.flip() ? 0.5 : 0.1}});
  const ExprPtr kept = graph.item(tuple, 0);
  if (choices.one_in(3)) graph.item(tuple, 1);
  if (kept != nullptr) graph.call("relax.add", {kept, data});
}

// A variance, or a norm that divides by it, of numbers far from zero: a formula that takes the difference of two large numbers shows nothing of it.
void far_from_zero(Choices& choices, GraphBuilder& graph) {
  const DType dtype = choices.one_in(3) ? DType::float64 : DType::float32;
  const Shape shape = {Dim(choices.integer(1, 3)), Dim(choices.integer(2, 4))};
  const ExprPtr data = graph.fresh(choices, Origin::input, dtype, shape);
  const ExprPtr moved = graph.call("relax.add", {data, scalar(graph, dtype, choices.flip() ? 1000.25 : -300.5)});
  switch (choices.index(4)) {
    case 0:
    case 1:
      graph.call("relax.variance", {moved}, {{"axis", Ints{either_sign(choices, 1, 2)}}, {"keepdims", choices.flip()}});
      break;
    case 2:
      graph.call("relax.std", {moved}, {{"axis", Ints{either_sign(choices, 1, 2)}}, {"keepdims", choices.flip()}});
      break;
    default: {
      const ExprPtr gamma = parameter(choices, graph, dtype, {shape[1]}), beta = parameter(choices, graph, dtype, {shape[1]});
      graph.call("relax.nn.layer_norm", {moved, gamma, beta}, {{"axes", Ints{-1}}, {"epsilon", draw_norm_epsilon(choices)}});
      break;
    }
  }
}

}  // namespace

std::vector<Idiom> norms_idioms() {
  return {
      {"axis-norm", "layer_norm or rms_norm over the last axes or others", 2, axis_norm, {"DecomposeOpsForTraining", "ToMixedPrecision"}},
      {"rms-norm-of-rows", "rms_norm of the last axis of a batch of rows", 1, rms_norm_of_rows, {"dlight.gpu.RMSNorm"}},
      {"channel-norm", "group_norm or instance_norm along any axis", 1, channel_norm, {"DecomposeOpsForTraining"}},
      {"inference-batch-norm", "batch_norm for inference, of variances that may be zero", 2, inference_batch_norm, {"DecomposeOpsForInference"}},
      {"far-from-zero", "variances and norms of numbers far from zero", 1, far_from_zero, {"DecomposeOpsForTraining", "LegalizeOps"}},
      {"dropout", "dropout, with or without a use of its mask", 1, dropped, {"FuseOps"}},
  };
}

}  // namespace passdiff
