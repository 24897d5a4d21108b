#include <fmt/format.h>

#include "core/form/builder.h"
#include "core/text/parse.h"

namespace passdiff {
namespace {

bool is_leaf(const ExprPtr& expr) {
  return as<Call>(expr) == nullptr && as<TupleGetItem>(expr) == nullptr && as<If>(expr) == nullptr &&
         as<FunctionPtr>(expr) == nullptr;
}

// The op behind one of Python's operators.
std::string_view operator_op(std::string_view symbol) {
  if (symbol == "+") return "relax.add";
  if (symbol == "-") return "relax.subtract";
  if (symbol == "*") return "relax.multiply";
  if (symbol == "/") return "relax.divide";
  if (symbol == "//") return "relax.floor_divide";
  return "relax.mod";
}

}  // namespace

ExprPtr TextParser::leaf(NodeIndex node) {
  ExprPtr value = expr(node);
  if (value == nullptr || is_leaf(value)) return value;
  if (current_ == nullptr) {
    fail(node, "parse.expression", "a call cannot stand here");
    return nullptr;
  }
  Type type = value->type;
  const std::string name = (current_->in_dataflow ? "lv_" : "gv_") + std::to_string(fresh_++);
  return var_expr(emit(*current_, name, std::move(type), std::move(value), std::nullopt));
}

ExprPtr TextParser::expr(NodeIndex node) {
  switch (nodes_[node].kind) {
    case NodeKind::name:
      return name(node);
    case NodeKind::integer:
    case NodeKind::floating:
      return number(node);
    case NodeKind::string:
      return make_expr(StringImm{std::string(nodes_[node].text)}, object_type());
    case NodeKind::unary:
    case NodeKind::binary:
      return operation(node);
    case NodeKind::tuple:
    case NodeKind::list:
      return tuple(node);
    case NodeKind::subscript:
      return item(node);
    case NodeKind::call:
      return call(node);
    case NodeKind::attribute: {
      std::string global = path(node, "cls");
      if (global.empty() && !class_name_.empty()) global = path(node, class_name_);
      if (module_.find(global) != nullptr) {
        for (std::size_t i = 0; i < signatures_.size(); ++i) {
          if (module_.functions[i].name == global) return make_expr(GlobalRef{global}, signatures_[i]);
        }
      }
      fail(node, "parse.undefined-name",
           global.empty() ? "an attribute that means nothing here"
                          : fmt::format("there is no function {}", global));
      return nullptr;
    }
    default:
      fail(node, "parse.expression", "an expression is expected");
      return nullptr;
  }
}

ExprPtr TextParser::name(NodeIndex node) {
  const std::string_view text = nodes_[node].text;
  if (const std::optional<bool> flag = bool_value(node)) {
    return make_expr(PrimValue{DType::boolean, Dim(*flag ? 1 : 0)}, prim_type(DType::boolean));
  }
  if (text == "metadata") {
    fail(node, "parse.metadata",
         "constants in `metadata` are not in the text: print the module with its constants "
         "inline, as R.const([[1, 2]], \"float32\")");
    return nullptr;
  }
  const NameMeaning* meaning = names_.find(text);
  if (meaning == nullptr) {
    fail(node, "parse.undefined-name", fmt::format("`{}` is not defined", text));
    return nullptr;
  }
  return meaning->var != nullptr ? var_expr(meaning->var) : make_prim(Dim(meaning->symbol));
}

ExprPtr TextParser::number(NodeIndex node) {
  if (const std::optional<std::int64_t> integer = int_value(node)) return make_prim(*integer);
  const std::optional<double> value = error_ ? std::nullopt : float_value(node);
  return value ? make_prim_float(*value, DType::float64) : nullptr;
}

ExprPtr TextParser::operation(NodeIndex node) {
  const bool is_unary = nodes_[node].kind == NodeKind::unary;
  const NodeIndex first = nodes_.child(node, 0);
  const NodeKind kind = nodes_[first].kind;
  if (is_unary && (kind == NodeKind::integer || kind == NodeKind::floating)) return number(node);
  ExprPtr lhs = leaf(first);
  ExprPtr rhs = lhs == nullptr || is_unary ? nullptr : leaf(nodes_.child(node, 1));
  if (lhs == nullptr || (!is_unary && rhs == nullptr)) return nullptr;
  const bool tensors =
      lhs->type.as_tensor() != nullptr || (rhs != nullptr && rhs->type.as_tensor() != nullptr);
  if (!tensors) {
    const std::optional<Dim> value = dim(node);
    return value ? make_prim(*value) : nullptr;
  }
  const OpDef* op = find_op(is_unary ? "relax.negative" : operator_op(nodes_[node].text));
  if (op == nullptr || (is_unary && nodes_[node].text == "+")) {
    fail(node, "parse.unknown-op", fmt::format("no op for `{}`", nodes_[node].text));
    return nullptr;
  }
  std::vector<ExprPtr> args = {std::move(lhs)};
  if (rhs != nullptr) args.push_back(std::move(rhs));
  return typed(node, make_call(*op, std::move(args), {}));
}

ExprPtr TextParser::tuple(NodeIndex node) {
  std::vector<ExprPtr> fields;
  for (NodeIndex at = nodes_[node].first; at != kNoNode; at = nodes_[at].sibling) {
    ExprPtr field = leaf(at);
    if (field == nullptr) return nullptr;
    fields.push_back(std::move(field));
  }
  return make_tuple(std::move(fields));
}

ExprPtr TextParser::item(NodeIndex node) {
  ExprPtr value = leaf(nodes_.child(node, 0));
  if (value == nullptr) return nullptr;
  const std::optional<std::int64_t> index = int_value(nodes_.child(node, 1));
  const TupleType* tuple = value->type.as_tuple();
  if (!index || tuple == nullptr || *index < 0 || *index >= static_cast<std::int64_t>(tuple->fields.size())) {
    fail(node, "type.tuple-index", fmt::format("no such item of {}", to_string(value->type)));
    return nullptr;
  }
  return typed(node, make_tuple_get_item(std::move(value), static_cast<int>(*index)));
}

ExprPtr TextParser::prim_literal(NodeIndex node, DType dtype, NodeIndex value) {
  if (is_float(dtype)) {
    if (const std::optional<double> number = float_value(value)) return make_prim_float(*number, dtype);
  } else if (const std::optional<bool> flag = bool_value(value)) {
    return make_expr(PrimValue{dtype, Dim(*flag ? 1 : 0)}, prim_type(dtype));
  } else if (const std::optional<std::int64_t> integer = int_value(value)) {
    if (*integer >= int_min(dtype) && *integer <= int_max(dtype)) {
      return make_expr(PrimValue{dtype, Dim(*integer)}, prim_type(dtype));
    }
  } else if (!error_ && dtype == DType::int64) {
    const std::optional<Dim> symbolic = dim(value);
    return symbolic ? make_prim(*symbolic) : nullptr;
  }
  fail(node, "parse.number", fmt::format("this is no {}", dtype_name(dtype)));
  return nullptr;
}

ExprPtr TextParser::prim_value(NodeIndex node) {
  if (nodes_.children(node) != 2) {
    fail(node, "parse.argument", "one number is expected");
    return nullptr;
  }
  const NodeIndex value = nodes_.child(node, 1);
  ExprPtr result = expr(nodes_[value].kind == NodeKind::keyword ? nodes_[value].first : value);
  if (result == nullptr || as<PrimValue>(result) != nullptr) return result;
  if (result->type.as_prim() != nullptr) return result;
  fail(node, "parse.argument", "a number or a symbolic variable is expected");
  return nullptr;
}

ExprPtr TextParser::call(NodeIndex node) {
  const std::string scalar = call_path(node, "T");
  if (!scalar.empty()) {
    const std::optional<DType> dtype = dtype_from_name(scalar);
    if (dtype && nodes_.children(node) == 2) return prim_literal(node, *dtype, nodes_.child(node, 1));
    const std::optional<Dim> value = dim(node);
    return value ? make_prim(*value) : nullptr;
  }
  const std::string name = call_path(node, "R");
  if (name.empty()) return function_call(node);
  bool known = true;
  ExprPtr result = builtin(node, name, known);
  if (known) return result;
  const OpDef* op = find_op("relax." + name);
  if (op != nullptr) return op_call(node, *op);
  fail(node, "parse.unknown-op", fmt::format("R.{} is not supported", name));
  return nullptr;
}

ExprPtr TextParser::builtin(NodeIndex node, std::string_view name, bool& known) {
  const NodeIndex argument = nodes_.child(node, 1);
  const bool single = argument != kNoNode && nodes_[argument].sibling == kNoNode;
  const bool text = single && nodes_[argument].kind == NodeKind::string;
  if (name == "const") return constant(node);
  if (name == "prim_value") return prim_value(node);
  if (name == "call_packed") return packed_call(node);
  if (name == "shape" && single) {
    std::optional<Shape> values = shape(argument);
    return values ? make_shape(std::move(*values)) : nullptr;
  }
  if (name == "str" && text) return expr(argument);
  if (name == "dtype" && text) {
    const std::optional<DType> dtype = dtype_value(argument);
    return dtype ? make_expr(DataTypeImm{*dtype}, object_type()) : nullptr;
  }
  if (name == "ExternFunc" && argument != kNoNode && nodes_[argument].kind == NodeKind::string) {
    Type type = FuncType{.params = std::nullopt, .result = object_type(), .pure = false};
    return make_expr(ExternFunc{std::string(nodes_[argument].text)}, std::move(type));
  }
  if (name == "tuple") {
    std::vector<ExprPtr> fields;
    if (!call_args(node, fields)) return nullptr;
    return make_tuple(std::move(fields));
  }
  known = false;
  return nullptr;
}

}  // namespace passdiff
