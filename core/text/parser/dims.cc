#include "core/text/parser/dims.h"

#include <fmt/format.h>

#include "core/form/builder.h"
#include "core/text/parser/expression_reader.h"
#include "core/text/parser/literals.h"

namespace passdiff {

Error DimParser::expected(NodeIndex node) const {
  return nodes_.error(
      node, "parse.dim",
      "a dimension is expected: an integer, a symbolic variable or arithmetic over these");
}

Result<Dim> DimParser::symbol(NodeIndex node) {
  const std::string_view name = nodes_[node].text;
  const NameMeaning* meaning = names_.find(name);
  if (meaning != nullptr && meaning->symbol != nullptr) return Dim(meaning->symbol);
  if (meaning != nullptr || unknown_ == UnknownSymbol::error) {
    return nodes_.error(node, "parse.undefined-name", fmt::format("`{}` is no symbolic variable", name));
  }
  SymVar symbol = make_sym_var(std::string(name));
  names_.set(name, symbol);
  return Dim(std::move(symbol));
}

Result<Dim> DimParser::quoted(NodeIndex node) {
  ExpressionReader inner(Lexer::fragment(nodes_[node].text, nodes_[node].at), nodes_);
  const Result<NodeIndex> tree = inner.expression();
  const TokenKind rest = inner.token().kind;
  if (!tree || (rest != TokenKind::newline && rest != TokenKind::end)) {
    return nodes_.error(node, "parse.dim", "a string is no dimension");
  }
  if (++depth_ > kMaxNesting) return nodes_.error(node, "parse.nesting", "a dimension is nested too deeply");
  Dim result = TRY(dim(*tree));
  --depth_;
  return result;
}

Result<Dim> DimParser::operation(NodeIndex node) {
  const Dim lhs = TRY(dim(nodes_.child(node, 0)));
  const Dim rhs = TRY(dim(nodes_.child(node, 1)));
  const std::string_view text = nodes_[node].text;
  if (text == "+") return lhs + rhs;
  if (text == "-") return lhs - rhs;
  if (text == "*") return lhs * rhs;
  if (text == "//") return Dim::binary(DimOp::floor_divide, lhs, rhs);
  if (text == "%") return Dim::binary(DimOp::floor_mod, lhs, rhs);
  return nodes_.error(node, "parse.dim", fmt::format("`{}` is no operator of dimensions", text));
}

Result<ExprPtr> DimParser::comparison(NodeIndex node) {
  const std::optional<DimOp> op = dim_op_from_name(nodes_[node].text);
  if (nodes_[node].kind != NodeKind::binary || !op || !is_comparison(*op)) return expected(node);
  const Dim lhs = TRY(dim(nodes_.child(node, 0)));
  const Dim rhs = TRY(dim(nodes_.child(node, 1)));
  return make_expr(PrimValue{DType::boolean, Dim::binary(*op, lhs, rhs)}, prim_type(DType::boolean));
}

Result<Dim> DimParser::negated(NodeIndex node) {
  if (const std::optional<std::int64_t> value = TRY(parse_int(nodes_, node))) return Dim(*value);
  const Dim operand = TRY(dim(nodes_[node].first));
  if (nodes_[node].text != "-" && nodes_[node].text != "+") return expected(node);
  return nodes_[node].text == "-" ? operand * Dim(-1) : operand;
}

Result<Dim> DimParser::call(NodeIndex node) {
  const std::string path = nodes_.call_path(node, "T");
  if (path == "int64" && nodes_.child_count(node) == 2) return dim(nodes_.child(node, 1));
  std::optional<DimOp> op;
  if (path == "min") op = DimOp::minimum;
  if (path == "max") op = DimOp::maximum;
  if (path == "floordiv" || path == "FloorDiv") op = DimOp::floor_divide;
  if (path == "floormod" || path == "FloorMod") op = DimOp::floor_mod;
  if (!op || nodes_.child_count(node) != 3) return expected(node);
  const Dim lhs = TRY(dim(nodes_.child(node, 1)));
  const Dim rhs = TRY(dim(nodes_.child(node, 2)));
  return Dim::binary(*op, lhs, rhs);
}

Result<Dim> DimParser::dim(NodeIndex node) {
  switch (nodes_[node].kind) {
    case NodeKind::integer:
      return Dim(*TRY(parse_int(nodes_, node)));
    case NodeKind::name:
      return symbol(node);
    case NodeKind::string:
      return quoted(node);
    case NodeKind::binary:
      return operation(node);
    case NodeKind::unary:
      return negated(node);
    case NodeKind::call:
      return call(node);
    case NodeKind::floating:
    case NodeKind::attribute:
    case NodeKind::keyword:
    case NodeKind::subscript:
    case NodeKind::tuple:
    case NodeKind::list:
    case NodeKind::dict:
    case NodeKind::lambda:
    case NodeKind::slice:
      break;
  }
  return expected(node);
}

Result<Shape> DimParser::shape(NodeIndex node) {
  if (nodes_.call_path(node, "R") == "shape" && nodes_.child_count(node) == 2) node = nodes_.child(node, 1);
  if (!nodes_.is_sequence(node)) {
    return nodes_.error(node, "parse.shape", "a tuple or list of dimensions is expected");
  }
  Shape result;
  for (const NodeIndex one : nodes_.children(node)) result.push_back(TRY(dim(one)));
  return result;
}

Result<ExprPtr> DimParser::scalar(DType dtype, NodeIndex node) {
  const auto wrong = [&] {
    return nodes_.error(node, "parse.number", fmt::format("this is no {}", dtype_name(dtype)));
  };
  if (is_float(dtype)) {
    if (const std::optional<double> number = parse_float(nodes_, node)) return make_prim_float(*number, dtype);
    return wrong();
  }
  if (const std::optional<bool> flag = parse_bool(nodes_, node)) {
    return make_expr(PrimValue{dtype, Dim(*flag ? 1 : 0)}, prim_type(dtype));
  }
  if (const std::optional<std::int64_t> integer = TRY(parse_int(nodes_, node))) {
    if (*integer < int_min(dtype) || *integer > scalar_max(dtype)) return wrong();
    return make_expr(PrimValue{dtype, Dim(*integer)}, prim_type(dtype));
  }
  if (dtype != DType::int64) return wrong();
  return make_prim(TRY(dim(node)));
}

Result<ExprPtr> DimParser::scalar_call(NodeIndex call) {
  const std::optional<DType> dtype = dtype_from_name(nodes_.call_path(call, "T"));
  if (dtype && nodes_.child_count(call) == 2) return scalar(*dtype, nodes_.child(call, 1));
  return make_prim(TRY(dim(call)));
}

Result<ExprPtr> parse_number(const Nodes& nodes, NodeIndex node) {
  if (const std::optional<std::int64_t> integer = TRY(parse_int(nodes, node))) return make_prim(*integer);
  if (const std::optional<double> value = parse_float(nodes, node)) return make_prim_float(*value, DType::float64);
  return nodes.error(node, "parse.number", "a number is expected");
}

}  // namespace passdiff
