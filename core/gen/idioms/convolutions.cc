// Idioms of convolutions: with batch_norm, which FoldBatchnormToConv2D and DecomposeOpsForInference match, and in the chains
// through which ConvertLayout carries a layout.
#include <algorithm>

#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"

namespace passdiff {
namespace {

using Ints = std::vector<std::int64_t>;

// The sizes in the order of the layout's letters; those in `plain` order are given.
Shape arranged(const Shape& sizes, std::string_view plain, std::string_view layout) {
  Shape shape;
  for (const char axis : layout) shape.push_back(sizes[plain.find(axis)]);
  return shape;
}

struct Layouts {
  std::string_view data, kernel;
};
// The first ones are those that passes know best.
constexpr Layouts kLayouts[] = {{"NCHW", "OIHW"}, {"NCHW", "OIHW"}, {"NCHW", "OIHW"}, {"NHWC", "OHWI"},
                                {"NHWC", "OIHW"}, {"NHWC", "HWIO"}, {"NCHW", "IOHW"}};

// A convolution, with what is known of it while its followers are drawn.
struct Convolution {
  ExprPtr result;
  std::string_view layout;
  std::size_t channel_axis = 1;
};

Convolution conv2d(Choices& choices, GraphBuilder& graph, const ExprPtr& given, Origin weight_origin,
                   Layouts layouts) {
  const DType dtype = given != nullptr ? result_dtype(given) : graph.float_dtype(choices);
  const std::int64_t groups = choices.one_in(4) ? 2 : 1;
  const std::int64_t out = groups * choices.integer(1, 2);
  std::int64_t in = groups * choices.integer(1, 2);
  ExprPtr data = given;
  if (data == nullptr) {
    const Shape sizes = {choices.one_in(4) ? 2 : 1, in, choices.integer(3, 5), choices.integer(3, 4)};
    data = graph.fresh(choices, Origin::input, dtype, arranged(sizes, "NCHW", layouts.data));
  } else {
    const Dim& channels = result_shape(data)[layouts.data.find('C')];
    if (!channels.is_static() || channels.value() % groups != 0) return {};
    in = channels.value();
  }
  const std::int64_t taps = choices.integer(1, 3);
  const Shape kernel = {out, in / groups, taps, choices.one_in(4) ? 1 : taps};
  const ExprPtr weight = graph.fresh(choices, weight_origin, dtype, arranged(kernel, "OIHW", layouts.kernel));
  const std::int64_t pad = choices.index(2) != 0 ? taps / 2 : 0;
  const Ints padding = choices.one_in(4) ? Ints{pad, 0, 1, pad} : Ints{pad, pad, pad, pad};
  const std::int64_t stride = choices.one_in(3) ? 2 : 1;
  const DType widened = dtype == DType::float32 ? DType::float64 : DType::float32;
  const AttrValue out_dtype = choices.one_in(8) ? AttrValue(widened) : choices.one_in(4) ? AttrValue(dtype) : AttrValue();
  const ExprPtr result = graph.call("relax.nn.conv2d", {data, weight},
                                    {{"strides", Ints{stride, stride}},
                                     {"padding", padding},
                                     {"dilation", choices.one_in(5) ? Ints{1, 2} : Ints{1, 1}},
                                     {"groups", groups},
                                     {"data_layout", std::string(layouts.data)},
                                     {"kernel_layout", std::string(layouts.kernel)},
                                     {"out_layout", std::string(layouts.data)},
                                     {"out_dtype", out_dtype}});
  return {result, layouts.data, layouts.data.find('C')};
}

// batch_norm along the axis, of parameters of this origin; its tuple.
ExprPtr batch_norm(Choices& choices, GraphBuilder& graph, const ExprPtr& data, std::size_t axis, Origin origin,
                   bool training) {
  if (data == nullptr) return nullptr;
  const Shape channels = {result_shape(data)[axis]};
  const DType dtype = result_dtype(data);
  const auto drawn = [&](Fill fill) { return graph.fresh(choices, origin, dtype, channels, {.fill = fill}); };
  const ExprPtr gamma = drawn(Fill::nonzero), beta = drawn(Fill::small);
  const ExprPtr mean = drawn(Fill::small), variance = drawn(Fill::positive);
  const auto rank = result_shape(data).size();
  return graph.call("relax.nn.batch_norm", {data, gamma, beta, mean, variance},
                    {{"axis", choices.one_in(8) ? static_cast<std::int64_t>(axis) - static_cast<std::int64_t>(rank)
                                                : static_cast<std::int64_t>(axis)},
                     {"epsilon", draw_norm_epsilon(choices)},
                     {"center", !choices.one_in(4)},
                     {"scale", !choices.one_in(4)},
                     {"momentum", choices.flip() ? 0.1 : 0.25},
                     {"training", training}});
}

// conv2d, batch_norm for inference and its first item, with or without an activation. The parameters are mostly constants, as the
// fold asks for; the statistics or the convolution may be used elsewhere, the axis may be another than the channels'.
void conv_batch_norm(Choices& choices, GraphBuilder& graph) {
  const Origin origin = choices.one_in(5) ? Origin::weight : Origin::constant;
  const Convolution conv = conv2d(choices, graph, nullptr, origin, choices.pick(kLayouts));
  if (conv.result == nullptr) return;
  const std::size_t axis = choices.one_in(8) ? choices.index(4) : conv.channel_axis;
  const ExprPtr tuple = batch_norm(choices, graph, conv.result, axis, origin, false);
  const ExprPtr normed = graph.item(tuple, 0);
  if (normed != nullptr && choices.flip()) graph.call("relax.nn.relu", {normed});
  if (choices.one_in(6)) graph.item(tuple, 1 + static_cast<int>(choices.index(2)));
  if (choices.one_in(6)) graph.call("relax.abs", {conv.result});
}

// batch_norm for training, of which all items are used, and the same for inference beside it.
void batch_norm_training(Choices& choices, GraphBuilder& graph) {
  const Shape shape = static_shape(graph, graph.shape(choices, 2, 4));
  const ExprPtr data = graph.want(choices, graph.float_dtype(choices), shape);
  const std::size_t axis = choices.one_in(3) ? choices.index(shape.size()) : 1;
  const ExprPtr tuple = batch_norm(choices, graph, data, axis, Origin::weight, true);
  const ExprPtr normed = graph.item(tuple, 0);
  if (choices.flip()) graph.item(tuple, 1);
  if (choices.flip()) graph.item(tuple, 2);
  if (normed != nullptr && choices.one_in(3)) graph.call("relax.subtract", {normed, data});
}

ExprPtr pool(Choices& choices, GraphBuilder& graph, const Convolution& at) {
  constexpr std::string_view kPools[] = {"relax.nn.max_pool2d", "relax.nn.avg_pool2d"};
  const std::string layout(at.layout);
  if (choices.one_in(3)) {
    return graph.call("relax.nn.adaptive_avg_pool2d", {at.result},
                      {{"output_size", Ints{1, choices.integer(1, 2)}}, {"layout", layout}, {"out_layout", layout}});
  }
  const std::int64_t window = choices.integer(1, 2);
  return graph.call(choices.pick(kPools), {at.result},
                    {{"pool_size", Ints{window, window}},
                     {"strides", Ints{1, window}},
                     {"padding", choices.one_in(3) ? Ints{1, 1, 0, 0} : Ints{0, 0, 0, 0}},
                     {"ceil_mode", choices.flip()},
                     {"layout", layout},
                     {"out_layout", layout}});
}

// A value with the channels of the convolution that broadcasts with it: a bias.
ExprPtr bias_for(Choices& choices, GraphBuilder& graph, const Convolution& at) {
  Shape shape(4, Dim(1));
  shape[at.channel_axis] = result_shape(at.result)[at.channel_axis];
  if (at.channel_axis == 3 && choices.flip()) shape = {shape[3]};
  return graph.fresh(choices, choices.flip() ? Origin::weight : Origin::constant, result_dtype(at.result), shape);
}

ExprPtr norm_of(Choices& choices, GraphBuilder& graph, const Convolution& at) {
  const Shape& shape = result_shape(at.result);
  const auto channel = static_cast<std::int64_t>(at.channel_axis);
  const auto parameter = [&](Shape of) {
    return graph.fresh(choices, Origin::weight, result_dtype(at.result), of, {.fill = Fill::nonzero});
  };
  if (choices.flip()) {
    const std::size_t axis = choices.index(4);
    return graph.call("relax.nn.layer_norm", {at.result, parameter({shape[axis]}), parameter({shape[axis]})},
                      {{"axes", Ints{static_cast<std::int64_t>(axis)}}, {"epsilon", draw_norm_epsilon(choices)}});
  }
  Ints spatial;
  for (std::int64_t i = 1; i < 4; ++i) {
    if (i != channel) spatial.push_back(i);
  }
  return graph.call("relax.nn.group_norm",
                    {at.result, parameter({shape[at.channel_axis]}), parameter({shape[at.channel_axis]})},
                    {{"num_groups", std::int64_t{1}},
                     {"channel_axis", channel},
                     {"axes", spatial},
                     {"epsilon", draw_norm_epsilon(choices)}});
}

// What may follow a convolution and keeps its rank and channel axis.
ExprPtr follower(Choices& choices, GraphBuilder& graph, const Convolution& at) {
  constexpr std::string_view kUnary[] = {"relax.nn.relu", "relax.sigmoid",  "relax.tanh",     "relax.nn.gelu",
                                         "relax.nn.silu", "relax.negative", "relax.nn.leakyrelu"};
  switch (choices.index(9)) {
    case 0:
      return graph.call("relax.add", {at.result, bias_for(choices, graph, at)});
    case 1:
      return pool(choices, graph, at);
    case 2:
      return graph.call("relax.add", {at.result, at.result});
    case 3:
      return graph.call("relax.concat", {graph.pack({at.result, graph.call("relax.abs", {at.result})})},
                        {{"axis", either_sign(choices, choices.index(4), 4)}});
    case 4:
      return norm_of(choices, graph, at);
    case 5:
      return slice(graph, at.result, either_sign(choices, 2, 4), 0, 1000, choices.integer(1, 2));
    case 6:
      return graph.call("relax.nn.softmax", {at.result}, {{"axis", either_sign(choices, choices.index(4), 4)}});
    default:
      return graph.call(choices.pick(kUnary), {at.result});
  }
}

// What leaves the layout: it reduces axes, permutes them or flattens.
void leave_layout(Choices& choices, GraphBuilder& graph, const ExprPtr& value) {
  if (value == nullptr) return;
  constexpr std::string_view kReduce[] = {"relax.mean", "relax.sum", "relax.max"};
  const std::int64_t axis = either_sign(choices, choices.index(4), 4);
  switch (choices.index(6)) {
    case 0:
      graph.call(choices.pick(kReduce), {value}, {{"axis", Ints{axis}}, {"keepdims", choices.flip()}});
      break;
    case 1:
      graph.call("relax.permute_dims", {value}, {{"axes", draw_permutation(choices, 4)}});
      break;
    case 2:
      graph.call("relax.nn.batch_flatten", {value});
      break;
    case 3:
      graph.call("relax.squeeze", {value});
      break;
    case 4:
      graph.call("relax.cumsum", {value}, {{"axis", axis}});
      break;
    default:
      graph.call("relax.argmax", {value}, {{"axis", axis}, {"keepdims", choices.flip()}});
      break;
  }
}

// A convolution, what follows it, often another convolution, and what leaves the layout.
void conv_chain(Choices& choices, GraphBuilder& graph) {
  const Layouts layouts = choices.one_in(3) ? choices.pick(kLayouts) : Layouts{"NCHW", "OIHW"};
  Convolution at = conv2d(choices, graph, nullptr, choices.flip() ? Origin::weight : Origin::constant, layouts);
  const ExprPtr first = at.result;
  const std::size_t steps = 1 + choices.index(4);
  for (std::size_t i = 0; i < steps && at.result != nullptr; ++i) {
    at.result = choices.one_in(4) ? conv2d(choices, graph, at.result, Origin::weight, layouts).result
                                  : follower(choices, graph, at);
  }
  if (at.result != nullptr && choices.flip()) leave_layout(choices, graph, at.result);
  if (first != nullptr && choices.one_in(4)) graph.call("relax.nn.relu", {first});
}

}  // namespace

std::vector<Idiom> convolutions_idioms() {
  return {
      {"conv-batch-norm",
       "conv2d, batch_norm for inference and its first item",
       3,
       conv_batch_norm,
       {"FoldBatchnormToConv2D", "DecomposeOpsForInference", "FoldConstant"}},
      {"batch-norm-training",
       "batch_norm for training, with its statistics",
       2,
       batch_norm_training,
       {"DecomposeOpsForTraining"}},
      {"conv-chain",
       "conv2d, what follows in its layout, what leaves the layout",
       3,
       conv_chain,
       {"ConvertLayout", "ToMixedPrecision", "FuseOps"}},
  };
}

}  // namespace passdiff
