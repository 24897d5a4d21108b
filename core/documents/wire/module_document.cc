#include "core/documents/wire/module_document.h"

#include <algorithm>
#include <limits>
#include <string>

#include "core/documents/wire/base64.h"

namespace passdiff {
namespace {

constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();

template <class E>
using Fields = std::array<Cursor, kKeys<E>.size()>;
template <class E>
Cursor& at(Fields<E>& fields, E key) {
  return fields[static_cast<std::size_t>(key)];
}

Result<std::vector<VariableDocument>> read_variables(Cursor in) {
  std::vector<VariableDocument> vars;
  const std::size_t count = TRY(in.array());
  vars.reserve(std::min<std::size_t>(count, 256));  // not for all of them: the count may be wrong
  while (vars.size() < count) {
    VariableDocument& var = vars.emplace_back();
    TRY_VOID(expect_size(in, 3));
    var.name = TRY(in.text());
    var.type = in;
    in.skip();
    var.dataflow = TRY(in.bit());
  }
  return vars;
}

// `fields` are those of FunctionKey from `params` on.
Result<BodyDocument> body_outline(std::span<Cursor> fields) {
  constexpr auto kFirst = static_cast<std::size_t>(FunctionKey::params);
  const auto field = [&](FunctionKey key) -> Cursor& { return fields[static_cast<std::size_t>(key) - kFirst]; };
  return BodyDocument{.params = field(FunctionKey::params),
                      .attrs = field(FunctionKey::attrs),
                      .result = field(FunctionKey::result),
                      .body = field(FunctionKey::body),
                      .pure = TRY(field(FunctionKey::pure).boolean())};
}

Result<FunctionDocument> read_function(Cursor& in) {
  Fields<FunctionKey> fields;
  TRY_VOID(read_fields(in, kKeys<FunctionKey>, fields));
  FunctionDocument function;
  function.name = TRY(at(fields, FunctionKey::name).text());
  function.is_public = TRY(at(fields, FunctionKey::is_public).boolean());
  Cursor& symbols = at(fields, FunctionKey::symbols);
  function.symbols.resize(TRY(symbols.array()));
  for (std::string_view& name : function.symbols) name = TRY(symbols.text());
  function.vars = TRY(read_variables(at(fields, FunctionKey::vars)));
  function.body = TRY(body_outline(std::span(fields).subspan(static_cast<std::size_t>(FunctionKey::params))));
  return function;
}

Result<std::vector<ScalarVariableDocument>> read_scalar_variables(Cursor in) {
  std::vector<ScalarVariableDocument> vars;
  for (std::size_t left = TRY(in.array()); left > 0; --left) {
    ScalarVariableDocument& var = vars.emplace_back();
    TRY_VOID(expect_size(in, 2));
    var.name = TRY(in.text());
    var.type = TRY(read_scalar_type(in));
  }
  return vars;
}

Result<std::vector<VDeviceDocument>> read_vdevices(Cursor in) {
  std::vector<VDeviceDocument> vdevices;
  for (std::size_t left = TRY(in.array()); left > 0; --left) {
    VDeviceDocument& device = vdevices.emplace_back();
    TRY_VOID(expect_size(in, 3));
    device.target = TRY(in.text());
    device.id = static_cast<int>(TRY(in.integer(0, kMaxInt)));
    device.memory_scope = TRY(in.text());
  }
  return vdevices;
}

// The ids of the devices are as many as the mesh has places.
Result<std::vector<DeviceMesh>> read_meshes(Cursor in) {
  std::vector<DeviceMesh> meshes;
  for (std::size_t left = TRY(in.array()); left > 0; --left) {
    DeviceMesh& mesh = meshes.emplace_back();
    const Cursor start = in;
    TRY_VOID(expect_size(in, 2));
    mesh.shape = TRY(in.integers());
    const std::optional<std::int64_t> count = count_devices(mesh.shape);
    if (!count) return start.error("json.number", "a mesh of no such size");
    mesh.is_range = in.kind() == ItemKind::integer;
    if (mesh.is_range) {
      const std::int64_t first = TRY(in.integer(0, kMaxInt));
      for (std::int64_t i = 0; i < *count; ++i) mesh.device_ids.push_back(first + i);
    } else {
      mesh.device_ids = TRY(in.integers());
    }
    if (std::ssize(mesh.device_ids) != *count) return start.error("json.number", "a mesh has another number of devices than places");
  }
  return meshes;
}

// Reads an index of an index map: a DIM whose symbols are the axes.
Result<Dim> read_index(Cursor& in, const std::vector<SymVar>& axes) {
  if (in.kind() == ItemKind::integer) return Dim(TRY(in.integer()));
  const Cursor start = in;
  const std::size_t size = TRY(begin_form(in, "an index"));
  const std::string_view tag = TRY(in.text());
  if (tag == kSymbolTag && size == 2) return Dim(axes[TRY(in.index(axes.size()))]);
  const std::optional<DimOp> op = dim_op_from_name(tag);
  if (!op || size != 3) return start.error("json.name", "expected an axis or an operation on two indices");
  const Dim lhs = TRY(read_index(in, axes));
  const Dim rhs = TRY(read_index(in, axes));
  return Dim::binary(*op, lhs, rhs);
}

Result<IndexMap> read_index_map(Cursor& in) {
  TRY_VOID(expect_size(in, 2));
  IndexMap map;
  for (std::size_t left = TRY(in.array()); left > 0; --left)
    map.axes.push_back(make_sym_var(std::string(TRY(in.text()))));
  for (std::size_t left = TRY(in.array()); left > 0; --left)
    map.indices.push_back(TRY(read_index(in, map.axes)));
  return map;
}

Result<AttrValue> read_list_attr(Cursor& in, GlobalInfos infos) {
  std::vector<AttrValue> items;
  for (std::size_t left = TRY(in.array()); left > 0; --left) items.push_back(TRY(read_attr(in, infos)));
  return list_attr(std::move(items));
}

Result<AttrValue> read_tagged_attr(Cursor& in, GlobalInfos infos) {
  const Cursor start = in;
  if (TRY(in.map()) == 1) {
    const std::string_view tag = TRY(in.text());
    if (tag == kDTypeTag) return AttrValue(TRY(in.dtype()));
    if (tag == kVDeviceTag) return AttrValue(VDeviceRef{static_cast<int>(TRY(in.index(infos.vdevices)))});
    if (tag == kMeshTag) return AttrValue(MeshRef{static_cast<int>(TRY(in.index(infos.meshes)))});
    if (tag == kMapTag) return AttrValue(AttrMap{TRY(read_attrs(in, infos))});
    if (tag == kIndexMapTag) return AttrValue(TRY(read_index_map(in)));
    const auto named = tag == kFloatTag ? non_finite_number(TRY(in.text())) : std::nullopt;
    if (named) return AttrValue(*named);
  }
  return start.error("json.type", "expected an attribute");
}

}  // namespace

std::optional<Error> expect_size(Cursor& in, std::size_t size) {
  const Cursor start = in;
  const std::size_t actual = TRY(in.array());
  if (actual == size) return std::nullopt;
  return start.error("json.type", "an array of " + std::to_string(actual) + " elements, expected " +
                                      std::to_string(size));
}

std::optional<Error> read_fields(Cursor& in, std::span<const std::string_view> keys, std::span<Cursor> values,
                                 std::size_t optional) {
  const Cursor start = in;
  std::uint64_t seen = 0;
  std::size_t next = 0;  // the key that our own writer would write next
  for (std::size_t left = TRY(in.map()); left > 0; --left) {
    const std::string_view key = TRY(in.text());
    std::size_t i = next < keys.size() && keys[next] == key ? next : 0;
    while (i < keys.size() && keys[i] != key) ++i;
    if (i == keys.size()) return start.error("json.field", "unknown field \"" + std::string(key) + "\"");
    if ((seen >> i & 1U) != 0) return start.error("json.field", "a second field \"" + std::string(key) + "\"");
    seen |= std::uint64_t{1} << i;
    next = i + 1;
    values[i] = in;
    in.skip();
  }
  for (std::size_t i = 0; i < keys.size() - optional; ++i) {
    if ((seen >> i & 1U) == 0) return start.error("json.field", "no field \"" + std::string(keys[i]) + "\"");
  }
  return std::nullopt;
}

Result<BodyDocument> read_body_outline(Cursor& in) {
  constexpr auto kFirst = static_cast<std::size_t>(FunctionKey::params);
  constexpr auto kLocalKeys = std::span(kKeys<FunctionKey>).subspan(kFirst);
  std::array<Cursor, kLocalKeys.size()> fields;
  TRY_VOID(read_fields(in, kLocalKeys, fields));
  return body_outline(fields);
}

Result<ModuleDocument> read_outline(std::span<const std::uint8_t> document) {
  Cursor in = TRY(Cursor::open(document));
  Fields<ModuleKey> fields;
  TRY_VOID(read_fields(in, kKeys<ModuleKey>, fields, kOptionalModuleKeys));
  Cursor& version = at(fields, ModuleKey::version);
  const Cursor version_at = version;
  if (TRY(version.integer()) != kDocumentVersion)
    return version_at.error("json.version", "only version 1 is known");
  ModuleDocument module;
  module.vdevices = TRY(read_vdevices(at(fields, ModuleKey::vdevices)));
  if (at(fields, ModuleKey::meshes).is_set()) module.meshes = TRY(read_meshes(at(fields, ModuleKey::meshes)));
  module.attrs = TRY(read_attrs(at(fields, ModuleKey::attrs), module.infos()));
  module.functions = at(fields, ModuleKey::functions);
  module.prim_funcs = at(fields, ModuleKey::prim_funcs);
  return module;
}

Result<std::vector<FunctionDocument>> read_functions(Cursor& in) {
  std::vector<FunctionDocument> functions;
  for (std::size_t left = TRY(in.array()); left > 0; --left) functions.push_back(TRY(read_function(in)));
  return functions;
}

Result<PrimFuncDocument> read_prim_func_outline(Cursor& in) {
  Fields<PrimFuncKey> fields;
  TRY_VOID(read_fields(in, kKeys<PrimFuncKey>, fields));
  return PrimFuncDocument{.name = TRY(at(fields, PrimFuncKey::name).text()),
                          .is_public = TRY(at(fields, PrimFuncKey::is_public).boolean()),
                          .vars = TRY(read_scalar_variables(at(fields, PrimFuncKey::vars))),
                          .result = TRY(read_scalar_type(at(fields, PrimFuncKey::result))),
                          .buffers = at(fields, PrimFuncKey::buffers),
                          .params = at(fields, PrimFuncKey::params),
                          .attrs = at(fields, PrimFuncKey::attrs),
                          .body = at(fields, PrimFuncKey::body)};
}

Result<tir::ScalarType> read_scalar_type(Cursor& in) {
  const Cursor start = in;
  const std::string_view name = TRY(in.text());
  if (const auto type = tir::scalar_type_from_name(name)) return *type;
  return start.error("json.name", "no scalar type is called \"" + std::string(name) + "\"");
}

Result<TensorDocument> read_tensor(Cursor dtype, Cursor shape, Cursor data) {
  TensorDocument tensor;
  tensor.dtype = TRY(dtype.dtype());
  const Cursor shape_at = shape;
  tensor.shape = TRY(shape.integers());
  if (tensor.shape.size() > static_cast<std::size_t>(kMaxRank))
    return shape_at.error("tensor.shape", "more than 64 dims");
  const Cursor data_at = data;
  Result<std::vector<std::uint8_t>> bytes = base64_decode(TRY(data.text()));
  if (!bytes) return data_at.error("json.base64", bytes.error().message);
  tensor.bytes = *std::move(bytes);
  return tensor;
}

Result<TensorDocument> read_tensor(Cursor& in) {
  const Cursor dtype = in;
  in.skip();
  const Cursor shape = in;
  in.skip();
  const Cursor data = in;
  in.skip();
  return read_tensor(dtype, shape, data);
}

Result<Sharding> read_sharding(Cursor& in, std::size_t meshes) {
  TRY_VOID(expect_size(in, 2));
  Sharding sharding{.mesh = static_cast<int>(TRY(in.index(meshes))), .placement = {}};
  for (std::size_t left = TRY(in.array()); left > 0; --left)
    sharding.placement.push_back(in.take_null() ? kReplica : static_cast<int>(TRY(in.integer(0, kMaxRank))));
  return sharding;
}

Result<AttrValue> read_attr(Cursor& in, GlobalInfos infos) {
  static_assert(kAttrKinds == 12, "a new kind of attribute is read here");
  switch (in.kind()) {
    case ItemKind::null:
      in.skip();
      return AttrValue();
    case ItemKind::boolean:
      return AttrValue(TRY(in.boolean()));
    case ItemKind::integer:
      return AttrValue(TRY(in.integer()));
    case ItemKind::number:
      return AttrValue(TRY(in.number()));
    case ItemKind::text:
      return AttrValue(std::string(TRY(in.text())));
    case ItemKind::array:
      return read_list_attr(in, infos);
    case ItemKind::map:
      break;
  }
  return read_tagged_attr(in, infos);
}

Result<NamedAttrs> read_attrs(Cursor& in, GlobalInfos infos) {
  const Cursor start = in;
  NamedAttrs attrs;
  for (std::size_t left = TRY(in.map()); left > 0; --left) {
    const std::string_view name = TRY(in.text());
    if (!attrs.emplace(name, TRY(read_attr(in, infos))).second)
      return start.error("json.field", "a second field \"" + std::string(name) + "\"");
  }
  return attrs;
}

Result<std::size_t> begin_form(Cursor& in, const char* what) {
  const Cursor start = in;
  const std::size_t size = TRY(in.array(what));
  if (size == 0) return start.error("json.type", std::string("expected ") + what);
  return size;
}

}  // namespace passdiff
