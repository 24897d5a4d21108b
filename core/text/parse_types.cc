#include <fmt/format.h>

#include <charconv>

#include "core/text/parse.h"

namespace passdiff {

std::optional<Dim> TextParser::symbol(NodeIndex node) {
  const std::string_view name = nodes_[node].text;
  const NameMeaning* meaning = names_.find(name);
  if (meaning != nullptr && meaning->symbol != nullptr) return Dim(meaning->symbol);
  if (!may_define_symbols_ || meaning != nullptr) {
    fail(node, "parse.undefined-name", fmt::format("`{}` is no symbolic variable", name));
    return std::nullopt;
  }
  const SymVar symbol = make_sym_var(std::string(name));
  names_.set(name, {.var = nullptr, .symbol = symbol});
  return Dim(symbol);
}

std::optional<Dim> TextParser::quoted_dim(NodeIndex node) {
  ExpressionReader inner(Lexer::fragment(nodes_[node].text, nodes_[node].at), nodes_);
  const NodeIndex tree = inner.expression();
  if (tree == kNoNode || (inner.token().kind != TokenKind::newline && inner.token().kind != TokenKind::end)) {
    fail(node, "parse.dim", "a string is no dimension");
    return std::nullopt;
  }
  if (++depth_ > kMaxNesting) {
    fail(node, "parse.nesting", "a dimension is nested too deeply");
    return std::nullopt;
  }
  std::optional<Dim> result = dim(tree);
  --depth_;
  return result;
}

std::optional<Dim> TextParser::dim_operation(NodeIndex node) {
  const std::optional<Dim> lhs = dim(nodes_.child(node, 0));
  const std::optional<Dim> rhs = lhs ? dim(nodes_.child(node, 1)) : std::nullopt;
  if (!rhs) return std::nullopt;
  const std::string_view text = nodes_[node].text;
  if (text == "+") return *lhs + *rhs;
  if (text == "-") return *lhs - *rhs;
  if (text == "*") return *lhs * *rhs;
  if (text == "//") return Dim::binary(DimOp::floor_divide, *lhs, *rhs);
  if (text == "%") return Dim::binary(DimOp::floor_mod, *lhs, *rhs);
  fail(node, "parse.dim", fmt::format("`{}` is no operator of dimensions", text));
  return std::nullopt;
}

std::optional<Dim> TextParser::dim(NodeIndex node) {
  const Node& syntax = nodes_[node];
  switch (syntax.kind) {
    case NodeKind::integer: {
      const std::optional<std::int64_t> value = int_value(node);
      return value ? std::optional(Dim(*value)) : std::nullopt;
    }
    case NodeKind::name:
      return symbol(node);
    case NodeKind::string:
      return quoted_dim(node);
    case NodeKind::binary:
      return dim_operation(node);
    case NodeKind::unary: {
      if (const std::optional<std::int64_t> value = int_value(node)) return Dim(*value);
      if (error_) return std::nullopt;
      const std::optional<Dim> operand = dim(nodes_.child(node, 0));
      if (!operand) return std::nullopt;
      return syntax.text == "-" ? *operand * Dim(-1) : *operand;
    }
    case NodeKind::call: {
      const std::string path = call_path(node, "T");
      if (path == "int64" && nodes_.children(node) == 2) return dim(nodes_.child(node, 1));
      const std::optional<DimOp> op =
          path == "min"                              ? std::optional(DimOp::minimum)
          : path == "max"                            ? std::optional(DimOp::maximum)
          : path == "floordiv" || path == "FloorDiv" ? std::optional(DimOp::floor_divide)
          : path == "floormod" || path == "FloorMod" ? std::optional(DimOp::floor_mod)
                                                     : std::nullopt;
      if (!op || nodes_.children(node) != 3) break;
      const std::optional<Dim> lhs = dim(nodes_.child(node, 1));
      const std::optional<Dim> rhs = lhs ? dim(nodes_.child(node, 2)) : std::nullopt;
      return rhs ? std::optional(Dim::binary(*op, *lhs, *rhs)) : std::nullopt;
    }
    default:
      break;
  }
  fail(node, "parse.dim",
       "a dimension is expected: an integer, a symbolic variable or arithmetic over these");
  return std::nullopt;
}

std::optional<Shape> TextParser::shape(NodeIndex node) {
  if (call_path(node, "R") == "shape" && nodes_.children(node) == 2) node = nodes_.child(node, 1);
  if (nodes_[node].kind != NodeKind::tuple && nodes_[node].kind != NodeKind::list) {
    fail(node, "parse.shape", "a tuple or list of dimensions is expected");
    return std::nullopt;
  }
  Shape result;
  for (NodeIndex at = nodes_[node].first; at != kNoNode; at = nodes_[at].sibling) {
    const std::optional<Dim> one = dim(at);
    if (!one) return std::nullopt;
    result.push_back(*one);
  }
  return result;
}

std::optional<int> TextParser::vdevice_index(NodeIndex node, std::string_view text) {
  // "llvm:1:global" is the second vdevice of that target, "vdevice:1" the second of all.
  const std::size_t colon = text.find(':');
  const std::string_view target = text.substr(0, colon);
  int wanted = 0;
  if (colon != std::string_view::npos) {
    const std::string_view number = text.substr(colon + 1);
    std::from_chars(number.data(), number.data() + number.size(), wanted);
  }
  int ordinal = 0;
  for (std::size_t i = 0; i < module_.vdevices.size(); ++i) {
    const bool matches = target == "vdevice" || module_.vdevices[i].target == target;
    if (matches && ordinal++ == wanted) return static_cast<int>(i);
  }
  fail(node, "parse.vdevice", fmt::format("the module has no vdevice {}", text));
  return std::nullopt;
}

std::optional<Type> TextParser::tensor_type_of(NodeIndex call) {
  std::vector<NodeIndex> values;
  if (!arguments(call, {"shape", "dtype", "vdevice", "ndim"}, values)) return std::nullopt;
  TensorType result;
  if (values[0] != kNoNode && nodes_[values[0]].kind == NodeKind::string && values[1] == kNoNode) {
    std::swap(values[0], values[1]);  // R.Tensor("float32")
  }
  if (values[0] != kNoNode && !is_name(values[0], "None")) {
    std::optional<Shape> dims = shape(values[0]);
    if (!dims) return std::nullopt;
    result.rank = static_cast<int>(dims->size());
    result.shape = std::move(*dims);
  }
  if (values[1] != kNoNode && !is_name(values[1], "None")) {
    result.dtype = dtype_value(values[1]);
    if (!result.dtype) return std::nullopt;
  }
  if (values[2] != kNoNode && !is_name(values[2], "None")) {
    const std::optional<VDeviceRef> device = vdevice_ref(values[2]);
    if (!device) return std::nullopt;
    result.vdevice = device->index;
  }
  if (values[3] != kNoNode) {
    const std::optional<std::int64_t> rank = int_value(values[3]);
    const std::int64_t limit = 64;
    if (!rank || *rank < kUnknownRank || *rank > limit || (result.shape && *rank != result.rank)) {
      fail(values[3], "parse.type", "ndim is no rank of this tensor");
      return std::nullopt;
    }
    result.rank = static_cast<int>(*rank);
  }
  return result;
}

std::optional<Type> TextParser::shape_type_of(NodeIndex call) {
  std::vector<NodeIndex> values;
  if (!arguments(call, {"values", "ndim"}, values)) return std::nullopt;
  ShapeType result;
  if (values[0] != kNoNode && !is_name(values[0], "None")) {
    std::optional<Shape> dims = shape(values[0]);
    if (!dims) return std::nullopt;
    result.rank = static_cast<int>(dims->size());
    result.values = std::move(*dims);
  } else if (values[1] != kNoNode) {
    const std::optional<std::int64_t> rank = int_value(values[1]);
    if (!rank || *rank < kUnknownRank || *rank > 64) {
      fail(values[1], "parse.type", "ndim is no rank");
      return std::nullopt;
    }
    result.rank = static_cast<int>(*rank);
  }
  return result;
}

std::optional<Type> TextParser::tuple_type_of(NodeIndex call) {
  NodeIndex at = nodes_.child(call, 1);
  const bool wrapped = at != kNoNode && nodes_[at].sibling == kNoNode &&
                       (nodes_[at].kind == NodeKind::list || nodes_[at].kind == NodeKind::tuple);
  if (wrapped) at = nodes_[at].first;
  TupleType result;
  for (; at != kNoNode; at = nodes_[at].sibling) {
    std::optional<Type> field = type(at);
    if (!field) return std::nullopt;
    result.fields.push_back(std::move(*field));
  }
  return result;
}

std::optional<Type> TextParser::callable_type_of(NodeIndex call) {
  std::vector<NodeIndex> values;
  if (!arguments(call, {"params", "ret", "purity", "derive_func"}, values)) return std::nullopt;
  FuncType result;
  if (values[0] != kNoNode && !is_name(values[0], "None")) {
    result.params.emplace();
    const bool several =
        nodes_[values[0]].kind == NodeKind::tuple || nodes_[values[0]].kind == NodeKind::list;
    NodeIndex at = several ? nodes_[values[0]].first : values[0];
    for (; at != kNoNode; at = several ? nodes_[at].sibling : kNoNode) {
      std::optional<Type> param = type(at);
      if (!param) return std::nullopt;
      result.params->push_back(std::move(*param));
    }
  }
  Type returned;
  if (values[1] != kNoNode && !is_name(values[1], "None")) {
    std::optional<Type> written = type(values[1]);
    if (!written) return std::nullopt;
    returned = std::move(*written);
  }
  result.result = std::move(returned);
  result.pure = result.params.has_value();  // TVM's default: a function of unknown parameters may do anything
  if (values[2] != kNoNode && !is_name(values[2], "None")) {
    const std::optional<bool> pure = bool_value(values[2]);
    if (!pure) return std::nullopt;
    result.pure = *pure;
  }
  return result;
}

std::optional<Type> TextParser::prim_type_of(NodeIndex call) {
  std::vector<NodeIndex> values;
  if (!arguments(call, {"dtype", "value"}, values)) return std::nullopt;
  if (values[0] != kNoNode) {
    const std::optional<DType> dtype = dtype_value(values[0]);
    return dtype ? std::optional<Type>(prim_type(*dtype)) : std::nullopt;
  }
  // TVM 0.25 writes R.Prim(value=T.float32(1.5)).
  const ExprPtr value = values[1] == kNoNode ? nullptr : expr(values[1]);
  if (value != nullptr && value->type.as_prim() != nullptr) return value->type;
  fail(call, "parse.type", "R.Prim needs a dtype");
  return std::nullopt;
}

std::optional<Type> TextParser::named_type(NodeIndex node, std::string_view name) {
  if (name == "Object" || name == "Any") return object_type();
  if (name == "Tensor") return TensorType{};
  if (name == "Shape") return ShapeType{};
  if (name == "Tuple") return TupleType{};
  if (name == "Callable") {
    return FuncType{.params = std::nullopt, .result = object_type(), .pure = false};
  }
  fail(node, "parse.type", fmt::format("R.{} is no type that can be read here", name));
  return std::nullopt;
}

std::optional<Type> TextParser::type(NodeIndex node) {
  if (is_name(node, "None")) return tuple_type({});
  const bool called = nodes_[node].kind == NodeKind::call;
  const NodeIndex callee = called ? nodes_.child(node, 0) : node;
  const std::string prim = path(callee, "T");
  if (const std::optional<DType> dtype = dtype_from_name(prim)) return prim_type(*dtype);
  if (path(callee, "I") == "StringType") return object_type();  // what 0.27 calls the type of R.str
  const std::string name = path(callee, "R");
  if (name.empty()) {
    fail(node, "parse.type", "a type is expected, such as R.Tensor((2, 3), \"float32\")");
    return std::nullopt;
  }
  if (!called) return named_type(node, name);
  if (name == "Tensor") return tensor_type_of(node);
  if (name == "Shape") return shape_type_of(node);
  if (name == "Tuple") return tuple_type_of(node);
  if (name == "Callable") return callable_type_of(node);
  if (name == "Prim") return prim_type_of(node);
  return named_type(node, name);
}

}  // namespace passdiff
