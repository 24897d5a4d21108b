#include <fmt/format.h>

#include <algorithm>

#include "core/form/builder.h"
#include "core/form/devices.h"
#include "core/text/parse.h"

namespace passdiff {

bool TextParser::call_args(NodeIndex node, std::vector<ExprPtr>& args) {
  for (NodeIndex at = nodes_.child(node, 1); at != kNoNode; at = nodes_[at].sibling) {
    if (nodes_[at].kind == NodeKind::keyword) return fail(at, "parse.argument", "no keyword is known here");
    ExprPtr arg = leaf(at);
    if (arg == nullptr) return false;
    args.push_back(std::move(arg));
  }
  return true;
}

ExprPtr TextParser::function_call(NodeIndex node) {
  ExprPtr callee = leaf(nodes_.child(node, 0));
  std::vector<ExprPtr> args;
  if (callee == nullptr || !call_args(node, args)) return nullptr;
  if (const GlobalRef* global = as<GlobalRef>(callee)) {
    return typed(node, call_global(global->name, callee->type, std::move(args)));
  }
  return typed(node, call_function(std::move(callee), std::move(args)));
}

// R.call_packed("f", x, ty_args=(R.Tensor(...),)); TVM up to 0.25 says sinfo_args.
ExprPtr TextParser::packed_call(NodeIndex node) {
  const NodeIndex name = nodes_.child(node, 1);
  if (name == kNoNode || nodes_[name].kind != NodeKind::string) {
    fail(node, "parse.argument", "R.call_packed needs the name of a function");
    return nullptr;
  }
  std::vector<ExprPtr> args;
  std::vector<Type> types;
  for (NodeIndex at = nodes_[name].sibling; at != kNoNode; at = nodes_[at].sibling) {
    if (nodes_[at].kind != NodeKind::keyword) {
      ExprPtr arg = leaf(at);
      if (arg == nullptr) return nullptr;
      args.push_back(std::move(arg));
      continue;
    }
    if (nodes_[at].text != "ty_args" && nodes_[at].text != "sinfo_args") {
      fail(at, "parse.argument", "attributes of R.call_packed are not supported");
      return nullptr;
    }
    NodeIndex one = nodes_[at].first;
    const bool several = nodes_[one].kind == NodeKind::tuple || nodes_[one].kind == NodeKind::list;
    for (one = several ? nodes_[one].first : one; one != kNoNode;
         one = several ? nodes_[one].sibling : kNoNode) {
      std::optional<Type> declared = type(one);
      if (!declared) return nullptr;
      types.push_back(std::move(*declared));
    }
  }
  return call_extern(std::string(nodes_[name].text), std::move(args), std::move(types));
}

// R.device(device_type=1, index=0), R.device("cuda", 0), R.cpu(0), tvm.cuda(): the first vdevice there.
std::optional<VDeviceRef> TextParser::device_ref(NodeIndex node) {
  const std::string name = call_path(node, "R").empty() ? call_path(node, "tvm") : call_path(node, "R");
  std::vector<NodeIndex> values;
  const bool generic = name == "device";
  if (name.empty()) return std::nullopt;
  if (!(generic ? arguments(node, {"device_type", "index"}, values) : arguments(node, {"dev_id"}, values))) {
    return std::nullopt;
  }
  const std::int64_t index = values.back() == kNoNode ? 0 : int_value(values.back()).value_or(-1);
  std::int64_t wanted = device_type(name);
  if (generic && values[0] != kNoNode) {
    const bool named = nodes_[values[0]].kind == NodeKind::string;
    wanted = named ? device_type(nodes_[values[0]].text) : int_value(values[0]).value_or(0);
  }
  for (std::size_t i = 0; wanted != 0 && i < module_.vdevices.size(); ++i) {
    const VDevice& device = module_.vdevices[i];
    if (device.id == index && device_type(device.target) == wanted) return VDeviceRef{static_cast<int>(i)};
  }
  fail(node, "parse.vdevice", "the module has no vdevice of that device");
  return std::nullopt;
}

std::optional<VDeviceRef> TextParser::vdevice_ref(NodeIndex node) {
  if (nodes_[node].kind == NodeKind::string) {
    const std::optional<int> index = vdevice_index(node, nodes_[node].text);
    return index ? std::optional(VDeviceRef{*index}) : std::nullopt;
  }
  if (call_path(node, "I") == "vdevice") {
    const std::optional<VDevice> wanted = vdevice_literal(node);
    if (!wanted) return std::nullopt;
    const auto found = std::find(module_.vdevices.begin(), module_.vdevices.end(), *wanted);
    if (found != module_.vdevices.end())
      return VDeviceRef{static_cast<int>(found - module_.vdevices.begin())};
    fail(node, "parse.vdevice", "the module has no such vdevice");
    return std::nullopt;
  }
  if (const std::optional<VDeviceRef> device = device_ref(node)) return device;
  fail(node, "parse.vdevice", "a vdevice is expected, such as \"llvm:0:global\"");
  return std::nullopt;
}

std::optional<AttrValue> TextParser::attr(const OpDef& op, const Param& param, NodeIndex node) {
  if (is_name(node, "None")) return AttrValue(std::monostate());
  std::optional<AttrValue> value;
  if (param.kind == ParamKind::attr_dtype) {
    if (const std::optional<DType> dtype = dtype_value(node)) value = *dtype;
  } else if (param.kind == ParamKind::attr_vdevice) {
    if (const std::optional<VDeviceRef> device = vdevice_ref(node)) value = *device;
  } else if (param.kind == ParamKind::attr_float) {
    if (const std::optional<double> number = float_value(node)) value = *number;
  } else if (param.kind == ParamKind::attr_ints && int_value(node)) {
    value = std::vector<std::int64_t>{*int_value(node)};  // R.permute_dims and others take one axis bare
  } else if (param.kind == ParamKind::attr_string && call_path(node, "R") == "str" &&
             nodes_.children(node) == 2) {
    return attr(op, param, nodes_.child(node, 1));
  } else if (!error_) {
    value = attr_value(node);
  }
  if (!value) fail(node, "parse.attribute", fmt::format("{}: `{}` cannot be read", op.name, param.name));
  return value;
}

ExprPtr TextParser::operand(const OpDef& op, const Param& param, NodeIndex node) {
  const NodeKind kind = nodes_[node].kind;
  const bool list = kind == NodeKind::tuple || kind == NodeKind::list;
  if (param.kind == ParamKind::shape && list) {
    std::optional<Shape> values = shape(node);
    return values ? make_shape(std::move(*values)) : nullptr;
  }
  const NodeIndex digits = kind == NodeKind::unary ? nodes_.child(node, 0) : node;
  const bool number = nodes_[digits].kind == NodeKind::integer || nodes_[digits].kind == NodeKind::floating;
  // R.full(shape, 1.0, dtype): TVM makes a constant of the number.
  if (param.kind == ParamKind::tensor && number && op.name.starts_with("relax.full"))
    return number_constant(node);
  return leaf(node);
}

ExprPtr TextParser::op_call(NodeIndex node, const OpDef& op) {
  std::vector<NodeIndex> values(op.params.size(), kNoNode);
  std::size_t position = 0;
  for (NodeIndex at = nodes_.child(node, 1); at != kNoNode; at = nodes_[at].sibling) {
    std::size_t index = position++;
    NodeIndex value = at;
    if (nodes_[at].kind == NodeKind::keyword) {
      value = nodes_[at].first;
      for (index = 0; index < op.params.size() && op.params[index].name != nodes_[at].text;) ++index;
    }
    if (index >= values.size() || values[index] != kNoNode) {
      fail(at, "parse.argument", fmt::format("{} has no such argument", op.name));
      return nullptr;
    }
    values[index] = value;
  }
  std::vector<ExprPtr> args;
  const std::size_t operands = op.operand_count();
  for (std::size_t i = 0; i < operands; ++i) {
    if (values[i] == kNoNode || is_name(values[i], "None")) {
      if (op.params[i].optional) continue;
      fail(node, "parse.argument", fmt::format("{}: `{}` is missing", op.name, op.params[i].name));
      return nullptr;
    }
    if (args.size() < i) {
      fail(values[i], "parse.argument",
           fmt::format("{}: an operand before `{}` is missing", op.name, op.params[i].name));
      return nullptr;
    }
    ExprPtr arg = operand(op, op.params[i], values[i]);
    if (arg == nullptr) return nullptr;
    args.push_back(std::move(arg));
  }
  Attrs attrs;
  for (std::size_t i = operands; i < values.size(); ++i) {
    const Param& param = op.params[i];
    if (values[i] == kNoNode && !param.default_value) {
      fail(node, "parse.argument", fmt::format("{}: `{}` is missing", op.name, param.name));
      return nullptr;
    }
    std::optional<AttrValue> value = values[i] == kNoNode ? param.default_value : attr(op, param, values[i]);
    if (!value) return nullptr;
    attrs.push_back(std::move(*value));
  }
  return typed(node, make_call(op, std::move(args), std::move(attrs)));
}

}  // namespace passdiff
