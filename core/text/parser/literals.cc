#include "core/text/parser/literals.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <limits>

#include "core/text/metadata_key.h"

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

// The sign goes along with the digits: -9223372036854775808 has no positive counterpart.
template <class Int>
std::optional<Int> to_int(std::string_view digits, bool negative) {
  std::string text = without_underscores(digits);
  const int base = text.starts_with("0x") || text.starts_with("0X") ? 16 : 10;
  if (base == 16) text.erase(0, 2);
  if (negative) text.insert(0, "-");
  Int value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<bool> parse_bool(const Nodes& nodes, NodeIndex node) {
  if (nodes.is_name(node, "True")) return true;
  if (nodes.is_name(node, "False")) return false;
  if (nodes.call_path(node, "T") != "bool" || nodes.child_count(node) != 2) return std::nullopt;
  return parse_bool(nodes, nodes.child(node, 1));
}

std::optional<double> parse_float(const Nodes& nodes, NodeIndex node) {
  const Node& syntax = nodes[node];
  if (syntax.kind == NodeKind::unary) {
    if (syntax.text != "-" && syntax.text != "+") return std::nullopt;
    const std::optional<double> operand = parse_float(nodes, syntax.first);
    if (!operand) return std::nullopt;
    return syntax.text == "-" ? -*operand : *operand;
  }
  if (syntax.kind == NodeKind::floating || syntax.kind == NodeKind::integer) {
    return std::strtod(without_underscores(syntax.text).c_str(), nullptr);
  }
  if (syntax.kind == NodeKind::string) return special_float(syntax.text);
  if (syntax.kind != NodeKind::call || nodes.child_count(node) != 2) return std::nullopt;
  const std::optional<DType> dtype = dtype_from_name(nodes.call_path(node, "T"));
  if (!nodes.is_name(syntax.first, "float") && !(dtype && is_float(*dtype))) return std::nullopt;
  return parse_float(nodes, nodes.child(node, 1));
}

Result<std::optional<std::int64_t>> parse_int(const Nodes& nodes, NodeIndex node) {
  const bool negative = nodes[node].kind == NodeKind::unary && nodes[node].text == "-";
  const bool positive = nodes[node].kind == NodeKind::unary && nodes[node].text == "+";
  if (negative || positive) node = nodes[node].first;
  const std::optional<DType> dtype = dtype_from_name(nodes.call_path(node, "T"));
  if (!negative && dtype && !is_float(*dtype) && nodes.child_count(node) == 2) {
    return parse_int(nodes, nodes.child(node, 1));
  }
  if (nodes[node].kind != NodeKind::integer) return std::optional<std::int64_t>();
  const std::optional<std::int64_t> value = to_int<std::int64_t>(nodes[node].text, negative);
  if (value) return value;
  return nodes.error(node, "parse.number", fmt::format("{} does not fit into 64 bits", nodes[node].text));
}

std::optional<std::uint64_t> parse_unsigned(const Nodes& nodes, NodeIndex node) {
  if (nodes[node].kind != NodeKind::integer) return std::nullopt;
  return to_int<std::uint64_t>(nodes[node].text, false);
}

Result<std::optional<std::vector<std::int64_t>>> parse_ints(const Nodes& nodes, NodeIndex node) {
  using Ints = std::vector<std::int64_t>;
  if (!nodes.is_sequence(node)) return std::optional<Ints>();
  Ints values;
  for (const NodeIndex one : nodes.children(node)) {
    const std::optional<std::int64_t> value = TRY(parse_int(nodes, one));
    if (!value) return std::optional<Ints>();
    values.push_back(*value);
  }
  return std::optional(std::move(values));
}

bool is_digits(const Nodes& nodes, NodeIndex node) {
  const bool is_signed = nodes[node].kind == NodeKind::unary && (nodes[node].text == "-" || nodes[node].text == "+");
  const NodeKind kind = nodes[is_signed ? nodes[node].first : node].kind;
  return kind == NodeKind::integer || kind == NodeKind::floating;
}

Result<DType> parse_dtype(const Nodes& nodes, NodeIndex node) {
  if (nodes.call_path(node, "R") == "dtype" && nodes.child_count(node) == 2) node = nodes.child(node, 1);
  if (nodes[node].kind != NodeKind::string) {
    return nodes.error(node, "parse.dtype", "a dtype is expected, such as \"float32\"");
  }
  if (const std::optional<DType> dtype = dtype_from_name(nodes[node].text)) return *dtype;
  return nodes.error(node, "parse.dtype", fmt::format("dtype {} is not supported", nodes[node].text));
}

static Result<AttrValue> parse_list_attr(const Nodes& nodes, NodeIndex node) {
  std::vector<AttrValue> items;
  for (const NodeIndex one : nodes.children(node)) items.push_back(TRY(parse_attr(nodes, one)));
  return list_attr(std::move(items));
}

static Result<NamedAttrs> parse_dict_attr(const Nodes& nodes, NodeIndex dict) {
  NamedAttrs attrs;
  for (NodeIndex key = nodes[dict].first; key != kNoNode; key = nodes[nodes[key].sibling].sibling) {
    if (nodes[key].kind != NodeKind::string)
      return nodes.error(key, "parse.attribute", "a string is expected");
    attrs[std::string(nodes[key].text)] = TRY(parse_attr(nodes, nodes[key].sibling));
  }
  return attrs;
}

// metadata["ffi.Module"][0], an object that has no form here: it is kept by its name.
static Result<std::optional<AttrValue>> parse_metadata_attr(const Nodes& nodes, NodeIndex node) {
  const NodeIndex of = nodes[node].kind == NodeKind::subscript ? nodes.child(node, 0) : kNoNode;
  if (of == kNoNode || nodes[of].kind != NodeKind::subscript || !nodes.is_name(nodes[of].first, "metadata"))
    return std::optional<AttrValue>();
  const NodeIndex kind = nodes.child(of, 1);
  const std::optional<std::int64_t> index = TRY(parse_int(nodes, nodes.child(node, 1)));
  if (nodes[kind].kind != NodeKind::string || !index)
    return nodes.error(node, "parse.metadata", "metadata are read as metadata[\"class\"][index]");
  AttrList place{{std::string(nodes[kind].text), *index}};
  return std::optional<AttrValue>(AttrMap{{{std::string(kMetadataKey), std::move(place)}}});
}

Result<AttrValue> parse_attr(const Nodes& nodes, NodeIndex node) {
  static_assert(kAttrKinds == 12, "TVMScript of a new kind of attribute is read here");
  if (nodes.is_name(node, "None")) return AttrValue();
  if (const std::optional<bool> flag = parse_bool(nodes, node)) return AttrValue(*flag);
  if (const std::optional<std::int64_t> number = TRY(parse_int(nodes, node))) return AttrValue(*number);
  if (nodes[node].kind == NodeKind::string) return AttrValue(std::string(nodes[node].text));
  if (const std::optional<double> number = parse_float(nodes, node)) return AttrValue(*number);
  if (nodes.is_sequence(node)) return parse_list_attr(nodes, node);
  if (nodes[node].kind == NodeKind::dict) return AttrValue(AttrMap{TRY(parse_dict_attr(nodes, node))});
  if (nodes.call_path(node, "T") == "target" && nodes.child_count(node) == 2)
    return AttrValue(AttrMap{{{std::string(kTargetKey), TRY(parse_attr(nodes, nodes.child(node, 1)))}}});
  if (nodes.call_path(node, "R") == "dtype") return AttrValue(TRY(parse_dtype(nodes, node)));
  if (std::optional<AttrValue> object = TRY(parse_metadata_attr(nodes, node))) return *std::move(object);
  return nodes.error(node, "parse.attribute",
                     "an attribute is expected: None, a bool, a number, a string, a list or a dict");
}

Result<NamedAttrs> parse_named_attrs(const Nodes& nodes, NodeIndex call) {
  const NodeIndex dict = nodes.child(call, 1);
  if (dict == kNoNode || nodes[dict].kind != NodeKind::dict) {
    return nodes.error(call, "parse.attribute", "a dict is expected");
  }
  NamedAttrs attrs = TRY(parse_dict_attr(nodes, dict));
  attrs.erase("global_symbol");
  return attrs;
}

}  // namespace passdiff
