#include <algorithm>

#include "passes/tvm/adapter/build.h"
#include "passes/tvm/adapter/build_function.h"
#include "passes/tvm/adapter/build_tir.h"

namespace passdiff {
namespace {

ObjectRef untyped_call(const ObjectRef& callee, const Objects& args, const ObjectRef& attrs,
                       const Objects& type_args) {
  const Functions& f = compiler().functions;
  if (f.typed_call == nullptr)
    return call(f.untyped_call, callee, args, attrs, type_args, nullptr).cast<ObjectRef>();
  static const Any missing = call(f.type_missing);
  return call(f.typed_call, missing, callee, args, attrs, type_args, nullptr).cast<ObjectRef>();
}

// The value of an attribute in the class in which the compiler stores it, which may be another than that of the document.
Any as_stored(std::string_view type_key, std::string_view name, Any value) {
  if (name == "roi") {  // of resize2d: FloatImms
    Objects floats;
    for (const Any& number : value.cast<ffi::Array<Any>>())
      floats.push_back(float_imm(DType::float32, number.cast<double>()));
    return floats;
  }
  if (name == "indices_or_sections") {  // of split: IntImms
    if (value.type_index() == ffi::TypeIndex::kTVMFFIInt)
      return int_imm(DType::int64, value.cast<std::int64_t>());
    Objects indices;
    for (const std::int64_t index : value.cast<ffi::Array<std::int64_t>>())
      indices.push_back(int_imm(DType::int64, index));
    return indices;
  }
  if (name == "placement" && type_key == "relax.attrs.DistributionAttrs") {
    const std::optional<Placement> placement = placement_from_text(std::string(value.cast<ffi::String>()));
    if (!placement) throw Refusal("ValueError", "no placement");
    return make_placement(*placement);
  }
  if (value != nullptr || name.find("dtype") == std::string_view::npos) return value;
  // Where the compiler's field is a plain dtype, which cannot be missing, a missing one is void.
  Any stored;
  ffi::reflection::ForEachFieldInfo(
      TVMFFIGetTypeInfo(type_index_of(type_key)), [&](const TVMFFIFieldInfo* info) {
        const bool is_dtype = info->field_static_type_index == ffi::TypeIndex::kTVMFFIDataType;
        if (is_dtype && std::string_view(info->name.data, info->name.size) == name) stored = kVoid;
      });
  return stored;
}

// The dtype of a tensor; nothing if it is unknown, or the type is another.
std::optional<DType> element_dtype(const ObjectRef& type) {
  const Compiler& c = compiler();
  if (c.node(type) != Node::tensor_type) return std::nullopt;
  const Any element = c.fields.tensor_dtype(type.get());
  if (element == nullptr) return std::nullopt;
  const auto* prim = element.as<ffi::Object>();
  return dtype_of((prim != nullptr ? c.fields.prim_type_dtype(prim) : element).cast<DLDataType>());
}

// Whether inference could add nothing: a tensor whose dtype and dimensions are all given, or a tuple of such.
bool is_exact(const ObjectRef& type) {
  const Compiler& c = compiler();
  if (c.node(type) == Node::tuple_type) {
    const auto fields = c.fields.tuple_type_fields(type.get()).cast<Objects>();
    return std::all_of(fields.begin(), fields.end(), is_exact);
  }
  return element_dtype(type) && c.node(c.fields.tensor_shape.object(type.get())) == Node::shape;
}

bool is_distributed(const ObjectRef& operand) {
  return compiler().node(type_of(operand)) == Node::distributed_type;
}

}  // namespace

Result<ObjectRef> RelaxFunction::make_constant(const Cursor& at, TensorDocument tensor, const std::optional<Sharding>& sharding) {
  const Result<ffi::Tensor> value = tensor_of(tensor);
  if (!value) return at.error(value.error().code.c_str(), value.error().message);
  const auto plain = call(compiler().functions.tensor_const, *value, nullptr, nullptr).cast<ObjectRef>();
  if (!sharding) return plain;
  return call(compiler().functions.tensor_const, *value, types().distributed(type_of(plain), *sharding), nullptr).cast<ObjectRef>();
}

ObjectRef RelaxFunction::make_get(ObjectRef tuple, int index) {
  return call(compiler().functions.get_item, tuple, index, nullptr).cast<ObjectRef>();
}

ObjectRef RelaxFunction::make_tuple(Objects fields) {
  const Functions& f = compiler().functions;
  ObjectRef tuple = call(f.tuple, fields, nullptr).cast<ObjectRef>();
  if (has_type(tuple)) return tuple;
  Objects types;
  for (const ObjectRef& field : fields) types.push_back(type_of(field));
  call(f.update_type, tuple, call(f.tuple_type, types, nullptr));
  return tuple;
}

ObjectRef RelaxFunction::make_shape(Objects dims) {
  return call(compiler().functions.shape, dims, nullptr).cast<ObjectRef>();
}

ObjectRef RelaxFunction::scalar(const ObjectRef& number) const {
  const Functions& f = compiler().functions;
  return f.prim_value == nullptr ? number : call(f.prim_value, number, nullptr).cast<ObjectRef>();
}

ObjectRef RelaxFunction::make_prim(DType, ObjectRef value) {
  return scalar(value);
}

ObjectRef RelaxFunction::make_prim(DType dtype, double value) {
  return scalar(float_imm(dtype, value));
}

ObjectRef RelaxFunction::make_string(std::string_view value) {
  return call(compiler().functions.string_imm, ffi::String(std::string(value)), nullptr).cast<ObjectRef>();
}

ObjectRef RelaxFunction::make_dtype(DType value) {
  const Functions& f = compiler().functions;
  if (f.dtype_imm != nullptr) return call(f.dtype_imm, dl_dtype(value), nullptr).cast<ObjectRef>();
  return call(f.generic_const, dl_dtype(value), call(f.any_type, nullptr), nullptr).cast<ObjectRef>();
}

Result<ObjectRef> RelaxFunction::make_global(const Cursor& at, std::string_view name) {
  for (const auto& function : scope_.functions) {
    if (function->document().name == name) return function->typed_global();
  }
  for (const auto& function : scope_.prim_funcs) {
    if (function->document().name == name) return function->global();
  }
  return at.error("json.name", "no function is called " + std::string(name));
}

ObjectRef RelaxFunction::make_extern_function(std::string_view name) {
  return call(compiler().functions.extern_func, ffi::String(std::string(name)), nullptr, nullptr)
      .cast<ObjectRef>();
}

// The document names a vdevice on the runtime device, which the compiler keeps as two numbers.
void RelaxFunction::store_device(const ObjectRef& vdevice, std::vector<Any>& stored) const {
  const Fields& f = compiler().fields;
  const ObjectRef kind = f.target_kind.object(f.vdevice_target.object(vdevice.get()).get());
  stored.emplace_back(ffi::String(std::string(f.device_type.name())));
  stored.push_back(f.kind_device_type(kind.get()));
  stored.emplace_back(ffi::String(std::string(f.device_id.name())));
  stored.push_back(f.vdevice_id(vdevice.get()));
}

// R.layout_transform's pad_value: a scalar of the operand's dtype.
Any RelaxFunction::pad_value(const AttrValue& value, const ObjectRef& operand) {
  const std::optional<DType> dtype = element_dtype(type_of(operand));
  if (!dtype) return types().attr(value);
  if (const auto* number = std::get_if<double>(&value)) return scalar(float_imm(*dtype, *number));
  const auto* truth = std::get_if<bool>(&value);
  const auto* given = std::get_if<std::int64_t>(&value);
  if (truth == nullptr && given == nullptr) return types().attr(value);
  const std::int64_t whole = truth != nullptr ? std::int64_t{*truth} : *given;
  return scalar(is_float(*dtype) ? float_imm(*dtype, static_cast<double>(whole)) : int_imm(*dtype, whole));
}

ObjectRef RelaxFunction::op_attrs(std::string_view type_key, const std::vector<AttrDocument>& attrs,
                                  const Objects& args) {
  std::vector<Any> stored;
  for (const AttrDocument& attr : attrs) {
    const auto* vdevice = std::get_if<VDeviceRef>(&attr.value);
    if (vdevice != nullptr && type_key == kDeviceAttrs) {
      store_device(scope_.infos.vdevices[vdevice->index], stored);
      continue;
    }
    stored.emplace_back(ffi::String(std::string(attr.name)));
    const bool is_pad = attr.name == "pad_value" && type_key == "relax.attrs.LayoutTransformAttrs";
    stored.push_back(is_pad && !args.empty() ? pad_value(attr.value, args[0])
                                             : as_stored(type_key, attr.name, types().attr(attr.value)));
  }
  ffi::reflection::ForEachFieldInfo(TVMFFIGetTypeInfo(type_index_of(type_key)), [&](const TVMFFIFieldInfo* info) {
    const std::string_view name(info->name.data, info->name.size);
    const bool given = std::ranges::find(attrs, name, &AttrDocument::name) != attrs.end();
    if (given || std::ranges::find(kListsOfOlderVersions, name) == kListsOfOlderVersions.end()) return;
    stored.emplace_back(string_of(name));
    stored.emplace_back(ffi::Array<Any>());
  });
  return make_attrs(type_key, stored);
}

Result<ObjectRef> RelaxFunction::trusted_type(const OpCallDocument& document) {
  if (scope_.types != BuiltTypes::trusted || !document.bound) return ObjectRef(nullptr);
  Cursor at = declared(*document.bound).type;
  ObjectRef type = TRY(types().type(at));
  return is_exact(type) ? type : ObjectRef(nullptr);
}

Result<ObjectRef> RelaxFunction::make_op_call(OpCallDocument document, Objects args, Objects type_args) {
  const Functions& f = compiler().functions;
  const std::string_view name = document.name;
  const OpInfo& info = compiler().op(name);
  const std::string_view type_key = info.attrs_type.empty() ? document.attrs_class : info.attrs_type;
  if (type_key.empty() && !document.attrs.empty())
    return document.at.error("json.field", std::string(name) + " takes no attributes");
  const ObjectRef attrs = type_key.empty() ? ObjectRef(nullptr) : op_attrs(type_key, document.attrs, args);
  ObjectRef made = untyped_call(info.op, args, attrs, type_args);
  if (const ObjectRef trusted = TRY(trusted_type(document)); trusted.defined()) {
    call(f.update_type, made, trusted);
    last_trusted_ = trusted;
    return made;
  }
  const bool distributed = std::any_of(args.begin(), args.end(), is_distributed);
  const ffi::Function& infer = distributed ? info.infer_distributed : info.infer_type;
  if (infer == nullptr) throw Refusal("TypeError", std::string(name) + " has no type inference" + (distributed ? " for distributed tensors" : ""));
  call(f.update_type, made, call(infer, made, scope_.builder));
  return made;
}

ObjectRef RelaxFunction::derived_call(const ObjectRef& callee, const Objects& args, const Objects& type_args) {
  const Functions& f = compiler().functions;
  ObjectRef made = untyped_call(callee, args, ObjectRef(nullptr), type_args);
  call(f.update_type, made, call(f.derive_call_type, type_of(callee), made, scope_.builder));
  return made;
}

ObjectRef RelaxFunction::make_call(ObjectRef callee, Objects args) {
  return derived_call(callee, args, Objects());
}

ObjectRef RelaxFunction::make_extern_call(std::string_view name, Objects args, Objects type_args) {
  return derived_call(make_extern_function(name), args, type_args);
}

// The type of an If is the smallest that includes those of both branches, without the symbols that only a branch knows.
ObjectRef RelaxFunction::make_branch(BeforeBranches before, ObjectRef condition, ObjectRef then_branch,
                                     ObjectRef else_branch) {
  const Functions& f = compiler().functions;
  ObjectRef made = call(f.branch, condition, then_branch, else_branch, nullptr).cast<ObjectRef>();
  ffi::Map<ObjectRef, ObjectRef> known;
  bool grown = false;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i]) known.Set(*before[i], *before[i]);
    grown |= before[i].has_value() != types().symbols()[i].has_value();
  }
  const auto erased = [&](const ObjectRef& seq) -> Any {
    if (!grown) return type_of(seq);
    return call(f.erase, type_of(seq), known, ffi::Map<ObjectRef, ObjectRef>());
  };
  if (!has_type(made)) call(f.update_type, made, call(f.type_lca, erased(then_branch), erased(else_branch)));
  return made;
}

}  // namespace passdiff
