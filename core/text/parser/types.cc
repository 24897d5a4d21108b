#include "core/text/parser/types.h"

#include <fmt/format.h>

#include "core/documents/wire/module_document.h"
#include "core/text/parser/literals.h"
#include "core/text/parser/meshes.h"
#include "core/text/parser/vdevices.h"

namespace passdiff {

Result<int> TypeParser::rank(NodeIndex node, std::string_view message) {
  const std::optional<std::int64_t> rank = TRY(parse_int(nodes_, node));
  if (rank && *rank >= kUnknownRank && *rank <= kMaxRank) return static_cast<int>(*rank);
  return nodes_.error(node, "parse.type", message);
}

// Where the shape is a variable, or a dim is a scalar variable, the types here say no more than its rank.
std::optional<int> TypeParser::rank_alone(NodeIndex shape) const {
  if (shape == kNoNode || nodes_.is_name(shape, "None")) return std::nullopt;
  if (nodes_[shape].kind == NodeKind::name) {
    const NameMeaning* meaning = names_.find(nodes_[shape].text);
    const ShapeType* type = meaning == nullptr || meaning->var == nullptr ? nullptr : meaning->var->type.as_shape();
    return type == nullptr ? kUnknownRank : type->rank;
  }
  if (!nodes_.is_sequence(shape)) return std::nullopt;
  bool scalars = false;
  for (const NodeIndex dim : nodes_.children(shape)) {
    const NameMeaning* meaning = nodes_[dim].kind == NodeKind::name ? names_.find(nodes_[dim].text) : nullptr;
    scalars |= meaning != nullptr && meaning->var != nullptr && meaning->var->type.as_prim() != nullptr;
  }
  return scalars ? std::optional(nodes_.child_count(shape)) : std::nullopt;
}

Result<TensorType> TypeParser::tensor(NodeIndex shape, NodeIndex dtype, NodeIndex ndim) {
  if (shape != kNoNode && nodes_[shape].kind == NodeKind::string && dtype == kNoNode) {
    std::swap(shape, dtype);  // R.Tensor("float32")
  }
  TensorType result;
  if (const std::optional<int> rank = rank_alone(shape)) {
    result.rank = *rank;
  } else if (!nodes_.is_absent(shape)) {
    result.shape = TRY(dims_.shape(shape));
    result.rank = static_cast<int>(result.shape->size());
  }
  if (!nodes_.is_absent(dtype)) result.dtype = TRY(parse_dtype(nodes_, dtype));
  if (ndim == kNoNode) return result;
  constexpr std::string_view kWrongRank = "ndim is no rank of this tensor";
  const int written = TRY(rank(ndim, kWrongRank));
  if (result.shape && written != result.rank) return nodes_.error(ndim, "parse.type", kWrongRank);
  result.rank = written;
  return result;
}

Result<TensorType> TypeParser::tensor(NodeIndex call) {
  const std::vector<NodeIndex> values = TRY(nodes_.match_arguments(call, {"shape", "dtype", "vdevice", "ndim"}));
  TensorType result = TRY(tensor(values[0], values[1], values[3]));
  if (!nodes_.is_absent(values[2])) result.vdevice = TRY(parse_vdevice_ref(nodes_, module_.vdevices, values[2])).index;
  return result;
}

Result<TensorType> TypeParser::distributed_tensor(NodeIndex call) {
  const std::vector<NodeIndex> values = TRY(nodes_.match_arguments(call, {"shape", "dtype", "device_mesh", "placement", "ndim"}));
  TensorType result = TRY(tensor(values[0], values[1], values[4]));
  if (values[2] == kNoNode || values[3] == kNoNode) return nodes_.error(call, "parse.type", "R.DTensor needs a mesh and a placement");
  const int mesh = TRY(parse_mesh_ref(nodes_, module_.meshes, values[2])).index;
  result.sharding = Sharding{.mesh = mesh, .placement = TRY(parse_placement(nodes_, values[3]))};
  return result;
}

Result<ShapeType> TypeParser::shape(NodeIndex call) {
  const std::vector<NodeIndex> values = TRY(nodes_.match_arguments(call, {"values", "ndim"}));
  ShapeType result;
  if (!nodes_.is_absent(values[0])) {
    result.values = TRY(dims_.shape(values[0]));
    result.rank = static_cast<int>(result.values->size());
  } else if (values[1] != kNoNode) {
    result.rank = TRY(rank(values[1], "ndim is no rank"));
  }
  return result;
}

Result<TupleType> TypeParser::tuple(NodeIndex call) {
  NodeIndex first = nodes_.child(call, 1);
  const bool alone = first != kNoNode && nodes_[first].sibling == kNoNode;
  if (alone && nodes_.is_sequence(first)) first = nodes_[first].first;  // R.Tuple([...])
  TupleType result;
  for (const NodeIndex field : nodes_.siblings(first)) result.fields.push_back(TRY(type(field)));
  return result;
}

Result<FuncType> TypeParser::callable(NodeIndex call) {
  const std::vector<NodeIndex> values =
      TRY(nodes_.match_arguments(call, {"params", "ret", "purity", "derive_func"}));
  FuncType result;
  if (!nodes_.is_absent(values[0])) {
    result.params.emplace();
    for (const NodeIndex param : nodes_.one_or_several(values[0])) result.params->push_back(TRY(type(param)));
  }
  if (!nodes_.is_absent(values[1])) result.result = TRY(type(values[1]));
  result.pure = result.params.has_value();  // TVM's default: a function of unknown parameters may do anything
  if (!nodes_.is_absent(values[2])) {
    const std::optional<bool> pure = parse_bool(nodes_, values[2]);
    if (!pure) return nodes_.error(values[2], "parse.type", "purity is True or False");
    result.pure = *pure;
  }
  return result;
}

Result<Type> TypeParser::prim(NodeIndex call) {
  const std::vector<NodeIndex> values = TRY(nodes_.match_arguments(call, {"dtype", "value"}));
  if (values[0] != kNoNode) return prim_type(TRY(parse_dtype(nodes_, values[0])));
  if (values[1] != kNoNode) return prim_of_value(call, values[1]);
  return nodes_.error(call, "parse.type", "R.Prim needs a dtype");
}

// TVM 0.25 writes the value where it is known, R.Prim(value=T.float32(1.5)): the type is that of the value.
Result<Type> TypeParser::prim_of_value(NodeIndex call, NodeIndex value) {
  if (parse_bool(nodes_, value)) return prim_type(DType::boolean);
  if (is_digits(nodes_, value)) return TRY(parse_number(nodes_, value))->type;
  const NameMeaning* meaning =
      nodes_[value].kind == NodeKind::name ? names_.find(nodes_[value].text) : nullptr;
  if (meaning != nullptr && meaning->var != nullptr) {
    if (meaning->var->type.as_prim() != nullptr) return meaning->var->type;
    return nodes_.error(call, "parse.type", "R.Prim needs a dtype");
  }
  return TRY(dims_.scalar_call(value))->type;
}

Result<Type> TypeParser::bare(NodeIndex node, std::string_view name) {
  if (name == "Object" || name == "Any") return object_type();
  if (name == "Tensor") return Type(TensorType{});
  if (name == "Shape") return Type(ShapeType{});
  if (name == "Tuple") return Type(TupleType{});
  if (name == "Callable") return Type(FuncType{.params = std::nullopt, .result = object_type(), .pure = false});
  return nodes_.error(node, "parse.type", fmt::format("R.{} is no type that can be read here", name));
}

Result<Type> TypeParser::type(NodeIndex node) {
  if (nodes_.is_name(node, "None")) return tuple_type({});
  const bool called = nodes_[node].kind == NodeKind::call;
  const NodeIndex callee = called ? nodes_[node].first : node;
  if (const std::optional<DType> dtype = dtype_from_name(nodes_.path(callee, "T"))) return prim_type(*dtype);
  if (nodes_.path(callee, "I") == "StringType") return object_type();  // TVM 0.27's name for the type of R.str
  const std::string name = nodes_.path(callee, "R");
  if (name.empty()) {
    return nodes_.error(node, "parse.type", "a type is expected, such as R.Tensor((2, 3), \"float32\")");
  }
  if (!called) return bare(node, name);
  if (name == "Tensor") return Type(TRY(tensor(node)));
  if (name == "DTensor") return Type(TRY(distributed_tensor(node)));
  if (name == "Shape") return Type(TRY(shape(node)));
  if (name == "Tuple") return Type(TRY(tuple(node)));
  if (name == "Callable") return Type(TRY(callable(node)));
  if (name == "Prim") return prim(node);
  return bare(node, name);
}

}  // namespace passdiff
