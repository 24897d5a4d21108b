#include "passes/tvm/adapter/build_types.h"

#include <algorithm>

#include "core/match.h"

namespace passdiff {
namespace {

// The rank if it alone is known; else -1, which stands for an unknown rank, and for one that the dims give.
std::int64_t rank_without_dims(const RelaxTypes::Extent& extent) {
  return extent.dims ? -1 : extent.rank.value_or(-1);
}

}  // namespace

ObjectRef int_imm(DType dtype, std::int64_t value) {
  // ir.IntImm takes a signed value, and refuses this one, which minima begin with.
  if (dtype == DType::uint64 && value == -1 && compiler().functions.max_value != nullptr)
    return call(compiler().functions.max_value, dl_dtype(dtype), nullptr).cast<ObjectRef>();
  return call(compiler().functions.int_imm, dl_dtype(dtype), value, nullptr).cast<ObjectRef>();
}

ObjectRef float_imm(DType dtype, double value) {
  return call(compiler().functions.float_imm, dl_dtype(dtype), value, nullptr).cast<ObjectRef>();
}

ObjectRef make_attrs(std::string_view type_key, const std::vector<Any>& names_and_values) {
  const ffi::String key = string_of(type_key);
  std::vector<AnyView> packed = {AnyView(key)};
  packed.insert(packed.end(), names_and_values.begin(), names_and_values.end());
  Any result;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIFunctionCall(
      handle_of(compiler().functions.make_object), reinterpret_cast<TVMFFIAny*>(packed.data()),
      static_cast<int32_t>(packed.size()), reinterpret_cast<TVMFFIAny*>(&result)));
  return result.cast<ObjectRef>();
}

ObjectRef RelaxTypes::make_symbol(std::string_view name) {
  const Functions& f = compiler().functions;
  const DLDataType int64 = dl_dtype(DType::int64);
  if (f.symbol != nullptr) return call(f.symbol, string_of(name), int64, nullptr).cast<ObjectRef>();
  return call(f.var, string_of(name), call(f.prim_type, int64), nullptr).cast<ObjectRef>();
}

ObjectRef RelaxTypes::make_operation(DimOp op, const ObjectRef& lhs, const ObjectRef& rhs) {
  return call(compiler().arithmetic(op), lhs, rhs, nullptr).cast<ObjectRef>();
}

ObjectRef RelaxTypes::make_object_type() {
  return call(compiler().functions.any_type, nullptr).cast<ObjectRef>();
}

ObjectRef RelaxTypes::make_tensor_type(Extent extent, std::optional<DType> dtype, std::optional<int> vdevice,
                                       const std::optional<Sharding>& sharding) {
  const Compiler& c = compiler();
  const std::int64_t rank = rank_without_dims(extent);
  Any shape;
  if (extent.dims) shape = call(c.functions.shape, *extent.dims, nullptr);
  Any element;
  if (c.has_struct_info) {
    element = dtype ? dl_dtype(*dtype) : kVoid;
  } else if (dtype) {
    element = call(c.functions.prim_type, dl_dtype(*dtype));
  }
  const ObjectRef device = vdevice ? infos_.vdevices[*vdevice] : ObjectRef(nullptr);
  const auto whole = call(c.functions.tensor_type, shape, element, rank, device, nullptr).cast<ObjectRef>();
  return sharding ? distributed(whole, *sharding) : whole;
}

ObjectRef RelaxTypes::distributed(const ObjectRef& tensor_type, const Sharding& sharding) const {
  return call(compiler().functions.distributed_type, tensor_type, infos_.meshes[sharding.mesh], make_placement(sharding.placement), nullptr)
      .cast<ObjectRef>();
}

ObjectRef RelaxTypes::make_tuple_type(Objects fields) {
  return call(compiler().functions.tuple_type, fields, nullptr).cast<ObjectRef>();
}

ObjectRef RelaxTypes::make_shape_type(Extent extent) {
  Any values;
  if (extent.dims) values = *extent.dims;
  return call(compiler().functions.shape_type, values, rank_without_dims(extent), nullptr).cast<ObjectRef>();
}

ObjectRef RelaxTypes::make_prim_type(DType dtype) {
  const Functions& f = compiler().functions;
  if (f.prim_struct_info != nullptr)
    return call(f.prim_struct_info, dl_dtype(dtype), nullptr).cast<ObjectRef>();
  return call(f.prim_type, dl_dtype(dtype)).cast<ObjectRef>();
}

ObjectRef RelaxTypes::make_func_type(std::optional<Objects> params, ObjectRef result, bool pure) {
  const Functions& f = compiler().functions;
  if (!params) return call(f.opaque_func_type, result, nullptr, pure, nullptr).cast<ObjectRef>();
  return call(f.func_type, *params, result, pure, nullptr).cast<ObjectRef>();
}

ObjectRef RelaxTypes::index(const passdiff::Dim& dim, const IndexMap& map, const Objects& axes) {
  if (dim.is_static()) return make_integer(dim.value(), DType::int64);
  if (const SymVar* var = dim.as_var())
    return axes[std::find(map.axes.begin(), map.axes.end(), *var) - map.axes.begin()];
  const auto& binary = std::get<DimBinary>(dim.node()->node);
  const ObjectRef lhs = index(binary.lhs, map, axes);
  return make_operation(binary.op, lhs, index(binary.rhs, map, axes));
}

ObjectRef RelaxTypes::index_map(const IndexMap& map) {
  Objects axes;
  for (const SymVar& axis : map.axes) axes.push_back(make_symbol(axis->name));
  Objects indices;
  for (const passdiff::Dim& one : map.indices) indices.push_back(index(one, map, axes));
  return call(compiler().functions.index_map, axes, indices, nullptr).cast<ObjectRef>();
}

Any RelaxTypes::attr(const AttrValue& value) {
  return match(
      value, [](const std::same_as<std::monostate> auto&) { return Any(); },
      [](const OneOf<bool, std::int64_t, double> auto& plain) { return Any(plain); },
      [](const std::string& text) { return Any(ffi::String(text)); },
      [](const std::same_as<DType> auto& dtype) { return Any(dl_dtype(dtype)); },
      [this](const VDeviceRef& device) { return Any(infos_.vdevices[device.index]); },
      [this](const MeshRef& mesh) { return Any(infos_.meshes[mesh.index]); },
      [](const std::vector<std::int64_t>& values) {
        return Any(ffi::Array<std::int64_t>(values.begin(), values.end()));
      },
      [this](const AttrList& list) {
        ffi::Array<Any> items;
        for (const AttrValue& item : list.items) items.push_back(attr(item));
        return Any(items);
      },
      [this](const AttrMap& map) {
        ffi::Map<ffi::String, Any> entries;
        for (const auto& [key, item] : map.entries) entries.Set(key, attr(item));
        return Any(entries);
      },
      [this](const IndexMap& map) { return Any(index_map(map)); });
}

}  // namespace passdiff
