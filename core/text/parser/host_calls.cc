// Calls of ops that take functions, any number of operands, or declared types: R.call_pure_packed("f", x, ty_args=(...)).
#include <fmt/format.h>

#include <algorithm>

#include "core/form/builder.h"
#include "core/text/parser/calls.h"

namespace passdiff {
namespace {

// Up to 0.25 TVM says sinfo_args and out_sinfo.
bool names_types(const OpDef& op, std::string_view keyword) {
  if (op.type_args.empty()) return false;
  return keyword == op.type_args || keyword == (op.type_args == "out_ty" ? "out_sinfo" : "sinfo_args");
}

}  // namespace

bool CallParser::is_host_call(const OpDef& op) {
  return !op.type_args.empty() || std::ranges::any_of(op.operands(), [](const Param& param) {
    return param.kind == ParamKind::callee || param.kind == ParamKind::format;
  });
}

Result<std::vector<Type>> CallParser::declared_types(const OpDef& op, NodeIndex node) {
  std::vector<Type> types;
  for (const NodeIndex type : nodes_.one_or_several(node)) types.push_back(TRY(context_.types().type(type)));
  // R.call_dps_packed takes one type; several in a list are the fields of a tuple.
  if (op.type_args == "out_ty" && nodes_.is_sequence(node))
    return std::vector<Type>{tuple_type(std::move(types))};
  return types;
}

Result<ExprPtr> CallParser::host_operand(const Param& param, NodeIndex node) {
  if (param.kind == ParamKind::callee && nodes_[node].kind == NodeKind::string) {
    return make_extern_func(std::string(nodes_[node].text));
  }
  return exprs_.leaf(node);
}

Result<ExprPtr> CallParser::host_call(NodeIndex node, const OpDef& op) {
  std::vector<NodeIndex> given;  // by position
  std::vector<NodeIndex> named(op.operands().size(), kNoNode);
  std::vector<Type> types;
  ExprPtr format = make_expr(StringImm{""}, object_type());
  Attrs attrs;
  for (const Param& param : op.attributes()) attrs.push_back(param.default_value.value_or(AttrValue()));
  for (const NodeIndex argument : nodes_.arguments(node)) {
    if (nodes_[argument].kind != NodeKind::keyword) {
      given.push_back(argument);
      continue;
    }
    const std::string_view keyword = nodes_[argument].text;
    const NodeIndex value = nodes_[argument].first;
    const auto attribute = std::ranges::find(op.attributes(), keyword, &Param::name);
    const auto operand = std::ranges::find(op.operands(), keyword, &Param::name);
    if (names_types(op, keyword)) {
      types = TRY(declared_types(op, value));
    } else if (keyword == "format") {
      format = TRY(exprs_.leaf(value));
    } else if (attribute != op.attributes().end()) {
      attrs[static_cast<std::size_t>(attribute - op.attributes().begin())] = TRY(attr(op, *attribute, value));
    } else if (operand != op.operands().end()) {
      named[static_cast<std::size_t>(operand - op.operands().begin())] = value;
    } else {
      return nodes_.error(argument, "parse.argument", fmt::format("{} has no such argument", op.name));
    }
  }
  std::vector<ExprPtr> args;
  auto next = given.begin();
  for (std::size_t i = 0; i < named.size(); ++i) {
    const Param& param = op.operands()[i];
    if (param.optional && nodes_.is_name(named[i], "None")) continue;
    if (named[i] != kNoNode) {
      args.push_back(TRY(host_operand(param, named[i])));
    } else if (param.kind == ParamKind::format) {
      args.push_back(format);
    } else if (param.kind == ParamKind::values) {
      for (; next != given.end(); ++next) args.push_back(TRY(host_operand(param, *next)));
    } else if (next != given.end()) {
      args.push_back(TRY(host_operand(param, *next++)));
    }
  }
  if (next != given.end())
    return nodes_.error(*next, "parse.argument", fmt::format("{}: too many operands", op.name));
  return nodes_.locate(node, make_call(op, std::move(args), std::move(attrs), std::move(types)));
}

}  // namespace passdiff
