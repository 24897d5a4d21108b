#include "core/text/parser/calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/form/builder.h"
#include "core/text/parser/constants.h"
#include "core/text/parser/literals.h"
#include "core/text/parser/meshes.h"
#include "core/text/parser/vdevices.h"

namespace passdiff {
namespace {

// Keywords of declared types; up to 0.25 TVM says sinfo_args. Some passes write them at calls of ops that infer theirs, too: TVM prints
// these, and its parser refuses them.
constexpr std::string_view kPlacedTypes[] = {"ty_args", "sinfo_args"};

}  // namespace

Result<std::vector<ExprPtr>> CallParser::arguments(NodeIndex call) {
  std::vector<ExprPtr> args;
  for (const NodeIndex argument : nodes_.arguments(call)) {
    if (nodes_[argument].kind == NodeKind::keyword) {
      return nodes_.error(argument, "parse.argument", "no keyword is known here");
    }
    args.push_back(TRY(exprs_.leaf(argument)));
  }
  return args;
}

Result<ExprPtr> CallParser::function_call(NodeIndex node) {
  ExprPtr callee = TRY(exprs_.leaf(nodes_[node].first));
  std::vector<ExprPtr> args = TRY(arguments(node));
  if (const GlobalRef* global = as<GlobalRef>(callee)) {
    return nodes_.locate(node, call_global(global->name, callee->type, std::move(args)));
  }
  return nodes_.locate(node, call_function(std::move(callee), std::move(args)));
}

Result<ExprPtr> CallParser::packed_call(NodeIndex node) {
  const NodeIndex name = nodes_.child(node, 1);
  if (name == kNoNode || nodes_[name].kind != NodeKind::string) {
    return nodes_.error(node, "parse.argument", "R.call_packed needs the name of a function");
  }
  std::vector<ExprPtr> args;
  std::vector<Type> types;
  for (const NodeIndex argument : nodes_.siblings(nodes_[name].sibling)) {
    if (nodes_[argument].kind != NodeKind::keyword) {
      args.push_back(TRY(exprs_.leaf(argument)));
      continue;
    }
    // Other keywords are attributes of the op that VMBuiltinLower replaced by this call. Nothing reads them, and the IR lacks them.
    if (std::ranges::find(kPlacedTypes, nodes_[argument].text) == std::end(kPlacedTypes)) continue;
    for (const NodeIndex type : nodes_.one_or_several(nodes_[argument].first)) {
      types.push_back(TRY(context_.types().type(type)));
    }
  }
  return call_extern(std::string(nodes_[name].text), std::move(args), std::move(types));
}

Result<ExprPtr> CallParser::op_call(NodeIndex node, const OpDef& op) {
  std::vector<std::string_view> names;
  names.reserve(op.params.size() + std::size(kPlacedTypes));
  for (const Param& param : op.params) names.push_back(param.name);
  names.insert(names.end(), std::begin(kPlacedTypes), std::end(kPlacedTypes));
  std::vector<NodeIndex> values = TRY(nodes_.match_arguments(node, names, op.name));
  for (const NodeIndex argument : nodes_.arguments(node)) {
    const bool surplus = std::find(values.begin() + std::ssize(op.params), values.end(), argument) != values.end();
    if (surplus) return nodes_.error(argument, "parse.argument", fmt::format("{}: too many operands", op.name));
  }
  std::vector<Type> types;
  for (std::size_t i = op.params.size(); i < values.size(); ++i) {
    if (values[i] == kNoNode) continue;
    for (const NodeIndex type : nodes_.one_or_several(values[i])) types.push_back(TRY(context_.types().type(type)));
  }
  values.resize(op.params.size());
  std::vector<ExprPtr> args = TRY(operands(node, op, values));
  Attrs attrs = TRY(attributes(node, op, values));
  return nodes_.locate(node, make_call(op, std::move(args), std::move(attrs), std::move(types)));
}

Result<std::vector<ExprPtr>> CallParser::operands(NodeIndex call, const OpDef& op,
                                                  const std::vector<NodeIndex>& values) {
  std::vector<ExprPtr> args;
  const std::span<const Param> params = op.operands();
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (nodes_.is_absent(values[i])) {
      if (params[i].optional) continue;
      return nodes_.error(call, "parse.argument", fmt::format("{}: `{}` is missing", op.name, params[i].name));
    }
    if (args.size() < i) {
      return nodes_.error(values[i], "parse.argument",
                          fmt::format("{}: an operand before `{}` is missing", op.name, params[i].name));
    }
    args.push_back(TRY(operand(params[i], values[i])));
  }
  return args;
}

