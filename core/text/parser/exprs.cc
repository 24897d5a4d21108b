#include "core/text/parser/exprs.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/form/builder.h"
#include "core/ir/walk.h"
#include "core/text/parser/calls.h"
#include "core/text/parser/constants.h"
#include "core/text/parser/literals.h"

namespace passdiff {
namespace {

// The op behind one of Python's operators between two operands.
std::string_view operator_op(std::string_view symbol) {
  if (symbol == "+") return "relax.add";
  if (symbol == "-") return "relax.subtract";
  if (symbol == "*") return "relax.multiply";
  if (symbol == "/") return "relax.divide";
  if (symbol == "//") return "relax.floor_divide";
  return symbol == "%" ? "relax.mod" : "";
}

bool is_tensor(const ExprPtr& expr) {
  return expr->type.as_tensor() != nullptr;
}

}  // namespace

bool is_leaf(const ExprPtr& expr) {
  return match(
      expr, [](const OneOf<Call, TupleGetItem, If, FunctionPtr> auto&) { return false; },
      [](const OneOf<Var, Constant, Tuple, ShapeExpr, PrimValue, StringImm, DataTypeImm, GlobalRef,
                     ExternFunc> auto&) { return true; });
}

Result<ExprPtr> ExprParser::leaf(NodeIndex node) {
  ExprPtr value = TRY(expr(node));
  if (is_leaf(value)) return value;
  const std::string name = context_.names.numbered(sequence_.in_dataflow ? "lv_" : "gv_");
  Type type = value->type;
  return var_expr(sequence_.emit(name, std::move(type), std::move(value)));
}

Result<std::vector<ExprPtr>> ExprParser::leaves(Nodes::Siblings nodes) {
  std::vector<ExprPtr> all;
  for (const NodeIndex one : nodes) all.push_back(TRY(leaf(one)));
  return all;
}

Result<ExprPtr> ExprParser::expr(NodeIndex node) {
  switch (nodes_[node].kind) {
    case NodeKind::name:
      return name(node);
    case NodeKind::integer:
    case NodeKind::floating:
      return parse_number(nodes_, node);
    case NodeKind::string:
      return make_expr(StringImm{std::string(nodes_[node].text)}, object_type());
    case NodeKind::unary:
    case NodeKind::binary:
      return operation(node);
    case NodeKind::tuple:
    case NodeKind::list:
      return make_tuple(TRY(leaves(nodes_.children(node))));
    case NodeKind::subscript:
      return item(node);
    case NodeKind::call:
      return call(node);
    case NodeKind::attribute:
      return global(node);
    case NodeKind::keyword:
    case NodeKind::dict:
    case NodeKind::lambda:
    case NodeKind::slice:
      break;
  }
  return nodes_.error(node, "parse.expression", "an expression is expected");
}

Result<ExprPtr> ExprParser::name(NodeIndex node) {
  const std::string_view text = nodes_[node].text;
  if (const std::optional<bool> flag = parse_bool(nodes_, node)) {
    return make_expr(PrimValue{DType::boolean, Dim(*flag ? 1 : 0)}, prim_type(DType::boolean));
  }
  const NameMeaning* meaning = context_.names.find(text);
  if (meaning == nullptr) {
    if (const auto escaped = context_.escaped.find(text); escaped != context_.escaped.end())
      return var_expr(escaped->second);
    return nodes_.error(node, "parse.undefined-name", fmt::format("`{}` is not defined", text));
  }
  return meaning->var != nullptr ? var_expr(meaning->var) : make_prim(Dim(meaning->symbol));
}

// cls.main, Module.main.
Result<ExprPtr> ExprParser::global(NodeIndex node) {
  std::string name = nodes_.path(node, "cls");
  if (name.empty() && !context_.class_name.empty()) name = nodes_.path(node, context_.class_name);
  const std::vector<GlobalFunction>& functions = context_.module.functions;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (functions[i].name == name) return make_expr(GlobalRef{name}, context_.signatures[i]);
  }
  if (context_.module.find_prim_func(name) != nullptr)
    return make_expr(GlobalRef{name}, context_.type_of_prim_func(name));
  return nodes_.error(node, "parse.undefined-name",
                      name.empty() ? "an attribute that means nothing here"
                                   : fmt::format("there is no function {}", name));
}

