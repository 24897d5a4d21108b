#include "core/text/parser/tir_buffers.h"

#include <fmt/format.h>

#include <utility>

#include "core/text/parser/literals.h"
#include "core/text/tir_printer.h"

namespace passdiff {

using tir::ScalarType;

namespace {

// The annotation of blocks that lists buffers, for the rewriting of layouts by the meta-schedule. It changes no meaning, and attributes
// name no buffers.
constexpr std::string_view kLayoutFreePlaceholders = "layout_free_placeholders";

}  // namespace

// As they are written; kNoNode for what is left out.
struct TirBufferParser::Arguments {
  NodeIndex shape = kNoNode;
  NodeIndex dtype = kNoNode;
  NodeIndex data = kNoNode;
  NodeIndex strides = kNoNode;
  NodeIndex elem_offset = kNoNode;
  NodeIndex scope = kNoNode;
  NodeIndex align = kNoNode;
  NodeIndex offset_factor = kNoNode;
  NodeIndex axis_separators = kNoNode;
  NodeIndex annotations = kNoNode;
};

std::optional<Error> TirBufferParser::keyword(NodeIndex argument, Arguments& into) {
  constexpr std::pair<std::string_view, NodeIndex Arguments::*> kKeywords[] = {
      {"shape", &Arguments::shape},
      {"dtype", &Arguments::dtype},
      {"data", &Arguments::data},
      {"strides", &Arguments::strides},
      {"elem_offset", &Arguments::elem_offset},
      {"scope", &Arguments::scope},
      {"align", &Arguments::align},
      {"offset_factor", &Arguments::offset_factor},
      {"axis_separators", &Arguments::axis_separators},
      {"annotations", &Arguments::annotations},
  };
  const std::string_view name = nodes_[argument].text;
  const NodeIndex value = nodes_[argument].first;
  for (const auto& [keyword, field] : kKeywords) {
    if (keyword != name) continue;
    into.*field = nodes_.is_absent(value) ? kNoNode : value;
    return std::nullopt;
  }
  // The default layout is row-major without gaps, as is that of a buffer without one.
  const bool default_layout =
      name == "layout" && (nodes_.is_absent(value) || nodes_[value].text == "default");
  if (default_layout || name == "buffer_type" || name == "logical_scope") return std::nullopt;
  return nodes_.error(argument, "parse.unsupported", fmt::format("{} of a buffer is not supported", name));
}

Result<std::vector<tir::Expr>> TirBufferParser::strides(NodeIndex node, const ScalarType& type) {
  std::vector<tir::Expr> all;
  for (const NodeIndex one : nodes_.one_or_several(node)) {
    if (nodes_[one].kind != NodeKind::string) {
      all.push_back(TRY(exprs_.expr(one)));
      continue;
    }
    all.push_back(tir::var_expr(tir::make_var(std::string(nodes_[one].text), type)));
  }
  return all;
}

Result<BufferDeclaration> TirBufferParser::build(const Arguments& args, tir::BufferNode buffer) {
  BufferDeclaration made;
  if (args.shape != kNoNode) buffer.shape = TRY(exprs_.exprs(args.shape));
  if (args.dtype != kNoNode) buffer.dtype = TRY(exprs_.type(args.dtype));
  if (!buffer.dtype.is_number())
    return nodes_.error(args.dtype, "parse.dtype", "a buffer's elements are numbers");
  const ScalarType index = tir::index_type(buffer.shape);
  if (args.data != kNoNode) {
    made.data = TRY(exprs_.expr(args.data));
    if (const tir::BufferData* data = tir::as<tir::BufferData>(made.data)) buffer.scope = data->buffer->scope;
  }
  if (args.strides != kNoNode) buffer.strides = TRY(strides(args.strides, index));
  if (args.scope != kNoNode) buffer.scope = nodes_[args.scope].text;
  const auto number = [&](NodeIndex node, int otherwise) -> Result<int> {
    if (node == kNoNode) return otherwise;
    const std::optional<std::int64_t> value = TRY(parse_int(nodes_, node));
    if (!value || *value < -1 || *value > (1 << 30))
      return nodes_.error(node, "parse.number", "a small number is expected");
    return *value <= 0 ? otherwise : static_cast<int>(*value);
  };
  buffer.data_alignment = TRY(number(args.align, 64));
  buffer.offset_factor = TRY(number(args.offset_factor, 1));
  const bool any_offset = args.offset_factor != kNoNode && TRY(number(args.offset_factor, 0)) != 0;
  if (args.elem_offset != kNoNode) {
    buffer.elem_offset = TRY(exprs_.expr(args.elem_offset));
    if (tir::is_int(buffer.elem_offset, 0) && buffer.elem_offset->type == index) buffer.elem_offset = nullptr;
  } else if (any_offset) {
    buffer.elem_offset = tir::var_expr(tir::make_var(buffer.name + "_elem_offset", index));
  }
  if (args.axis_separators != kNoNode) {
    auto separators = TRY(parse_ints(nodes_, args.axis_separators));
    if (!separators) return nodes_.error(args.axis_separators, "parse.number", "a list of axes is expected");
    buffer.axis_separators = *std::move(separators);
  }
  if (args.annotations != kNoNode) made.annotations = TRY(parse_tir_attrs(nodes_, args.annotations));
  made.buffer = std::make_shared<const tir::BufferNode>(std::move(buffer));
  return made;
}

Result<BufferDeclaration> TirBufferParser::declaration(NodeIndex call, std::string_view name, int first) {
  constexpr NodeIndex Arguments::* kPositional[] = {&Arguments::shape, &Arguments::dtype, &Arguments::data,
                                                    &Arguments::strides, &Arguments::elem_offset};
  Arguments args;
  std::size_t position = 0;
  for (const NodeIndex argument : nodes_.arguments(call)) {
    if (nodes_[argument].kind == NodeKind::keyword) {
      TRY_VOID(keyword(argument, args));
    } else if (first > 0) {
      --first;
    } else if (position < std::size(kPositional)) {
      args.*kPositional[position++] = nodes_.is_absent(argument) ? kNoNode : argument;
    } else {
      return nodes_.error(argument, "parse.argument", "a buffer has no such argument by position");
    }
  }
  if (args.shape == kNoNode) return nodes_.error(call, "parse.argument", "a buffer needs a shape");
  return build(args, {.name = std::string(name)});
}

Result<BufferDeclaration> TirBufferParser::match(NodeIndex call, std::string_view name,
                                                 const tir::BufferRegion& source) {
  if (nodes_.child_count(call) > 2 && nodes_[nodes_.child(call, 2)].kind != NodeKind::keyword)
    return declaration(call, name, 1);
  tir::BufferNode buffer{.name = std::string(name), .dtype = source.buffer->dtype};
  for (const tir::Range& range : source.region) buffer.shape.push_back(range.extent);
  Arguments args;
  int first = 1;
  for (const NodeIndex argument : nodes_.arguments(call)) {
    if (first-- <= 0) TRY_VOID(keyword(argument, args));
  }
  return build(args, std::move(buffer));
}

Result<BufferDeclaration> TirBufferParser::allocation(NodeIndex call, std::string_view name) {
  const std::vector<NodeIndex> values =
      TRY(nodes_.match_arguments(call, {"extents", "dtype", "scope", "condition", "annotations"}));
  if (values[0] == kNoNode || values[1] == kNoNode)
    return nodes_.error(call, "parse.argument", "T.allocate takes extents and a dtype");
  Arguments args;
  args.shape = values[0];
  args.dtype = values[1];
  args.scope = values[2];
  args.annotations = values[4];
  return build(args, {.name = std::string(name)});
}

Result<BufferDeclaration> TirBufferParser::view(NodeIndex call, std::string_view name) {
  const tir::Buffer parent = exprs_.buffer(nodes_[nodes_[call].first].first);
  const NodeIndex argument = nodes_.child(call, 1);
  if (parent == nullptr || argument == kNoNode)
    return nodes_.error(call, "parse.argument", "view needs a buffer and a shape");
  tir::BufferNode buffer = *parent;
  buffer.name = name;
  if (nodes_[argument].kind == NodeKind::string) {
    buffer.dtype = TRY(exprs_.type(argument));
    const tir::IntImm* last = buffer.shape.empty() ? nullptr : tir::as<tir::IntImm>(buffer.shape.back());
    const auto bits = [](const ScalarType& type) {
      return std::int64_t{row_of(type.dtype).bits} * type.lanes;
    };
    if (last == nullptr || !buffer.dtype.is_number())
      return nodes_.error(call, "parse.unsupported",
                          "a view of another dtype needs a last axis of known size");
    const std::int64_t size = last->value * bits(parent->dtype) / bits(buffer.dtype);
    buffer.shape.back() = tir::make_expr(tir::IntImm{size}, buffer.shape.back()->type);
  } else {
    buffer.shape.clear();
    for (const NodeIndex one : nodes_.arguments(call)) {
      if (nodes_[one].kind == NodeKind::keyword)
        return nodes_.error(one, "parse.unsupported", "a view with a layout is not supported");
      buffer.shape.push_back(TRY(exprs_.expr(one)));
    }
  }
  BufferDeclaration made;
  made.data = tir::make_expr(tir::BufferData{parent}, tir::kHandle);
  made.buffer = std::make_shared<const tir::BufferNode>(std::move(buffer));
  return made;
}

Result<NamedAttrs> parse_tir_attrs(const Nodes& nodes, NodeIndex dict) {
  if (nodes.is_absent(dict)) return NamedAttrs();
  if (nodes[dict].kind != NodeKind::dict) return nodes.error(dict, "parse.attribute", "a dict is expected");
  NamedAttrs attrs;
  constexpr std::string_view kOld = "tir.";
  for (NodeIndex key = nodes[dict].first; key != kNoNode; key = nodes[nodes[key].sibling].sibling) {
    if (nodes[key].kind != NodeKind::string) return nodes.error(key, "parse.attribute", "a string is expected");
    const std::string name(nodes[key].text);
    if (name == kLayoutFreePlaceholders) continue;
    attrs[name.starts_with(kOld) ? "tirx." + name.substr(kOld.size()) : name] = TRY(parse_attr(nodes, nodes[key].sibling));
  }
  return attrs;
}

Result<BufferDeclaration> TirBufferParser::beginning(NodeIndex subscript, std::string_view name) {
  tir::BufferRegion region = TRY(exprs_.region(subscript));
  const auto is_number = [](const tir::Expr& expr, std::int64_t value) {
    const auto* number = tir::as<tir::IntImm>(expr);
    return number != nullptr && number->value == value;
  };
  const auto is_size = [&](const tir::Expr& extent, const tir::Expr& size) {
    const auto* number = tir::as<tir::IntImm>(size);
    return extent == size || (number != nullptr && is_number(extent, number->value));
  };
  tir::BufferNode buffer = *region.buffer;
  buffer.name = name;
  for (std::size_t axis = 0; axis < region.region.size(); ++axis) {
    tir::Range& range = region.region[axis];
    const bool as_wide = axis == 0 || (axis < buffer.shape.size() && is_size(range.extent, buffer.shape[axis]));
    if (!is_number(range.min, 0) || !as_wide || region.region.size() != buffer.shape.size())
      return nodes_.error(subscript, "parse.unsupported", "a part of a buffer that is no beginning of it is not supported");
    buffer.shape[axis] = std::move(range.extent);
  }
  BufferDeclaration made;
  made.data = tir::make_expr(tir::BufferData{region.buffer}, tir::kHandle);
  made.buffer = std::make_shared<const tir::BufferNode>(std::move(buffer));
  return made;
}

}  // namespace passdiff