Result<Attrs> CallParser::attributes(NodeIndex call, const OpDef& op, const std::vector<NodeIndex>& values) {
  Attrs attrs;
  for (std::size_t i = op.operand_count(); i < values.size(); ++i) {
    const Param& param = op.params[i];
    if (values[i] != kNoNode) {
      attrs.push_back(TRY(attr(op, param, values[i])));
    } else if (param.default_value) {
      attrs.push_back(*param.default_value);
    } else {
      return nodes_.error(call, "parse.argument", fmt::format("{}: `{}` is missing", op.name, param.name));
    }
  }
  return attrs;
}

Result<ExprPtr> CallParser::operand(const Param& param, NodeIndex node) {
  const bool is_shape = param.kind == ParamKind::shape || param.kind == ParamKind::new_shape;
  if (is_shape && nodes_.is_sequence(node)) {
    return make_shape(TRY(context_.dims().shape(node)));
  }
  // R.full(shape, 1.0, dtype): TVM makes a constant of the number.
  if (param.kind == ParamKind::fill && is_digits(nodes_, node)) {
    return parse_number_constant(nodes_, node);
  }
  return exprs_.leaf(node);
}

// T.index_map(lambda i, j: (j, i)), or the lambda alone.
Result<IndexMap> CallParser::index_map(NodeIndex node) {
  if (nodes_.call_path(node, "T") == "index_map" && nodes_.child_count(node) == 2)
    node = nodes_.child(node, 1);
  if (nodes_[node].kind != NodeKind::lambda) {
    return nodes_.error(node, "parse.attribute",
                        "an index map is expected, such as T.index_map(lambda i, j: (j, i))");
  }
  const NameScope scope(context_.names);
  IndexMap map;
  for (const NodeIndex child : nodes_.children(node)) {
    if (nodes_[child].sibling == kNoNode) {
      for (const NodeIndex index : nodes_.one_or_several(child))
        map.indices.push_back(TRY(context_.dims().dim(index)));
      break;
    }
    map.axes.push_back(make_sym_var(std::string(nodes_[child].text)));
    context_.names.set(nodes_[child].text, map.axes.back());
  }
  if (is_closed(map)) return map;
  return nodes_.error(node, "parse.attribute", "an index map depends on a symbolic variable of the function");
}

Result<AttrValue> CallParser::attr(const OpDef& op, const Param& param, NodeIndex node) {
  if (nodes_.is_name(node, "None")) return AttrValue();
  switch (param.kind) {
    case ParamKind::attr_dtype:
      // TVM 0.25 prints the dtype that is not given.
      if (nodes_[node].kind == NodeKind::string && nodes_[node].text == "void") return AttrValue();
      return AttrValue(TRY(parse_dtype(nodes_, node)));
    case ParamKind::attr_vdevice:
    case ParamKind::attr_device:
      return AttrValue(TRY(parse_vdevice_ref(nodes_, context_.module.vdevices, node)));
    case ParamKind::attr_mesh:
      return AttrValue(TRY(parse_mesh_ref(nodes_, context_.module.meshes, node)));
    case ParamKind::attr_float:
      if (const std::optional<double> number = parse_float(nodes_, node)) return AttrValue(*number);
      return nodes_.error(node, "parse.attribute", fmt::format("{}: `{}` cannot be read", op.name, param.name));
    case ParamKind::attr_index_map:
      return AttrValue(TRY(index_map(node)));
    case ParamKind::attr_ints:  // R.permute_dims and others take one axis bare
      if (const std::optional<std::int64_t> axis = TRY(parse_int(nodes_, node))) {
        return AttrValue(std::vector<std::int64_t>{*axis});
      }
      return parse_attr(nodes_, node);
    case ParamKind::attr_string:
      if (nodes_.call_path(node, "R") == "str" && nodes_.child_count(node) == 2) {
        return attr(op, param, nodes_.child(node, 1));
      }
      return parse_attr(nodes_, node);
    case ParamKind::attr_bool:
    case ParamKind::attr_int:
    case ParamKind::attr_number:
    case ParamKind::attr_floats:
    case ParamKind::attr_int_or_ints:
    case ParamKind::attr_map:
    case ParamKind::tensor:
    case ParamKind::fill:
    case ParamKind::tensors:
    case ParamKind::shape:
    case ParamKind::new_shape:
    case ParamKind::prim:
    case ParamKind::prims:
    case ParamKind::callee:
    case ParamKind::format:
    case ParamKind::values:
      return parse_attr(nodes_, node);
  }
  CHECK(false) << "a kind of parameter out of range";
  return AttrValue();
}

}  // namespace passdiff
