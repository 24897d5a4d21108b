#include "passes/tvm/adapter/encode_types.h"

#include <charconv>
#include <optional>
#include <utility>

#include "passes/tvm/adapter/encode.h"

namespace passdiff {
namespace {

using AxisMap = std::vector<std::pair<ObjectRef, SymVar>>;

Dim index_of(const ObjectRef& index, const AxisMap& axes) {
  const Node node = compiler().node(index);
  if (node == Node::int_imm) return integer_value(index.get());
  for (const auto& [axis, symbol] : axes) {
    if (axis.same_as(index)) return symbol;
  }
  if (!is_arithmetic(node)) throw Unreadable("index map with " + class_name(index.get()));
  const auto [lhs, rhs] = operands_of(index.get());
  return Dim::binary(dim_op_of(node), index_of(lhs, axes), index_of(rhs, axes));
}

IndexMap index_map(const ffi::Object* map) {
  const Fields& f = compiler().fields;
  if (f.index_map_inverse.object(map).defined()) throw Unreadable("index map with an inverse");
  IndexMap result;
  AxisMap axes;
  for (const ObjectRef& axis : f.index_map_axes(map).cast<Objects>()) {
    result.axes.push_back(make_sym_var(text_of(f.symbol_name(axis.get()))));
    axes.emplace_back(axis, result.axes.back());
  }
  for (const ObjectRef& index : f.index_map_indices(map).cast<Objects>())
    result.indices.push_back(index_of(index, axes));
  return result;
}

DType readable(DLDataType dtype) {
  if (const auto known = dtype_of(dtype)) return *known;
  throw Unreadable("dtype " + std::string(ffi::DLDataTypeToString(dtype)));
}

std::string printed(const Any& value) {
  static const ffi::Function repr = require_function({"ffi.ReprPrint", "node.AsRepr"});
  return text_of(call(repr, value));
}

// The value of an integer attribute, which may be plain or an IntImm; nothing for others.
std::optional<std::int64_t> integer_of(const Any& value) {
  if (value.type_index() == ffi::TypeIndex::kTVMFFIInt) return value.cast<std::int64_t>();
  const auto* object = value.as<ffi::Object>();
  if (compiler().node(object) != Node::int_imm) return std::nullopt;
  return integer_value(object);
}

}  // namespace

// Every class of it has the fields a and b at the same offsets.
std::pair<ObjectRef, ObjectRef> operands_of(const ffi::Object* arithmetic) {
  static const Field a{{"prim.Add", "a"}, {"tirx.Add", "a"}, {"tir.Add", "a"}};
  static const Field b{{"prim.Add", "b"}, {"tirx.Add", "b"}, {"tir.Add", "b"}};
  return {a.object(arithmetic), b.object(arithmetic)};
}

// Values that int64 lacks are objects of a class that earlier versions do not have; all print as decimal numbers.
std::int64_t integer_value(const ffi::Object* imm) {
  const Any value = compiler().fields.int_value(imm);
  if (value.type_index() == ffi::TypeIndex::kTVMFFIInt) return value.cast<std::int64_t>();
  const std::string text = printed(value);
  std::uint64_t bits = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, bits);
  if (error != std::errc() || rest != end) throw Unreadable("integer beyond 64 bits");
  return static_cast<std::int64_t>(bits);
}

std::string class_name(const ffi::Object* object) {
  if (object == nullptr) return "nothing";
  const std::string_view key = type_key_of(object->type_index());
  return std::string(key.substr(key.rfind('.') + 1));
}

DLDataType dtype_of_number(const ffi::Object* number) {
  const Fields& f = compiler().fields;
  if (compiler().has_struct_info) return f.prim_dtype(number).cast<DLDataType>();
  const ObjectRef type = f.type.object(number);
  if (compiler().node(type) != Node::prim_type) throw Unreadable("number of type " + class_name(type.get()));
  return f.prim_type_dtype(type.get()).cast<DLDataType>();
}

void TypeEncoder::number_symbols(const std::vector<std::optional<ObjectRef>>& symbols) {
  for (const std::optional<ObjectRef>& symbol : symbols) {
    if (symbol) {
      static_cast<void>(symbols_.of(*symbol));
    } else {
      symbols_.leave_one_out();
    }
  }
}

void TypeEncoder::symbol_table() {
  out_.array(symbols_.table().size());
  for (const ObjectRef& symbol : symbols_.table()) out_.text(text_of(compiler().fields.symbol_name(symbol.get())));
  symbols_ = {};
}

