#include "passes/tvm/adapter/build.h"
#include "passes/tvm/adapter/build_function.h"

namespace passdiff {
namespace {

ObjectRef type_of(const ObjectRef& expr) {
  return compiler().fields.type.object(expr.get());
}

ObjectRef make_call(const ObjectRef& callee, const Objects& args, const ObjectRef& attrs,
                    const Objects& type_args) {
  const Functions& f = compiler().functions;
  if (f.typed_call == nullptr)
    return call(f.untyped_call, callee, args, attrs, type_args, nullptr).cast<ObjectRef>();
  static const Any missing = call(f.type_missing);
  return call(f.typed_call, missing, callee, args, attrs, type_args, nullptr).cast<ObjectRef>();
}

// Attributes that the compiler keeps in other classes than the document does.
Any as_stored(std::string_view type_key, const std::string& name, Any value) {
  constexpr DLDataType kInt64{kDLInt, 64, 1};
  if (name == "indices_or_sections") {  // of split: IntImms
    if (value.type_index() == ffi::TypeIndex::kTVMFFIInt) return int_imm(kInt64, value.cast<std::int64_t>());
    Objects indices;
    for (const std::int64_t index : value.cast<ffi::Array<std::int64_t>>())
      indices.push_back(int_imm(kInt64, index));
    return indices;
  }
  if (value != nullptr || name.find("dtype") == std::string::npos) return value;
  // A dtype that cannot be none is void instead.
  Any stored;
  ffi::reflection::ForEachFieldInfo(
      TVMFFIGetTypeInfo(type_index_of(type_key)), [&](const TVMFFIFieldInfo* info) {
        const bool is_dtype = info->field_static_type_index == ffi::TypeIndex::kTVMFFIDataType;
        if (is_dtype && std::string_view(info->name.data, info->name.size) == name)
          stored = DLDataType{kDLOpaqueHandle, 0, 0};
      });
  return stored;
}

}  // namespace

bool has_type(const ObjectRef& expr) {
  const ObjectRef type = type_of(expr);
  return type.defined() && compiler().node(type) != Node::missing_type;
}

Objects FunctionBuilder::exprs(Cursor& at) {
  Objects result;
  for (std::uint64_t left = at.array(); left > 0; --left) result.push_back(expr(at));
  return result;
}

ObjectRef FunctionBuilder::expr(Cursor& at) {
  if (at.kind() == Cursor::Kind::integer) return var(at.integer());
  const std::uint64_t size = at.array();
  const std::string_view tag = at.text();
  return tagged_expr(tag, size, at);
}

ObjectRef FunctionBuilder::tagged_expr(std::string_view tag, std::uint64_t size, Cursor& at) {
  const Functions& f = compiler().functions;
  if (tag == "op" && size == 4) return op_call(at);
  if (tag == "call" && size == 3) return typed_call(at);
  if (tag == "extern" && size == 4) return extern_call(at);
  if (tag == "if" && size == 4) return branch(at);
  if (tag == "prim" && size == 3) return prim(at);
  if (tag == "const" && size == 4) {
    const std::string_view dtype = at.text();
    const std::vector<std::int64_t> shape = integers_at(at);
    return call(f.tensor_const, tensor_from(dtype, shape, at.text()), nullptr, nullptr).cast<ObjectRef>();
  }
  if (tag == "get" && size == 3) {
    const ObjectRef tuple = expr(at);
    return call(f.get_item, tuple, at.integer(), nullptr).cast<ObjectRef>();
  }
  if (size != 2) throw DocumentError("an expression of another length");
  if (tag == "tuple") {
    const Objects fields = exprs(at);
    ObjectRef tuple = call(f.tuple, fields, nullptr).cast<ObjectRef>();
    if (has_type(tuple)) return tuple;
    Objects types;
    for (const ObjectRef& field : fields) types.push_back(type_of(field));
    call(f.update_type, tuple, call(f.tuple_type, types, nullptr));
    return tuple;
  }
  if (tag == "shape") return call(f.shape, types_.dims(at), nullptr).cast<ObjectRef>();
  if (tag == "global") return scope_.find(at.text()).typed_global();
  if (tag == "fn") {
    const FunctionDocument document(at);
    at.skip();
    return function(document, nullptr);
  }
  if (tag == "dtype") {
    const DLDataType dtype = dtype_from_name(at.text());
    if (f.dtype_imm != nullptr) return call(f.dtype_imm, dtype, nullptr).cast<ObjectRef>();
    return call(f.generic_const, dtype, call(f.any_type, nullptr), nullptr).cast<ObjectRef>();
  }
  const ffi::String text{std::string(at.text())};
  if (tag == "str") return call(f.string_imm, text, nullptr).cast<ObjectRef>();
  if (tag == "externfn") return call(f.extern_func, text, nullptr, nullptr).cast<ObjectRef>();
  throw DocumentError("no expression is called " + std::string(tag));
}

ObjectRef FunctionBuilder::prim(Cursor& at) {
  const Functions& f = compiler().functions;
  const DLDataType dtype = dtype_from_name(at.text());
  const bool is_float = dtype.code == kDLFloat || dtype.code == kDLBfloat;
  ObjectRef number{nullptr};
  if (is_float) {
    const double value = at.number_or_name();
    number = call(f.float_imm, dtype, value, nullptr).cast<ObjectRef>();
  } else {
    number = types_.dim(at, dtype);
  }
  return f.prim_value == nullptr ? number : call(f.prim_value, number, nullptr).cast<ObjectRef>();
}

// The call takes a device; the document, as all that deals with devices, an index into those of the module.
ObjectRef FunctionBuilder::hint_on_device(const Objects& args, Cursor& at) {
  const Compiler& c = compiler();
  ObjectRef device{nullptr};
  ffi::String scope;
  for (std::uint64_t left = at.array(); left > 0; --left) {
    if (at.array() != 2) throw DocumentError("an attribute of another length");
    at.skip();
    const Any value = types_.attr(at);
    if (const auto text = value.as<ffi::String>()) scope = *text;
    if (c.node(value.as<ffi::Object>()) == Node::vdevice) device = value.cast<ObjectRef>();
  }
  if (!device.defined() || args.size() != 1) throw DocumentError("relax.hint_on_device without a device");
  if (scope.empty()) scope = c.fields.vdevice_scope(device.get()).cast<ffi::String>();
  const ObjectRef kind = c.fields.target_kind.object(c.fields.vdevice_target.object(device.get()).get());
  const DLDevice hint{static_cast<DLDeviceType>(c.fields.kind_device_type(kind.get()).cast<std::int64_t>()),
                      static_cast<int32_t>(c.fields.vdevice_id(device.get()).cast<std::int64_t>())};
  return call(c.functions.hint_on_device, args[0], hint, scope).cast<ObjectRef>();
}

ObjectRef FunctionBuilder::op_call(Cursor& at) {
  const Functions& f = compiler().functions;
  const std::string_view name = at.text();
  const OpInfo& info = compiler().op(name);
  const Objects args = exprs(at);
  ObjectRef made{nullptr};
  if (name == "relax.hint_on_device") {
    made = hint_on_device(args, at);
  } else {
    std::vector<Any> attrs;
    for (std::uint64_t left = at.array(); left > 0; --left) {
      if (at.array() != 2) throw DocumentError("an attribute of another length");
      const std::string attr(at.text());
      attrs.emplace_back(ffi::String(attr));
      attrs.emplace_back(as_stored(info.attrs_type, attr, types_.attr(at)));
    }
    const bool has_attrs = !info.attrs_type.empty() || !attrs.empty();
    if (has_attrs && info.attrs_type.empty()) throw DocumentError(std::string(name) + " takes no attributes");
    made = make_call(info.op, args, has_attrs ? make_attrs(info.attrs_type, attrs) : ObjectRef(nullptr),
                     Objects());
  }
  if (info.infer_type == nullptr) throw Refusal("TypeError", std::string(name) + " has no type inference");
  call(f.update_type, made, call(info.infer_type, made, scope_.builder));
  return made;
}

ObjectRef FunctionBuilder::derived_call(const ObjectRef& callee, const Objects& args,
                                        const Objects& type_args) {
  const Functions& f = compiler().functions;
  ObjectRef made = make_call(callee, args, ObjectRef(nullptr), type_args);
  call(f.update_type, made, call(f.derive_call_type, type_of(callee), made, scope_.builder));
  return made;
}

ObjectRef FunctionBuilder::typed_call(Cursor& at) {
  const ObjectRef callee = expr(at);
  return derived_call(callee, exprs(at), Objects());
}

ObjectRef FunctionBuilder::extern_call(Cursor& at) {
  const ffi::String name{std::string(at.text())};
  const ObjectRef callee = call(compiler().functions.extern_func, name, nullptr, nullptr).cast<ObjectRef>();
  const Objects args = exprs(at);
  return derived_call(callee, args, types_.types(at));
}

// The type is the least that includes both branches', without the symbols that only a branch knows.
ObjectRef FunctionBuilder::branch(Cursor& at) {
  const Functions& f = compiler().functions;
  const ObjectRef condition = expr(at);
  const std::vector<ObjectRef> outside = types_.symbols();
  const ObjectRef then_branch = seq(at);
  const ObjectRef else_branch = seq(at);
  ObjectRef made = call(f.branch, condition, then_branch, else_branch, nullptr).cast<ObjectRef>();
  ffi::Map<ObjectRef, ObjectRef> known;
  bool grown = false;
  for (std::size_t i = 0; i < outside.size(); ++i) {
    if (outside[i].defined()) known.Set(outside[i], outside[i]);
    grown |= !outside[i].same_as(types_.symbols()[i]);
  }
  const auto erased = [&](const ObjectRef& seq) -> Any {
    if (!grown) return type_of(seq);
    return call(f.erase, type_of(seq), known, ffi::Map<ObjectRef, ObjectRef>());
  };
  if (!has_type(made)) call(f.update_type, made, call(f.type_lca, erased(then_branch), erased(else_branch)));
  return made;
}

}  // namespace passdiff