// An op on tensors, or arithmetic on dims and numbers.
Result<ExprPtr> ExprParser::operation(NodeIndex node) {
  const bool unary = nodes_[node].kind == NodeKind::unary;
  if (unary && is_digits(nodes_, node)) return parse_number(nodes_, node);
  const std::optional<DimOp> operation = dim_op_from_name(nodes_[node].text);
  if (!unary && operation && is_comparison(*operation)) return context_.dims().comparison(node);
  std::vector<ExprPtr> operands = TRY(leaves(nodes_.children(node)));
  if (!std::any_of(operands.begin(), operands.end(), is_tensor)) {
    return make_prim(TRY(context_.dims().dim(node)));
  }
  const std::string_view symbol = nodes_[node].text;
  const OpDef* op = find_op(unary ? (symbol == "-" ? "relax.negative" : "") : operator_op(symbol));
  if (op == nullptr) return nodes_.error(node, "parse.unknown-op", fmt::format("no op for `{}`", symbol));
  return nodes_.locate(node, make_call(*op, std::move(operands), {}));
}

// metadata["relax.expr.Constant"][0].
Result<ExprPtr> ExprParser::metadata_item(NodeIndex node) {
  const NodeIndex kind = nodes_.child(nodes_.child(node, 0), 1);
  const std::optional<std::int64_t> index = TRY(parse_int(nodes_, nodes_.child(node, 1)));
  if (nodes_[kind].kind != NodeKind::string || !index)
    return nodes_.error(node, "parse.metadata", "metadata are read as metadata[\"class\"][index]");
  TensorPtr tensor = TRY(nodes_.locate(node, context_.metadata.constant(nodes_[kind].text, *index)));
  const std::vector<std::int64_t> sizes = tensor->shape();
  const DType dtype = tensor->dtype;
  return make_expr(Constant{std::move(tensor)}, tensor_type(Shape(sizes.begin(), sizes.end()), dtype));
}

Result<ExprPtr> ExprParser::item(NodeIndex node) {
  const NodeIndex of = nodes_.child(node, 0);
  if (nodes_[of].kind == NodeKind::subscript && nodes_.is_name(nodes_[of].first, "metadata"))
    return metadata_item(node);
  ExprPtr value = TRY(leaf(of));
  const std::optional<std::int64_t> index = TRY(parse_int(nodes_, nodes_.child(node, 1)));
  const TupleType* tuple = value->type.as_tuple();
  if (!index || tuple == nullptr || *index < 0 || *index >= static_cast<std::int64_t>(tuple->fields.size())) {
    return nodes_.error(node, "type.tuple-index", fmt::format("no such item of {}", to_string(value->type)));
  }
  return nodes_.locate(node, make_tuple_get_item(std::move(value), static_cast<int>(*index)));
}

const ExprParser::Builtin* ExprParser::find_builtin(std::string_view name) {
  static constexpr Builtin kBuiltins[] = {
      {"const", Arguments::any, &ExprParser::constant},
      {"dist.const", Arguments::any, &ExprParser::distributed_constant},
      {"prim_value", Arguments::any, &ExprParser::prim_value},
      {"call_packed", Arguments::any, &ExprParser::packed_call},
      {"tuple", Arguments::any, &ExprParser::tuple},
      {"shape", Arguments::one, &ExprParser::shape},
      {"str", Arguments::one_string, &ExprParser::string},
      {"dtype", Arguments::one_string, &ExprParser::dtype},
      {"ExternFunc", Arguments::string_first, &ExprParser::extern_func},
  };
  const auto found = std::find_if(std::begin(kBuiltins), std::end(kBuiltins),
                                  [&](const Builtin& builtin) { return builtin.name == name; });
  return found == std::end(kBuiltins) ? nullptr : found;
}

