#include "core/text/parser/tir_exprs.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/match.h"
#include "core/text/parser/expression_reader.h"
#include "core/text/parser/literals.h"
#include "core/text/tir_intrinsics.h"
#include "core/text/tir_printer.h"

namespace passdiff {

using tir::make_expr;

namespace {

using tir::BinaryOp;
using tir::number_type;
using tir::ScalarType;
using tir::with_lanes;

const ScalarType kBool = number_type(DType::boolean);
const ScalarType kInt32 = number_type(DType::int32);

std::optional<BinaryOp> binary_op_from_symbol(std::string_view symbol) {
  constexpr std::pair<std::string_view, BinaryOp> kOperators[] = {
      {"+", BinaryOp::add},           {"-", BinaryOp::subtract},      {"*", BinaryOp::multiply},
      {"/", BinaryOp::divide},        {"//", BinaryOp::floor_divide}, {"%", BinaryOp::floor_mod},
      {"==", BinaryOp::equal},        {"!=", BinaryOp::not_equal},    {"<", BinaryOp::less},
      {"<=", BinaryOp::less_equal},   {">", BinaryOp::greater},       {">=", BinaryOp::greater_equal},
      {"and", BinaryOp::logical_and}, {"or", BinaryOp::logical_or},
  };
  for (const auto& [text, op] : kOperators) {
    if (text == symbol) return op;
  }
  return std::nullopt;
}

// The type that both operands of an arithmetic op are converted to (TVM's BinaryOpMatchTypes): floats before integers, the
// wider before the narrower.
ScalarType common_type(const ScalarType& a, const ScalarType& b) {
  const ScalarType lanes = with_lanes(a, std::max(a.lanes, b.lanes));
  if (a.dtype == b.dtype) return lanes;
  const bool a_float = is_float(a.dtype);
  const bool take_b = a_float == is_float(b.dtype)
                          ? row_of(b.dtype).bits > row_of(a.dtype).bits || a.dtype == DType::boolean
                          : !a_float;
  return take_b ? with_lanes(b, lanes.lanes) : lanes;
}

tir::Expr int_of(std::int64_t value, const ScalarType& type) {
  const ScalarType scalar = with_lanes(type, 1);
  if (type.is_number() && is_float(type.dtype))
    return make_expr(tir::FloatImm{static_cast<double>(value)}, scalar);
  return make_expr(tir::IntImm{value}, type.is_number() ? scalar : kInt32);
}

tir::Expr broadcast(tir::Expr value, int lanes) {
  if (lanes == value->type.lanes || !value->type.is_number()) return value;
  const ScalarType type = with_lanes(value->type, lanes);
  return make_expr(tir::Broadcast{std::move(value)}, type);
}

}  // namespace

tir::Expr TirExprParser::cast(tir::Expr value, const ScalarType& type) {
  if (value->type == type || !type.is_number()) return value;
  if (type.lanes > 1 && value->type.lanes == 1)
    return broadcast(cast(std::move(value), with_lanes(type, 1)), type.lanes);
  if (const tir::IntImm* imm = tir::as<tir::IntImm>(value)) return int_of(imm->value, type);
  const tir::FloatImm* imm = tir::as<tir::FloatImm>(value);
  if (imm != nullptr && is_float(type.dtype)) return make_expr(tir::FloatImm{imm->value}, type);
  return make_expr(tir::Cast{std::move(value)}, type);
}

TirExprParser::Operand TirExprParser::retyped(Operand operand, const ScalarType& type) {
  if (!operand.bare) return operand;
  if (const tir::IntImm* imm = tir::as<tir::IntImm>(operand.expr)) return {int_of(imm->value, type)};
  const tir::FloatImm* imm = tir::as<tir::FloatImm>(operand.expr);
  if (imm != nullptr && type.is_number() && is_float(type.dtype))
    return {make_expr(tir::FloatImm{imm->value}, with_lanes(type, 1))};
  return operand;
}

bool TirExprParser::is_scalar(const tir::Buffer& buffer) const {
  return !s_tir_ && buffer->shape.size() == 1 && tir::is_int(buffer->shape[0], 1) &&
         buffer->strides.empty() && buffer->data_alignment == 64 && buffer->offset_factor == 1;
}

tir::Expr TirExprParser::load(const tir::Buffer& buffer, std::vector<tir::Expr> indices,
                              tir::Expr predicate) const {
  const int lanes = indices.empty() ? 1 : indices.back()->type.lanes;
  const ScalarType type = with_lanes(buffer->dtype, buffer->dtype.lanes * lanes);
  return make_expr(tir::BufferLoad{buffer, std::move(indices), std::move(predicate)}, type);
}

Result<ScalarType> TirExprParser::type(NodeIndex node) const {
  if (nodes_[node].kind == NodeKind::attribute && nodes_[node].text == "ty") node = nodes_[node].first;
  std::string name;
  if (nodes_[node].kind == NodeKind::string) {
    name = nodes_[node].text;
  } else if (nodes_.is_name(node, "None")) {
    return tir::kNoValue;
  } else {
    name = nodes_.path(nodes_[node].kind == NodeKind::call ? nodes_[node].first : node, "T");
    if (name == "Ptr") name = "handle";
    if (name.empty()) return nodes_.error(node, "parse.dtype", "a dtype is expected, such as T.float32");
  }
  if (const std::optional<ScalarType> type = tir::scalar_type_from_name(name)) return *type;
  return nodes_.error(node, "parse.dtype", fmt::format("dtype {} is not supported", name));
}

tir::Buffer TirExprParser::buffer(NodeIndex node) const {
  if (nodes_[node].kind == NodeKind::attribute && nodes_[node].text == "buffer") node = nodes_[node].first;
  if (nodes_[node].kind != NodeKind::name) return nullptr;
  const NameMeaning* meaning = context_.names.find(nodes_[node].text);
  return meaning == nullptr ? nullptr : meaning->buffer;
}

Result<tir::Expr> TirExprParser::expr(NodeIndex node) {
  return TRY(operand(node)).expr;
}

Result<tir::Expr> TirExprParser::expr_of(NodeIndex node, const ScalarType& type) {
  return cast(retyped(TRY(operand(node)), type).expr, type);
}

Result<std::vector<tir::Expr>> TirExprParser::exprs(NodeIndex sequence) {
  std::vector<tir::Expr> all;
  for (const NodeIndex one : nodes_.one_or_several(sequence)) all.push_back(TRY(expr(one)));
  return all;
}

Result<TirExprParser::Operand> TirExprParser::operand(NodeIndex node) {
  switch (nodes_[node].kind) {
    case NodeKind::name:
      return name(node);
    case NodeKind::integer:
      return Operand{int_of(*TRY(parse_int(nodes_, node)), kInt32), true};
    case NodeKind::floating:
      return Operand{make_expr(tir::FloatImm{*parse_float(nodes_, node)}, number_type(DType::float32)), true};
    case NodeKind::string:
      return Operand{make_expr(tir::StringImm{std::string(nodes_[node].text)}, tir::kHandle)};
    case NodeKind::unary:
      return unary(node);
    case NodeKind::binary:
      return operation(node);
    case NodeKind::attribute:
      return attribute(node);
    case NodeKind::subscript:
      return subscript(node);
    case NodeKind::call:
      return call(node);
    case NodeKind::keyword:
    case NodeKind::tuple:
    case NodeKind::list:
    case NodeKind::dict:
    case NodeKind::lambda:
    case NodeKind::slice:
      break;
  }
  return nodes_.error(node, "parse.expression", "an expression of TensorIR is expected");
}

Result<TirExprParser::Operand> TirExprParser::name(NodeIndex node) {
  if (const std::optional<bool> flag = parse_bool(nodes_, node)) return Operand{int_of(*flag ? 1 : 0, kBool)};
  const NameMeaning* meaning = context_.names.find(nodes_[node].text);
  if (meaning == nullptr)
    return nodes_.error(node, "parse.undefined-name", fmt::format("`{}` is not defined", nodes_[node].text));
  if (meaning->value != nullptr) return Operand{meaning->value};
  if (meaning->symbol != nullptr) return Operand{tir::var_expr(meaning->symbol)};
  if (meaning->buffer == nullptr)
    return nodes_.error(node, "parse.expression", "a value of Relax cannot be used here");
  if (is_scalar(meaning->buffer)) return Operand{load(meaning->buffer, {int_of(0, kInt32)})};
  return Operand{make_expr(tir::BufferArg{meaning->buffer}, tir::kHandle)};
}

Result<TirExprParser::Operand> TirExprParser::unary(NodeIndex node) {
  if (is_digits(nodes_, node) && nodes_[nodes_[node].first].kind == NodeKind::integer)
    return Operand{int_of(*TRY(parse_int(nodes_, node)), kInt32), true};
  const std::string_view symbol = nodes_[node].text;
  Operand value = TRY(operand(nodes_[node].first));
  const ScalarType type = value.expr->type;
  if (symbol == "+") return value;
  if (symbol == "not") return Operand{make_expr(tir::Not{value.expr}, with_lanes(kBool, type.lanes))};
  if (symbol == "~") return Operand{make_expr(tir::Call{"bitwise_not", {value.expr}}, type)};
  if (const tir::FloatImm* imm = tir::as<tir::FloatImm>(value.expr))
    return Operand{make_expr(tir::FloatImm{-imm->value}, type), value.bare};
  return Operand{TRY(binary(node, BinaryOp::multiply, std::move(value), {int_of(-1, type)}))};
}

// A.data, A.buffer, A.elem_offset.
Result<TirExprParser::Operand> TirExprParser::attribute(NodeIndex node) {
  const std::string_view field = nodes_[node].text;
  const tir::Buffer of = buffer(nodes_[node].first);
  if (of == nullptr) return nodes_.error(node, "parse.expression", "an attribute that means nothing here");
  if (field == "data") return Operand{make_expr(tir::BufferData{of}, tir::kHandle)};
  if (field == "buffer") return Operand{make_expr(tir::BufferArg{of}, tir::kHandle)};
  if (field == "elem_offset")
    return Operand{of->elem_offset ? of->elem_offset : int_of(0, tir::index_type(of->shape))};
  return nodes_.error(node, "parse.expression", fmt::format("a buffer has no {} here", field));
}

Result<tir::Range> TirExprParser::range(NodeIndex start, NodeIndex stop) {
  Operand low = TRY(operand(start));
  const Node& end = nodes_[stop];
  if (end.kind == NodeKind::binary && end.text == "+" && nodes_.same(end.first, start)) {
    tir::Expr extent = retyped(TRY(operand(nodes_.child(stop, 1))), low.expr->type).expr;
    return tir::Range{retyped(std::move(low), extent->type).expr, std::move(extent)};
  }
  Operand high = TRY(operand(stop));
  if (low.bare && !high.bare) low = retyped(std::move(low), high.expr->type);
  if (high.bare && !low.bare) high = retyped(std::move(high), low.expr->type);
  const tir::IntImm* first = tir::as<tir::IntImm>(low.expr);
  const tir::IntImm* last = tir::as<tir::IntImm>(high.expr);
  if (first != nullptr && first->value == 0) return tir::Range{low.expr, high.expr};
  if (first != nullptr && last != nullptr)
    return tir::Range{low.expr, int_of(last->value - first->value, high.expr->type)};
  if (tir::same(low.expr, high.expr)) return tir::Range{low.expr, int_of(0, low.expr->type)};
  tir::Expr extent = TRY(binary(stop, BinaryOp::subtract, std::move(high), low));
  return tir::Range{std::move(low.expr), std::move(extent)};
}

Result<std::vector<tir::Expr>> TirExprParser::indices(NodeIndex subscript) {
  const NodeIndex items = nodes_.child(subscript, 1);
  std::vector<tir::Expr> all;
  for (const NodeIndex item :
       nodes_[items].kind == NodeKind::tuple ? nodes_.one_or_several(items) : std::vector{items}) {
    if (nodes_[item].kind != NodeKind::slice) {
      all.push_back(TRY(expr(item)));
      continue;
    }
    const NodeIndex step = nodes_.child(item, 2);
    const tir::Range span = TRY(range(nodes_.child(item, 0), nodes_.child(item, 1)));
    const tir::Expr stride = step == kNoNode || nodes_.is_name(step, "None")
                                 ? int_of(1, span.min->type)
                                 : TRY(expr_of(step, span.min->type));
    const tir::IntImm* length = tir::as<tir::IntImm>(span.extent);
    const tir::IntImm* width = tir::as<tir::IntImm>(stride);
    if (length == nullptr || width == nullptr || width->value == 0 || length->value / width->value < 1 ||
        length->value / width->value > tir::kMaxLanes)
      return nodes_.error(item, "parse.expression", "a slice of unknown length is no vector");
    const int count = static_cast<int>(length->value / width->value);
    all.push_back(count == 1 ? span.min
                             : make_expr(tir::Ramp{span.min, stride}, with_lanes(span.min->type, count)));
  }
  return all;
}

Result<tir::BufferRegion> TirExprParser::region(NodeIndex node) {
  const bool whole = nodes_[node].kind != NodeKind::subscript;
  const tir::Buffer of = buffer(whole ? node : nodes_[node].first);
  if (of == nullptr) return nodes_.error(node, "parse.expression", "a region of a buffer is expected");
  tir::BufferRegion region{of, {}};
  if (whole) {
    for (const tir::Expr& size : of->shape) region.region.push_back({int_of(0, size->type), size});
    return region;
  }
  const NodeIndex items = nodes_.child(node, 1);
  for (const NodeIndex item :
       nodes_[items].kind == NodeKind::tuple ? nodes_.one_or_several(items) : std::vector{items}) {
    const std::size_t axis = region.region.size();
    if (nodes_[item].kind != NodeKind::slice) {
      tir::Expr index = TRY(expr(item));
      const ScalarType type = index->type;
      region.region.push_back({std::move(index), int_of(1, type)});
    } else if (nodes_.is_name(nodes_.child(item, 1), "None") && axis < of->shape.size()) {
      region.region.push_back({int_of(0, of->shape[axis]->type), of->shape[axis]});
    } else {
      region.region.push_back(TRY(range(nodes_.child(item, 0), nodes_.child(item, 1))));
    }
  }
  return region;
}

// metadata["ir.StringImm"][0].
Result<tir::Expr> TirExprParser::metadata_string(NodeIndex node) {
  const NodeIndex kind = nodes_.child(nodes_[node].first, 1);
  const std::optional<std::int64_t> index = TRY(parse_int(nodes_, nodes_.child(node, 1)));
  if (nodes_[kind].kind != NodeKind::string || !index)
    return nodes_.error(node, "parse.metadata", "metadata are read as metadata[\"class\"][index]");
  std::string text = TRY(nodes_.locate(node, context_.metadata.string(nodes_[kind].text, *index)));
  return make_expr(tir::StringImm{std::move(text)}, tir::kHandle);
}

Result<TirExprParser::Operand> TirExprParser::subscript(NodeIndex node) {
  const NodeIndex of = nodes_[node].first;
  if (const tir::Buffer loaded = buffer(of)) return Operand{load(loaded, TRY(indices(node)))};
  if (nodes_[of].kind == NodeKind::subscript && nodes_.is_name(nodes_[of].first, "metadata"))
    return Operand{TRY(metadata_string(node))};
  const bool field = nodes_[of].kind == NodeKind::attribute;
  const tir::Buffer owner = field ? buffer(nodes_[of].first) : nullptr;
  const std::optional<std::int64_t> index = TRY(parse_int(nodes_, nodes_.child(node, 1)));
  if (owner != nullptr && index && (nodes_[of].text == "strides" || nodes_[of].text == "shape")) {
    const std::vector<tir::Expr>& values = nodes_[of].text == "shape" ? owner->shape : owner->strides;
    if (*index >= 0 && *index < static_cast<std::int64_t>(values.size()))
      return Operand{values[static_cast<std::size_t>(*index)]};
  }
  return nodes_.error(node, "parse.expression", "only buffers have elements here");
}

// Both operands of one type, as TVM's operators convert them.
Result<std::pair<tir::Expr, tir::Expr>> TirExprParser::matched(NodeIndex node, Operand lhs, Operand rhs) {
  if (lhs.bare && !rhs.bare) lhs = retyped(std::move(lhs), rhs.expr->type);
  if (rhs.bare && !lhs.bare) rhs = retyped(std::move(rhs), lhs.expr->type);
  if (lhs.expr->type == rhs.expr->type) return std::pair(std::move(lhs.expr), std::move(rhs.expr));
  if (!lhs.expr->type.is_number() || !rhs.expr->type.is_number())
    return nodes_.error(
        node, "parse.expression",
        fmt::format("{} and {} do not go together", to_string(lhs.expr->type), to_string(rhs.expr->type)));
  const ScalarType type = common_type(lhs.expr->type, rhs.expr->type);
  return std::pair(cast(std::move(lhs.expr), type), cast(std::move(rhs.expr), type));
}

Result<tir::Expr> TirExprParser::binary(NodeIndex node, BinaryOp op, Operand lhs, Operand rhs) {
  auto [a, b] = TRY(matched(node, std::move(lhs), std::move(rhs)));
  return tir::binary_expr(op, std::move(a), std::move(b));
}

Result<tir::Expr> TirExprParser::bitwise(NodeIndex node, std::string_view intrinsic, Operand lhs,
                                         Operand rhs) {
  auto [a, b] = TRY(matched(node, std::move(lhs), std::move(rhs)));
  const ScalarType type = a->type;
  return make_expr(tir::Call{std::string(intrinsic), {std::move(a), std::move(b)}}, type);
}

Result<TirExprParser::Operand> TirExprParser::operation(NodeIndex node) {
  const std::string_view symbol = nodes_[node].text;
  Operand lhs = TRY(operand(nodes_.child(node, 0)));
  Operand rhs = TRY(operand(nodes_.child(node, 1)));
  if (const std::optional<BinaryOp> op = binary_op_from_symbol(symbol))
    return Operand{TRY(binary(node, *op, std::move(lhs), std::move(rhs)))};
  for (const tir::OperatorRow& row : tir::operator_rows()) {
    if (row.symbol == symbol)
      return Operand{TRY(bitwise(node, row.intrinsic, std::move(lhs), std::move(rhs)))};
  }
  return nodes_.error(node, "parse.expression", fmt::format("`{}` is no operator of TensorIR", symbol));
}

Result<int> TirExprParser::lanes(NodeIndex node) {
  const std::optional<std::int64_t> lanes = node == kNoNode ? std::nullopt : TRY(parse_int(nodes_, node));
  if (lanes && *lanes >= 1 && *lanes <= tir::kMaxLanes) return static_cast<int>(*lanes);
  return nodes_.error(node, "parse.number", "a number of lanes is expected");
}

// T.float32(0.5), T.int64(n): a number of the type, or a cast to it.
Result<tir::Expr> TirExprParser::number(NodeIndex node, const ScalarType& type) {
  if (nodes_.child_count(node) != 2) return nodes_.error(node, "parse.argument", "one value is expected");
  const NodeIndex value = nodes_.child(node, 1);
  if (type.is_number() && is_float(type.dtype) &&
      (is_digits(nodes_, value) || nodes_[value].kind == NodeKind::string)) {
    const std::optional<double> number = parse_float(nodes_, value);
    if (!number) return nodes_.error(value, "parse.number", "a number is expected");
    return broadcast(make_expr(tir::FloatImm{*number}, with_lanes(type, 1)), type.lanes);
  }
  if (type == number_type(DType::uint64)) {
    if (const std::optional<std::uint64_t> digits = parse_unsigned(nodes_, value))
      return int_of(static_cast<std::int64_t>(*digits), type);
  }
  return expr_of(value, type);
}

}  // namespace passdiff
