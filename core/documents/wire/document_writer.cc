#include "core/documents/wire/document_writer.h"

#include <algorithm>
#include <cmath>
#include <concepts>

#include "core/documents/wire/base64.h"
#include "core/documents/wire/cursor.h"
#include "core/match.h"

namespace passdiff {

void DocumentWriter::begin_module(std::size_t functions, std::size_t prim_funcs, std::size_t meshes) {
  map(kKeys<ModuleKey>.size() - kOptionalModuleKeys + (prim_funcs > 0 ? 1 : 0) + (meshes > 0 ? 1 : 0));
  key(ModuleKey::version);
  integer(kDocumentVersion);
  key(ModuleKey::functions);
  array(functions);
}

void DocumentWriter::begin_function(std::string_view name, bool is_public) {
  map(kKeys<FunctionKey>.size());
  key(FunctionKey::name);
  text(name);
  key(FunctionKey::is_public);
  boolean(is_public);
}

void DocumentWriter::begin_local_function() {
  form(ExprForm::function);
  map(kKeys<FunctionKey>.size() - static_cast<std::size_t>(FunctionKey::params));
}

void DocumentWriter::begin_prim_func(std::string_view name, bool is_public) {
  map(kKeys<PrimFuncKey>.size());
  key(PrimFuncKey::name);
  text(name);
  key(PrimFuncKey::is_public);
  boolean(is_public);
}

void DocumentWriter::number_or_name(double value) {
  std::isfinite(value) ? number(value) : text(non_finite_name(value));
}

void DocumentWriter::integers(std::span<const std::int64_t> values) {
  array(values.size());
  for (const std::int64_t value : values) integer(value);
}

void DocumentWriter::base64(std::span<const std::uint8_t> bytes) {
  text(base64_encode(bytes));
}

void DocumentWriter::vdevice(std::string_view target, std::int64_t id, std::string_view memory_scope) {
  array(3);
  text(target);
  integer(id);
  text(memory_scope);
}

// A range is its first id alone: the shape says how many follow.
void DocumentWriter::mesh(std::span<const std::int64_t> shape, std::span<const std::int64_t> device_ids, bool is_range) {
  array(2);
  integers(shape);
  is_range && !device_ids.empty() ? integer(device_ids.front()) : integers(device_ids);
}

void DocumentWriter::sharding(const Sharding& value) {
  array(2);
  integer(value.mesh);
  array(value.placement.size());
  for (const int axis : value.placement) axis == kReplica ? null() : integer(axis);
}

void DocumentWriter::symbol(std::int64_t index) {
  tag(kSymbolTag, 2);
  integer(index);
}

void DocumentWriter::symbol(std::string_view name) {
  tag(kSymbolTag, 2);
  text(name);
}

namespace {

// Writes an attribute, with one overload for each kind.
struct AttrWriter {
  DocumentWriter& out;

  void operator()(const std::same_as<std::monostate> auto&) const { out.null(); }
  void operator()(const std::same_as<bool> auto& value) const { out.boolean(value); }
  void operator()(const std::same_as<std::int64_t> auto& value) const { out.integer(value); }
  void operator()(const std::same_as<double> auto& value) const {
    if (std::isfinite(value)) return out.number(value);
    tag(kFloatTag);
    out.text(non_finite_name(value));
  }
  void operator()(const std::string& value) const { out.text(value); }
  void operator()(const std::same_as<DType> auto& value) const {
    tag(kDTypeTag);
    out.dtype(value);
  }
  void operator()(const VDeviceRef& value) const {
    tag(kVDeviceTag);
    out.integer(value.index);
  }
  void operator()(const MeshRef& value) const {
    tag(kMeshTag);
    out.integer(value.index);
  }
  void operator()(const std::vector<std::int64_t>& values) const { out.integers(values); }
  void operator()(const AttrList& list) const {
    out.array(list.items.size());
    for (const AttrValue& item : list.items) out.attr(item);
  }
  void operator()(const AttrMap& map) const {
    tag(kMapTag);
    out.attrs(map.entries);
  }
  void operator()(const IndexMap& map) const {
    tag(kIndexMapTag);
    out.array(2);
    out.array(map.axes.size());
    for (const SymVar& axis : map.axes) out.text(axis->name);
    out.array(map.indices.size());
    for (const Dim& index : map.indices) this->index(map, index);
  }

 private:
  void index(const IndexMap& map, const Dim& dim) const {
    if (dim.is_static()) return out.integer(dim.value());
    if (const SymVar* var = dim.as_var())
      return out.symbol(std::find(map.axes.begin(), map.axes.end(), *var) - map.axes.begin());
    const auto& binary = std::get<DimBinary>(dim.node()->node);
    out.dim_op(binary.op);
    index(map, binary.lhs);
    index(map, binary.rhs);
  }
  void tag(std::string_view name) const {
    out.map(1);
    out.text(name);
  }
};

}  // namespace

void DocumentWriter::attr(const AttrValue& value) {
  match(value, AttrWriter{*this});
}

void DocumentWriter::attrs(const NamedAttrs& attrs) {
  map(attrs.size());
  for (const auto& [name, value] : attrs) {
    text(name);
    attr(value);
  }
}

}  // namespace passdiff