bool ExprParser::takes(const Builtin& builtin, NodeIndex call) const {
  const NodeIndex argument = nodes_.child(call, 1);
  const bool one = nodes_.child_count(call) == 2;
  const bool string = argument != kNoNode && nodes_[argument].kind == NodeKind::string;
  switch (builtin.arguments) {
    case Arguments::any:
      return true;
    case Arguments::one:
      return one;
    case Arguments::one_string:
      return one && string;
    case Arguments::string_first:
      return string;
  }
  return false;
}

Result<ExprPtr> ExprParser::call(NodeIndex node) {
  if (!nodes_.call_path(node, "T").empty()) return context_.dims().scalar_call(node);
  const std::string name = nodes_.call_path(node, "R");
  if (name.empty()) return CallParser(context_, *this).function_call(node);
  if (const Builtin* builtin = find_builtin(name); builtin != nullptr && takes(*builtin, node)) {
    return (this->*builtin->parse)(node);
  }
  // Of distributed tensors TVMScript calls R.call_tir otherwise.
  if (const OpDef* op = find_op(name == "dist.call_tir" ? "relax.call_tir" : "relax." + name)) {
    CallParser calls(context_, *this);
    return CallParser::is_host_call(*op) ? calls.host_call(node, *op) : calls.op_call(node, *op);
  }
  return nodes_.error(node, "parse.unknown-op", fmt::format("R.{} is not supported", name));
}

Result<ExprPtr> ExprParser::constant(NodeIndex call) {
  return parse_constant(nodes_, call);
}

// R.dist.const(1.0, R.DTensor((), "float32", "mesh[0]", "R")); up to 0.25 TVM calls the type struct_info.
Result<ExprPtr> ExprParser::distributed_constant(NodeIndex call) {
  const std::vector<NodeIndex> values = TRY(nodes_.match_arguments(call, {"value", "ty", "struct_info"}));
  const NodeIndex type_at = values[1] != kNoNode ? values[1] : values[2];
  if (values[0] == kNoNode || type_at == kNoNode) return nodes_.error(call, "parse.constant", "R.dist.const needs a value and a type");
  const Type type = TRY(context_.types().type(type_at));
  const TensorType* tensor = type.as_tensor();
  if (tensor == nullptr || !tensor->sharding || !tensor->dtype)
    return nodes_.error(type_at, "parse.constant", "the type of a distributed constant is an R.DTensor with a dtype");
  return make_constant(TRY(parse_elements(nodes_, values[0], *tensor->dtype)), tensor->sharding);
}

Result<ExprPtr> ExprParser::packed_call(NodeIndex call) {
  return CallParser(context_, *this).packed_call(call);
}

Result<ExprPtr> ExprParser::tuple(NodeIndex call) {
  return make_tuple(TRY(CallParser(context_, *this).arguments(call)));
}

Result<ExprPtr> ExprParser::shape(NodeIndex call) {
  return make_shape(TRY(context_.dims().shape(nodes_.child(call, 1))));
}

Result<ExprPtr> ExprParser::string(NodeIndex call) {
  return expr(nodes_.child(call, 1));
}

Result<ExprPtr> ExprParser::dtype(NodeIndex call) {
  return make_expr(DataTypeImm{TRY(parse_dtype(nodes_, call))}, object_type());
}

Result<ExprPtr> ExprParser::extern_func(NodeIndex call) {
  return make_extern_func(std::string(nodes_[nodes_.child(call, 1)].text));
}

Result<ExprPtr> ExprParser::prim_value(NodeIndex node) {
  if (nodes_.child_count(node) != 2) return nodes_.error(node, "parse.argument", "one number is expected");
  const NodeIndex value = nodes_.child(node, 1);
  ExprPtr result = TRY(expr(nodes_[value].kind == NodeKind::keyword ? nodes_[value].first : value));
  if (as<PrimValue>(result) != nullptr || result->type.as_prim() != nullptr) return result;
  return nodes_.error(node, "parse.argument", "a number or a symbolic variable is expected");
}

}  // namespace passdiff
