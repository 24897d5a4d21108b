#include "core/text/parser/constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/form/builder.h"
#include "core/tensor/tensor.h"
#include "core/text/parser/literals.h"

namespace passdiff {
namespace {

constexpr std::size_t kMaxConstantRank = 64;

// The shape of nested lists, as the first list at each depth shows it.
std::vector<std::int64_t> list_shape(const Nodes& nodes, NodeIndex node) {
  std::vector<std::int64_t> shape;
  for (; nodes.is_sequence(node); node = nodes[node].first) {
    shape.push_back(nodes.child_count(node));
    if (nodes[node].first == kNoNode) break;
  }
  return shape;
}

std::optional<Error> set_element(const Nodes& nodes, NodeIndex node, Tensor& tensor, std::size_t at) {
  const std::optional<bool> flag = parse_bool(nodes, node);
  const auto no_element = [&] {
    return nodes.error(node, "parse.constant", fmt::format("an element is no {}", dtype_name(tensor.dtype)));
  };
  if (Tensor::Floats* floats = std::get_if<Tensor::Floats>(&tensor.values)) {
    const std::optional<double> value = flag ? std::optional(*flag ? 1.0 : 0.0) : parse_float(nodes, node);
    if (!value) return nodes.error(node, "parse.constant", "an element is no number");
    Rounding rounding;
    floats->data()[at] = round_float(tensor.dtype, *value, rounding);
    return std::nullopt;
  }
  if (Tensor::UInts* unsigned_values = std::get_if<Tensor::UInts>(&tensor.values)) {
    const std::optional<std::uint64_t> value =
        flag ? std::optional<std::uint64_t>(*flag ? 1 : 0) : parse_unsigned(nodes, node);
    if (!value || *value > int_max(tensor.dtype)) return no_element();
    unsigned_values->data()[at] = *value;
    return std::nullopt;
  }
  const std::optional<std::int64_t> value =
      flag ? std::optional<std::int64_t>(*flag ? 1 : 0) : TRY(parse_int(nodes, node));
  if (!value || *value < int_min(tensor.dtype) || *value > scalar_max(tensor.dtype)) return no_element();
  std::get<Tensor::Ints>(tensor.values).data()[at] = *value;
  return std::nullopt;
}

// Sets the elements of nested lists of this shape, from element `next` of the tensor on.
std::optional<Error> set_elements(const Nodes& nodes, NodeIndex node, std::span<const std::int64_t> shape,
                                  Tensor& tensor, std::size_t& next) {
  if (shape.empty()) return set_element(nodes, node, tensor, next++);
  if (!nodes.is_sequence(node) || nodes.child_count(node) != shape[0]) {
    return nodes.error(node, "parse.constant", "the lists of a constant differ in length");
  }
  for (const NodeIndex one : nodes.children(node)) {
    TRY_VOID(set_elements(nodes, one, shape.subspan(1), tensor, next));
  }
  return std::nullopt;
}

// R.const([], "int8", (0, 2)), which TVM does not have: lists cannot show the axes behind an axis of size 0.
Result<ExprPtr> empty_constant(const Nodes& nodes, DType dtype, std::span<const std::int64_t> list_shape,
                               NodeIndex shape) {
  const auto written = TRY(parse_ints(nodes, shape));
  const auto is_size = [](std::int64_t size) {
    return size >= 0 && size <= std::numeric_limits<std::int32_t>::max();
  };
  if (!written || list_shape.size() != 1 || list_shape[0] != 0 || written->size() > kMaxConstantRank ||
      !std::all_of(written->begin(), written->end(), is_size) ||
      std::find(written->begin(), written->end(), 0) == written->end()) {
    return nodes.error(shape, "parse.constant", "a shape is for constants without elements");
  }
  return make_constant(zeros(dtype, *written));
}

}  // namespace

Result<ExprPtr> parse_constant(const Nodes& nodes, NodeIndex call) {
  const std::vector<NodeIndex> values = TRY(nodes.match_arguments(call, {"value", "dtype", "shape"}));
  if (values[0] == kNoNode) return nodes.error(call, "parse.constant", "R.const needs a value");
  const std::vector<std::int64_t> shape = list_shape(nodes, values[0]);
  if (values[1] == kNoNode) {
    if (shape.empty()) return parse_number_constant(nodes, values[0]);
    return nodes.error(call, "parse.constant", "R.const of a list needs a dtype");
  }
  const DType dtype = TRY(parse_dtype(nodes, values[1]));
  if (values[2] != kNoNode) return empty_constant(nodes, dtype, shape, values[2]);
  return make_constant(TRY(parse_elements(nodes, values[0], dtype)));
}

Result<Tensor> parse_elements(const Nodes& nodes, NodeIndex value, DType dtype) {
  const std::vector<std::int64_t> shape = list_shape(nodes, value);
  if (shape.size() > kMaxConstantRank) {
    return nodes.error(value, "parse.constant", "a constant has too many axes");
  }
  // Ragged lists could claim more elements than the text holds: count before allocating.
  constexpr std::int64_t kMaxElements = std::int64_t{1} << 23;
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) {
    if (size != 0 && elements > kMaxElements / size) {
      return nodes.error(value, "parse.constant", "the lists of a constant differ in length");
    }
    elements *= size;
  }
  Tensor tensor = zeros(dtype, shape);
  std::size_t next = 0;
  TRY_VOID(set_elements(nodes, value, shape, tensor, next));
  return tensor;
}

Result<ExprPtr> parse_number_constant(const Nodes& nodes, NodeIndex node) {
  const NodeIndex digits = nodes[node].kind == NodeKind::unary ? nodes[node].first : node;
  DType dtype = parse_bool(nodes, node) ? DType::boolean : DType::float32;
  if (nodes[digits].kind == NodeKind::integer) dtype = DType::int32;
  Tensor tensor = zeros(dtype, {});
  TRY_VOID(set_element(nodes, node, tensor, 0));
  return make_constant(std::move(tensor));
}

}  // namespace passdiff