void TypeEncoder::dtype_to(DocumentWriter& out, DLDataType dtype) {
  out.dtype(readable(dtype));
}

void TypeEncoder::dim(const ObjectRef& dim) {
  const Node node = compiler().node(dim);
  if (node == Node::int_imm) return out_.integer(integer_value(dim.get()));
  if (node == Node::symbol || node == Node::var) return out_.symbol(symbols_.of(dim));
  if (!is_arithmetic(node)) throw Unreadable("dim " + class_name(dim.get()));
  out_.dim_op(dim_op_of(node));
  const auto [lhs, rhs] = operands_of(dim.get());
  this->dim(lhs);
  this->dim(rhs);
}

void TypeEncoder::dims(const Objects& dims) {
  out_.array(dims.size());
  for (const ObjectRef& d : dims) dim(d);
}

void TypeEncoder::types(const Objects& list) {
  out_.array(list.size());
  for (const ObjectRef& t : list) type(t);
}

// Writes a shape. `values` are the dimensions, or a ShapeExpr of them; if it is anything else only the rank is known.
void TypeEncoder::shape(const Any& values, const Field& ndim, const ffi::Object* type) {
  if (const auto list = values.as<Objects>()) return dims(*list);
  const auto* object = values.as<ffi::Object>();
  if (compiler().node(object) == Node::shape)
    return dims(compiler().fields.shape_values(object).cast<Objects>());
  const auto rank = ndim(type).cast<std::int64_t>();
  rank < 0 ? out_.null() : out_.integer(rank);
}

void TypeEncoder::tensor(const ffi::Object* type, const std::optional<Sharding>& sharding) {
  const Fields& f = compiler().fields;
  const ObjectRef vdevice = f.tensor_vdevice.object(type);
  out_.form(TypeForm::tensor, sharding ? 5 : vdevice.defined() ? 4 : 3);
  shape(f.tensor_shape(type), f.tensor_ndim, type);
  const Any element = f.tensor_dtype(type);
  const auto* element_type = element.as<ffi::Object>();
  if (element == nullptr) {
    out_.null();
  } else {
    const auto dtype =
        (element_type != nullptr ? f.prim_type_dtype(element_type) : element).cast<DLDataType>();
    is_void(dtype) ? out_.null() : this->dtype(dtype);
  }
  if (vdevice.defined()) {
    out_.integer(vdevice_index(vdevice));
  } else if (sharding) {
    out_.null();
  }
  if (sharding) out_.sharding(*sharding);
}

void TypeEncoder::func(const ffi::Object* type) {
  const Fields& f = compiler().fields;
  out_.form(TypeForm::func);
  const auto params = f.func_params(type).cast<ffi::Optional<Objects>>();
  params.has_value() ? types(params.value()) : out_.null();
  this->type(f.func_result.object(type));
  out_.boolean(f.func_pure(type).cast<bool>());
}

void TypeEncoder::type(const ObjectRef& type) {
  const Fields& f = compiler().fields;
  switch (compiler().node(type)) {
    case Node::tensor_type:
      return tensor(type.get());
    case Node::distributed_type:
      return tensor(f.distributed_tensor.object(type.get()).get(), sharding_of(type));
    case Node::func_type:
      return func(type.get());
    case Node::tuple_type:
      out_.form(TypeForm::tuple);
      return types(f.tuple_type_fields(type.get()).cast<Objects>());
    case Node::shape_type:
      out_.form(TypeForm::shape);
      return shape(f.shape_type_values(type.get()), f.shape_type_ndim, type.get());
    case Node::prim_type:
      out_.form(TypeForm::prim);
      return dtype(f.prim_type_dtype(type.get()).cast<DLDataType>());
    case Node::any_type:
    case Node::string_type:
    case Node::missing_type:
    case Node::packed_func_type:
      return out_.form(TypeForm::object);
    default:
      break;
  }
  if (!type.defined()) return out_.form(TypeForm::object);
  throw Unreadable("type " + class_name(type.get()));
}

std::optional<Sharding> TypeEncoder::sharding_of(const ObjectRef& type) const {
  const Fields& f = compiler().fields;
  if (compiler().node(type) != Node::distributed_type) return std::nullopt;
  return Sharding{.mesh = mesh_index(infos_, f.distributed_mesh.object(type.get())),
                  .placement = placement_of(f.distributed_placement.object(type.get()))};
}

