// Calls in functions of TensorIR.
#include <fmt/format.h>

#include <algorithm>

#include "core/text/parser/expression_reader.h"
#include "core/text/parser/literals.h"
#include "core/text/parser/tir_exprs.h"
#include "core/text/tir_intrinsics.h"
#include "core/text/tir_printer.h"

namespace passdiff {

using tir::make_expr;

namespace {

using tir::BinaryOp;
using tir::ScalarType;
using tir::with_lanes;

// T.min(a, b), T.Add(a, b): the node's name, or a function's.
std::optional<BinaryOp> binary_op_from_function(std::string_view name) {
  constexpr std::pair<std::string_view, BinaryOp> kFunctions[] = {
      {"min", BinaryOp::minimum},        {"max", BinaryOp::maximum},
      {"truncmod", BinaryOp::modulo},    {"truncdiv", BinaryOp::divide},
      {"div", BinaryOp::divide},         {"floordiv", BinaryOp::floor_divide},
      {"floormod", BinaryOp::floor_mod}, {"indexdiv", BinaryOp::floor_divide},
      {"indexmod", BinaryOp::floor_mod},
  };
  for (const auto& [text, op] : kFunctions) {
    if (text == name) return op;
  }
  return tir::binary_op_from_name(name);
}

}  // namespace

Result<tir::Expr> TirExprParser::let(NodeIndex node) {
  const std::vector<NodeIndex> values = TRY(nodes_.match_arguments(node, {"body", "where"}));
  const NodeIndex where = values[1];
  if (values[0] == kNoNode || where == kNoNode || nodes_[where].kind != NodeKind::dict ||
      nodes_.child_count(where) != 2)
    return nodes_.error(node, "parse.argument", "T.Let takes a body and where={variable: value}");
  const tir::Expr name = TRY(expr(nodes_.child(where, 0)));
  const tir::Var* var = tir::as<tir::Var>(name);
  if (var == nullptr) return nodes_.error(where, "parse.argument", "T.Let binds a variable");
  tir::Expr value = TRY(expr_of(nodes_.child(where, 1), (*var)->type));
  tir::Expr body = TRY(expr(values[0]));
  const ScalarType type = body->type;
  return make_expr(tir::Let{*var, std::move(value), std::move(body)}, type);
}

Result<std::optional<tir::Expr>> TirExprParser::vector_call(NodeIndex node, std::string_view name) {
  const int count = nodes_.child_count(node) - 1;
  if ((name == "Ramp" || name == "ramp") && count == 3) {
    Operand base = TRY(operand(nodes_.child(node, 1)));
    Operand step = TRY(operand(nodes_.child(node, 2)));
    auto [first, stride] = TRY(matched(node, std::move(base), std::move(step)));
    const ScalarType type = with_lanes(first->type, TRY(lanes(nodes_.child(node, 3))));
    return std::optional(make_expr(tir::Ramp{std::move(first), std::move(stride)}, type));
  }
  if ((name == "Broadcast" || name == "broadcast") && count == 2) {
    tir::Expr value = TRY(expr(nodes_.child(node, 1)));
    const ScalarType type = with_lanes(value->type, TRY(lanes(nodes_.child(node, 2))));
    return std::optional(make_expr(tir::Broadcast{std::move(value)}, type));
  }
  if (name == "Shuffle" && count == 2) {
    std::vector<tir::Expr> vectors = TRY(exprs(nodes_.child(node, 1)));
    std::vector<tir::Expr> chosen = TRY(exprs(nodes_.child(node, 2)));
    if (vectors.empty() || chosen.empty() || chosen.size() > static_cast<std::size_t>(tir::kMaxLanes))
      return nodes_.error(node, "parse.argument", "T.Shuffle needs vectors and indices");
    const ScalarType type = with_lanes(vectors[0]->type, static_cast<int>(chosen.size()));
    return std::optional(make_expr(tir::Shuffle{std::move(vectors), std::move(chosen)}, type));
  }
  return std::optional<tir::Expr>();
}

Result<std::optional<tir::Expr>> TirExprParser::two_operand_call(NodeIndex node, std::string_view name) {
  if (nodes_.child_count(node) != 3) return std::optional<tir::Expr>();
  const std::optional<BinaryOp> op = binary_op_from_function(name);
  const auto row = std::ranges::find_if(tir::operator_rows(), [&](const tir::OperatorRow& one) {
    return one.intrinsic == name || one.node == name;
  });
  const bool arithmetic = name == "pow" || name == "power";
  if (!op && row == tir::operator_rows().end() && !arithmetic) return std::optional<tir::Expr>();
  Operand lhs = TRY(operand(nodes_.child(node, 1)));
  Operand rhs = TRY(operand(nodes_.child(node, 2)));
  if (op) return std::optional(TRY(binary(node, *op, std::move(lhs), std::move(rhs))));
  const std::string_view intrinsic = arithmetic ? "pow" : row->intrinsic;
  return std::optional(TRY(bitwise(node, intrinsic, std::move(lhs), std::move(rhs))));
}

// Calls that stand for nodes of their own; nothing for others.
Result<std::optional<tir::Expr>> TirExprParser::structural_call(NodeIndex node, std::string_view name) {
  const int count = nodes_.child_count(node) - 1;
  if (name == "Let") return std::optional(TRY(let(node)));
  if (name == "Cast" && count == 2) {
    const ScalarType to = TRY(type(nodes_.child(node, 1)));
    return std::optional(make_expr(tir::Cast{TRY(expr(nodes_.child(node, 2)))}, to));
  }
  if (name == "cast" && count == 2) {
    const ScalarType to = TRY(type(nodes_.child(node, 2)));
    return std::optional(TRY(expr_of(nodes_.child(node, 1), to)));
  }
  if (name == "Not" && count == 1) {
    tir::Expr value = TRY(expr(nodes_.child(node, 1)));
    const ScalarType type = with_lanes(tir::number_type(DType::boolean), value->type.lanes);
    return std::optional(make_expr(tir::Not{std::move(value)}, type));
  }
  if (name == "BitwiseNot" && count == 1) {
    tir::Expr value = TRY(expr(nodes_.child(node, 1)));
    const ScalarType type = value->type;
    return std::optional(make_expr(tir::Call{"bitwise_not", {std::move(value)}}, type));
  }
  if ((name == "Select" || name == "if_then_else") && count == 3) {
    tir::Expr condition = TRY(expr(nodes_.child(node, 1)));
    Operand on_true = TRY(operand(nodes_.child(node, 2)));
    Operand on_false = TRY(operand(nodes_.child(node, 3)));
    auto [yes, no] = TRY(matched(node, std::move(on_true), std::move(on_false)));
    const ScalarType type = yes->type;
    if (name == "Select")
      return std::optional(make_expr(tir::Select{std::move(condition), std::move(yes), std::move(no)}, type));
    return std::optional(
        make_expr(tir::Call{"if_then_else", {std::move(condition), std::move(yes), std::move(no)}}, type));
  }
  if (std::optional<tir::Expr> vector = TRY(vector_call(node, name))) return vector;
  return two_operand_call(node, name);
}

Result<tir::Expr> TirExprParser::explicit_call(NodeIndex node) {
  const std::vector<NodeIndex> values = TRY(nodes_.match_arguments(node, {"op", "args", "ret_ty"}));
  if (std::ranges::count(values, kNoNode) != 0 || nodes_[values[0]].kind != NodeKind::string ||
      !nodes_.is_sequence(values[1]))
    return nodes_.error(node, "parse.argument", "T.Call takes the name of an op, arguments and ret_ty");
  const ScalarType result = TRY(type(values[2]));
  return make_expr(tir::Call{tir::intrinsic_of_op(nodes_[values[0]].text), TRY(exprs(values[1]))}, result);
}

Result<tir::Expr> TirExprParser::intrinsic(NodeIndex node, std::string_view name) {
  if (name == "abs") name = "fabs";
  const tir::IntrinsicRow* row = tir::find_intrinsic(tir::intrinsic_of_op(name));
  if (row == nullptr)
    return nodes_.error(node, "parse.unsupported", fmt::format("T.{} is not supported", name));
  std::vector<NodeIndex> given;
  for (const NodeIndex argument : nodes_.arguments(node)) {
    if (nodes_[argument].kind == NodeKind::keyword && nodes_[argument].text != "dtype")
      return nodes_.error(argument, "parse.argument", fmt::format("T.{} has no such argument", name));
    given.push_back(nodes_[argument].kind == NodeKind::keyword ? nodes_[argument].first : argument);
  }
  std::optional<ScalarType> result;
  const bool first = row->result == tir::ResultRule::written_first;
  if (first || row->result == tir::ResultRule::written_last) {
    if (given.empty()) return nodes_.error(node, "parse.argument", fmt::format("T.{} needs a dtype", name));
    result = TRY(type(first ? given.front() : given.back()));
    given.erase(first ? given.begin() : given.end() - 1);
  }
  std::vector<tir::Expr> args;
  for (const NodeIndex argument : given) args.push_back(TRY(expr(argument)));
  if (!result) result = tir::implied_type(*row, args);
  if (!result) return nodes_.error(node, "parse.argument", fmt::format("T.{} needs more arguments", name));
  return make_expr(tir::Call{std::string(row->name), std::move(args)}, *result);
}

Result<tir::Expr> TirExprParser::function_call(NodeIndex node, std::string_view name) {
  const auto found = context_.prim_results.find(name);
  if (found == context_.prim_results.end())
    return nodes_.error(node, "parse.undefined-name",
                        fmt::format("there is no function {} of TensorIR", name));
  std::vector<tir::Expr> args;
  for (const NodeIndex argument : nodes_.arguments(node)) args.push_back(TRY(expr(argument)));
  return make_expr(tir::FunctionCall{std::string(name), std::move(args)}, found->second);
}

// A.vload([i], predicate=p).
Result<tir::Expr> TirExprParser::vload(NodeIndex node) {
  const tir::Buffer of = buffer(nodes_[nodes_[node].first].first);
  const std::vector<NodeIndex> values = TRY(nodes_.match_arguments(node, {"begin", "dtype", "predicate"}));
  if (of == nullptr || values[0] == kNoNode)
    return nodes_.error(node, "parse.expression", "vload needs a buffer and indices");
  tir::Expr predicate;
  if (!nodes_.is_absent(values[2])) predicate = TRY(expr(values[2]));
  return load(of, TRY(exprs(values[0])), std::move(predicate));
}

Result<TirExprParser::Operand> TirExprParser::method(NodeIndex node) {
  const NodeIndex callee = nodes_[node].first;
  const std::string_view name = nodes_[callee].text;
  if (name == "vload") return Operand{TRY(vload(node))};
  if (name == "astype" && nodes_.child_count(node) == 2) {
    const ScalarType to = TRY(type(nodes_.child(node, 1)));
    return Operand{TRY(expr_of(nodes_[callee].first, to))};
  }
  return nodes_.error(node, "parse.unsupported", fmt::format("the method {} is not supported", name));
}

Result<TirExprParser::Operand> TirExprParser::call(NodeIndex node) {
  const std::string name = nodes_.call_path(node, "T");
  if (!name.empty()) return named_call(node, name);
  std::string global = nodes_.call_path(node, "cls");
  if (global.empty() && !context_.class_name.empty()) global = nodes_.call_path(node, context_.class_name);
  if (!global.empty()) return Operand{TRY(function_call(node, global))};
  const NodeIndex callee = nodes_[node].first;
  if (nodes_.is_name(callee, "float") && nodes_.child_count(node) == 2) {
    const std::optional<double> value = parse_float(nodes_, nodes_.child(node, 1));
    if (value) return Operand{make_expr(tir::FloatImm{*value}, tir::number_type(DType::float32)), true};
  }
  if (nodes_[callee].kind == NodeKind::name) return Operand{TRY(function_call(node, nodes_[callee].text))};
  if (nodes_[callee].kind == NodeKind::attribute) return method(node);
  return nodes_.error(node, "parse.expression", "this cannot be called");
}

Result<TirExprParser::Operand> TirExprParser::named_call(NodeIndex node, std::string_view name) {
  const std::optional<ScalarType> type = tir::scalar_type_from_name(name);
  if (type && type->is_number()) return Operand{TRY(number(node, *type))};
  if (name == "Call") return Operand{TRY(explicit_call(node))};
  if (std::optional<tir::Expr> structural = TRY(structural_call(node, name)))
    return Operand{*std::move(structural)};
  return Operand{TRY(intrinsic(node, name))};
}

}  // namespace passdiff
