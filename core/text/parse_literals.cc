#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/form/builder.h"
#include "core/text/parse.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

std::string without_underscores(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c != '_') digits += c;
  }
  return digits;
}

std::optional<double> special_float(std::string_view text) {
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

// The digits with a sign before them: -9223372036854775808 has no positive counterpart.
std::optional<std::int64_t> to_int(std::string_view digits, bool negative) {
  std::string text = without_underscores(digits);
  const int base = text.starts_with("0x") || text.starts_with("0X") ? 16 : 10;
  if (base == 16) text.erase(0, 2);
  if (negative) text.insert(0, "-");
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::int64_t> TextParser::int_value(NodeIndex node) {
  bool negative = false;
  if (nodes_[node].kind == NodeKind::unary) {
    negative = nodes_[node].text == "-";
    node = nodes_.child(node, 0);
  }
  const std::string prim = call_path(node, "T");
  if (!negative && nodes_.children(node) == 2 && dtype_from_name(prim) && !is_float(*dtype_from_name(prim))) {
    return int_value(nodes_.child(node, 1));
  }
  if (nodes_[node].kind != NodeKind::integer) return std::nullopt;
  const std::optional<std::int64_t> value = to_int(nodes_[node].text, negative);
  if (!value) fail(node, "parse.number", fmt::format("{} does not fit into 64 bits", nodes_[node].text));
  return value;
}

std::optional<bool> TextParser::bool_value(NodeIndex node) {
  if (is_name(node, "True")) return true;
  if (is_name(node, "False")) return false;
  if (call_path(node, "T") == "bool" && nodes_.children(node) == 2) return bool_value(nodes_.child(node, 1));
  return std::nullopt;
}

std::optional<double> TextParser::float_value(NodeIndex node) {
  const Node& syntax = nodes_[node];
  if (syntax.kind == NodeKind::unary) {
    const std::optional<double> operand = float_value(syntax.first);
    if (!operand) return std::nullopt;
    return syntax.text == "-" ? -*operand : *operand;
  }
  if (syntax.kind == NodeKind::floating || syntax.kind == NodeKind::integer) {
    return std::strtod(without_underscores(syntax.text).c_str(), nullptr);
  }
  if (syntax.kind == NodeKind::string) return special_float(syntax.text);
  if (syntax.kind != NodeKind::call || nodes_.children(node) != 2) return std::nullopt;
  const NodeIndex argument = nodes_.child(node, 1);
  const std::optional<DType> dtype = dtype_from_name(call_path(node, "T"));
  if (is_name(syntax.first, "float") || (dtype && is_float(*dtype))) return float_value(argument);
  return std::nullopt;
}

std::optional<DType> TextParser::dtype_value(NodeIndex node) {
  if (call_path(node, "R") == "dtype" && nodes_.children(node) == 2) node = nodes_.child(node, 1);
  if (nodes_[node].kind == NodeKind::string) {
    if (const std::optional<DType> dtype = dtype_from_name(nodes_[node].text)) return dtype;
    fail(node, "parse.dtype", fmt::format("dtype {} is not supported", nodes_[node].text));
    return std::nullopt;
  }
  fail(node, "parse.dtype", "a dtype is expected, such as \"float32\"");
  return std::nullopt;
}

std::optional<std::vector<std::int64_t>> TextParser::ints_value(NodeIndex node) {
  if (nodes_[node].kind != NodeKind::list && nodes_[node].kind != NodeKind::tuple) return std::nullopt;
  std::vector<std::int64_t> values;
  for (NodeIndex at = nodes_[node].first; at != kNoNode; at = nodes_[at].sibling) {
    const std::optional<std::int64_t> value = int_value(at);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::optional<AttrValue> TextParser::attr_value(NodeIndex node) {
  if (is_name(node, "None")) return AttrValue(std::monostate());
  if (const std::optional<bool> flag = bool_value(node)) return AttrValue(*flag);
  if (const std::optional<std::int64_t> number = int_value(node)) return AttrValue(*number);
  if (nodes_[node].kind == NodeKind::string) return AttrValue(std::string(nodes_[node].text));
  if (const std::optional<double> number = float_value(node)) return AttrValue(*number);
  if (std::optional<std::vector<std::int64_t>> list = ints_value(node)) return AttrValue(std::move(*list));
  if (call_path(node, "R") == "dtype") {
    const std::optional<DType> dtype = dtype_value(node);
    return dtype ? std::optional(AttrValue(*dtype)) : std::nullopt;
  }
  fail(node, "parse.attribute",
       "an attribute is expected: None, a bool, a number, a string or a list of integers");
  return std::nullopt;
}

bool TextParser::list_shape(NodeIndex node, std::vector<std::int64_t>& shape) {
  while (nodes_[node].kind == NodeKind::list || nodes_[node].kind == NodeKind::tuple) {
    shape.push_back(nodes_.children(node));
    if (nodes_[node].first == kNoNode) break;
    node = nodes_[node].first;
  }
  return true;
}

bool TextParser::element(NodeIndex node, Tensor& tensor, std::size_t at) {
  const std::optional<bool> flag = bool_value(node);
  if (is_float(tensor.dtype)) {
    const std::optional<double> value = flag ? std::optional(*flag ? 1.0 : 0.0) : float_value(node);
    if (!value) return fail(node, "parse.constant", "an element is no number");
    Rounding rounding;
    std::get<Tensor::Floats>(tensor.values).data()[at] = round_float(tensor.dtype, *value, rounding);
    return true;
  }
  const std::optional<std::int64_t> value =
      flag ? std::optional<std::int64_t>(*flag ? 1 : 0) : int_value(node);
  if (!value || *value < int_min(tensor.dtype) || *value > int_max(tensor.dtype)) {
    return fail(node, "parse.constant", fmt::format("an element is no {}", dtype_name(tensor.dtype)));
  }
  if (Tensor::UInts* unsigned_values = std::get_if<Tensor::UInts>(&tensor.values)) {
    unsigned_values->data()[at] = static_cast<std::uint64_t>(*value);
  } else {
    std::get<Tensor::Ints>(tensor.values).data()[at] = *value;
  }
  return true;
}

bool TextParser::list_elements(NodeIndex node, const std::vector<std::int64_t>& shape, std::size_t axis,
                               Tensor& tensor, std::size_t& next) {
  if (axis == shape.size()) return element(node, tensor, next++);
  const bool is_list = nodes_[node].kind == NodeKind::list || nodes_[node].kind == NodeKind::tuple;
  if (!is_list || nodes_.children(node) != shape[axis]) {
    return fail(node, "parse.constant", "the lists of a constant differ in length");
  }
  for (NodeIndex at = nodes_[node].first; at != kNoNode; at = nodes_[at].sibling) {
    if (!list_elements(at, shape, axis + 1, tensor, next)) return false;
  }
  return true;
}

ExprPtr TextParser::constant(NodeIndex call) {
  std::vector<NodeIndex> values;
  if (!arguments(call, {"value", "dtype", "shape"}, values)) return nullptr;
  if (values[0] == kNoNode) {
    fail(call, "parse.constant", "R.const needs a value");
    return nullptr;
  }
  std::vector<std::int64_t> shape;
  list_shape(values[0], shape);
  if (values[1] == kNoNode) {
    if (shape.empty()) return number_constant(values[0]);
    fail(call, "parse.constant", "R.const of a list needs a dtype");
    return nullptr;
  }
  const std::optional<DType> dtype = dtype_value(values[1]);
  if (!dtype) return nullptr;
  if (values[2] != kNoNode) {  // our own spelling for sizes that lists cannot say
    const std::optional<std::vector<std::int64_t>> written = ints_value(values[2]);
    bool empty = false;
    bool good = written.has_value() && shape == std::vector<std::int64_t>{0} && written->size() <= 64;
    for (std::size_t i = 0; good && i < written->size(); ++i) {
      good = (*written)[i] >= 0 && (*written)[i] <= std::numeric_limits<std::int32_t>::max();
      empty = empty || (*written)[i] == 0;
    }
    if (!good || !empty) {
      fail(values[2], "parse.constant", "a shape is for constants without elements");
      return nullptr;
    }
    return make_constant(zeros(*dtype, *written));
  }
  constexpr std::size_t kMaxConstantRank = 64;
  if (shape.size() > kMaxConstantRank) {
    fail(call, "parse.constant", "a constant has too many axes");
    return nullptr;
  }
  // Ragged lists could claim more elements than the text holds: count before allocating.
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) {
    if (size != 0 && elements > (std::int64_t{1} << 23) / size) {
      fail(call, "parse.constant", "the lists of a constant differ in length");
      return nullptr;
    }
    elements *= size;
  }
  Tensor tensor = zeros(*dtype, shape);
  std::size_t next = 0;
  if (!list_elements(values[0], shape, 0, tensor, next)) return nullptr;
  return make_constant(std::move(tensor));
}

ExprPtr TextParser::number_constant(NodeIndex node) {
  DType dtype = DType::float32;
  if (bool_value(node)) dtype = DType::boolean;
  const NodeIndex digits = nodes_[node].kind == NodeKind::unary ? nodes_.child(node, 0) : node;
  if (nodes_[digits].kind == NodeKind::integer) dtype = DType::int32;
  Tensor tensor = zeros(dtype, {});
  if (!element(node, tensor, 0)) return nullptr;
  return make_constant(std::move(tensor));
}

}  // namespace passdiff