std::int64_t TypeEncoder::vdevice_index(const ObjectRef& vdevice) {
  for (std::size_t i = 0; i < infos_.vdevices.size(); ++i) {
    if (infos_.vdevices[static_cast<std::int64_t>(i)].same_as(vdevice)) return static_cast<std::int64_t>(i);
  }
  const Fields& f = compiler().fields;
  const auto kind = [&](const ObjectRef& d) {
    return text_of(f.kind_name(f.target_kind.object(f.vdevice_target.object(d.get()).get()).get()));
  };
  const auto same = [&](const ObjectRef& a, const ObjectRef& b) {
    return kind(a) == kind(b) &&
           f.vdevice_id(a.get()).cast<std::int64_t>() == f.vdevice_id(b.get()).cast<std::int64_t>() &&
           text_of(f.vdevice_scope(a.get())) == text_of(f.vdevice_scope(b.get()));
  };
  for (std::size_t i = 0; i < infos_.vdevices.size(); ++i) {
    if (same(infos_.vdevices[static_cast<std::int64_t>(i)], vdevice)) return static_cast<std::int64_t>(i);
  }
  throw Unreadable("vdevice that the module does not have");
}

std::int64_t TypeEncoder::device_index(std::int64_t device_type, std::int64_t id, std::string_view scope) {
  const Fields& f = compiler().fields;
  std::optional<std::int64_t> in_other_scope;
  for (std::size_t i = 0; i < infos_.vdevices.size(); ++i) {
    const ObjectRef device = infos_.vdevices[static_cast<std::int64_t>(i)];
    const ObjectRef kind = f.target_kind.object(f.vdevice_target.object(device.get()).get());
    if (f.kind_device_type(kind.get()).cast<std::int64_t>() != device_type) continue;
    if (f.vdevice_id(device.get()).cast<std::int64_t>() != id) continue;
    if (text_of(f.vdevice_scope(device.get())) == scope) return static_cast<std::int64_t>(i);
    if (!in_other_scope) in_other_scope = static_cast<std::int64_t>(i);
  }
  if (!in_other_scope) throw Unreadable("device that the module does not have");
  return *in_other_scope;
}

AttrValue TypeEncoder::attr_value(const Any& value, std::string_view name) {
  static_assert(kAttrKinds == 12, "a new kind of attribute is made of the compiler's here");
  if (value == nullptr) return std::monostate();
  switch (value.type_index()) {
    case ffi::TypeIndex::kTVMFFIBool:
      return value.cast<bool>();
    case ffi::TypeIndex::kTVMFFIInt:
      return value.cast<std::int64_t>();
    case ffi::TypeIndex::kTVMFFIFloat:
      return value.cast<double>();
    case ffi::TypeIndex::kTVMFFIDataType: {
      const auto dtype = value.cast<DLDataType>();
      if (is_void(dtype)) return std::monostate();
      return readable(dtype);
    }
    default:
      break;
  }
  return object_attr(value, name);
}

AttrValue TypeEncoder::object_attr(const Any& value, std::string_view name) {
  if (const auto text = value.as<ffi::String>()) return std::string(*text);
  const auto* object = value.as<ffi::Object>();
  if (compiler().node(object) == Node::vdevice)
    return VDeviceRef{static_cast<int>(vdevice_index(value.cast<ObjectRef>()))};
  if (compiler().node(object) == Node::device_mesh) return MeshRef{mesh_index(infos_, value.cast<ObjectRef>())};
  if (compiler().node(object) == Node::placement) return to_string(placement_of(value.cast<ObjectRef>()));
  if (const auto number = integer_of(value)) {
    if (dtype_of(dtype_of_number(object)) == DType::boolean) return *number != 0;
    return *number;
  }
  const Fields& f = compiler().fields;
  switch (compiler().node(object)) {
    case Node::float_imm:
      return f.float_value(object).cast<double>();
    case Node::prim_value:
      return attr_value(f.prim_value(object), name);
    case Node::index_map:
      return index_map(object);
    case Node::string_imm:
      return text_of(f.string_value(object));
    case Node::target:
      return printed(value);  // the JSON of its options, of which the compiler makes a target again
    default:
      break;
  }
  if (const auto list = value.as<ffi::Array<Any>>()) {
    std::vector<AttrValue> items;
    for (const Any& item : *list) items.push_back(attr_value(item, name));
    return list_attr(std::move(items));
  }
  const auto map = value.as<ffi::Map<ffi::String, Any>>();
  if (!map) throw Unreadable("attr " + std::string(name));
  AttrMap entries;
  for (const auto& [key, item] : *map) entries.entries[key] = attr_value(item, name);
  return entries;
}

}  // namespace passdiff
