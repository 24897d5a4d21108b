#include "passes/tvm/adapter/encode.h"

#include <algorithm>

#include "passes/tvm/adapter/encode_tir.h"
#include "passes/tvm/adapter/encode_types.h"

namespace passdiff {
namespace {

using Pairs = std::vector<std::pair<std::string, Any>>;

// The entries of a DictAttrs, sorted by name, so that the order in which a pass set them does not show.
bool is_empty_list(const Any& value) {
  const auto list = value.as<ffi::Array<Any>>();
  return value == nullptr || (list && list->empty());
}

Pairs entries_of(const ObjectRef& attrs) {
  Pairs pairs;
  if (!attrs.defined()) return pairs;
  const auto dict = compiler().fields.dict(attrs.get()).cast<ffi::Map<ffi::String, Any>>();
  for (const auto& [name, value] : dict) pairs.emplace_back(name, value);
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return pairs;
}

class ModuleEncoder {
 public:
  ModuleEncoder(const ObjectRef& module, KnownPrimFuncs* known) : module_(module), known_(known), types_(out_, infos_) {}
  std::vector<std::uint8_t> encode();

 private:
  void note_infos();
  void vdevice_table();
  void mesh_table();
  bool is_public(const std::string& name, const ObjectRef& function) const;
  void function(const ObjectRef& global, const ObjectRef& function);
  void prim_func(const ObjectRef& global, const ObjectRef& function);
  void body(const ffi::Object* function);
  void attrs(const Pairs& pairs);
  void seq(const ObjectRef& seq);
  void block(const ObjectRef& block);
  void binding(const ObjectRef& binding);
  void variable(const ObjectRef& var) { out_.integer(vars_.of(var)); }
  void variable_table();

  void expr(const ObjectRef& expr);
  void exprs(const Objects& list);
  void var_expr(const ObjectRef& var);
  void constant(const ObjectRef& constant);
  void tensor(const ffi::Tensor& tensor, const std::optional<Sharding>& sharding);
  void number(const ObjectRef& number);
  void call_expr(const ffi::Object* call);
  void op_call(const ffi::Object* call, const std::string& name, const Objects& args);
  void op_attrs(const ObjectRef& attrs);
  void device_attrs(const ffi::Object* attrs);
  void named_attr(std::string_view name, const AttrValue& value) {
    out_.array(2);
    out_.text(name);
    out_.attr(value);
  }
  void named(ExprForm form, const Field& name, const ffi::Object* of) {
    out_.form(form);
    out_.text(text_of(name(of)));
  }

  const ObjectRef& module_;
  KnownPrimFuncs* const known_;  // may be null
  const Compiler& c_ = compiler();
  const Fields& f_ = c_.fields;
  DocumentWriter out_{2048};  // most modules of campaigns are smaller
  GlobalInfoObjects infos_;
  TypeEncoder types_;
  Numbering<ObjectRef> vars_;
};

void ModuleEncoder::note_infos() {
  const auto infos = f_.module_infos(module_.get()).cast<ffi::Map<ffi::String, Objects>>();
  for (const auto& [kind, list] : infos) {
    if (kind == "vdevice") infos_.vdevices = list;
    if (kind == "mesh") infos_.meshes = list;
  }
}

void ModuleEncoder::vdevice_table() {
  out_.array(infos_.vdevices.size());
  for (const ObjectRef& device : infos_.vdevices) {
    const ObjectRef kind = f_.target_kind.object(f_.vdevice_target.object(device.get()).get());
    out_.vdevice(text_of(f_.kind_name(kind.get())), f_.vdevice_id(device.get()).cast<std::int64_t>(),
                 text_of(f_.vdevice_scope(device.get())));
  }
}

void ModuleEncoder::mesh_table() {
  out_.key(ModuleKey::meshes);
  out_.array(infos_.meshes.size());
  for (const ObjectRef& object : infos_.meshes) {
    const DeviceMesh mesh = mesh_of(object);
    out_.mesh(mesh.shape, mesh.device_ids, mesh.is_range);
  }
}

std::vector<std::uint8_t> ModuleEncoder::encode() {
  note_infos();
  const auto functions = f_.module_functions(module_.get()).cast<ffi::Map<ObjectRef, ObjectRef>>();
  std::vector<std::pair<ObjectRef, ObjectRef>> prim_funcs;
  // Reported before any function is written, so that the report does not depend on the order of the functions.
  for (const auto& [global, function] : functions) {
    if (c_.node(function) == Node::prim_func) {
      prim_funcs.emplace_back(global, function);
    } else if (c_.node(function) != Node::function) {
      throw Unreadable("function " + class_name(function.get()));
    }
  }
  out_.begin_module(functions.size() - prim_funcs.size(), prim_funcs.size(), infos_.meshes.size());
  for (const auto& [global, function] : functions) {
    if (c_.node(function) == Node::function) this->function(global, function);
  }
  out_.key(ModuleKey::vdevices);
  vdevice_table();
  out_.key(ModuleKey::attrs);
  attrs(entries_of(f_.module_attrs.object(module_.get())));
  if (!infos_.meshes.empty()) mesh_table();
  if (prim_funcs.empty()) return out_.take();
  out_.key(ModuleKey::prim_funcs);
  out_.array(prim_funcs.size());
  for (const auto& [global, function] : prim_funcs) prim_func(global, function);
  return out_.take();
}

void ModuleEncoder::prim_func(const ObjectRef& global, const ObjectRef& function) {
  const std::string name = text_of(f_.global_name(global.get()));
  if (known_ == nullptr) return encode_prim_func(out_, types_, name, is_public(name, function), function);
  const ffi::Object* f = function.get();
  const ObjectRef none(nullptr);
  std::vector<std::uint8_t>& document = known_->document_of(
      {.name = name,
       .parts = {f_.prim_func_params.object(f), f_.prim_func_buffers ? f_.prim_func_buffers.object(f) : none, f_.function_attrs.object(f),
                 f_.prim_func_result.object(f), f_.prim_func_body.object(f), infos_.vdevices.empty() ? none : infos_.vdevices}});
  if (document.empty()) {
    DocumentWriter own;
    encode_prim_func(own, types_, name, is_public(name, function), function);
    document = own.take();
  }
  out_.items(document);
}

bool ModuleEncoder::is_public(const std::string& name, const ObjectRef& function) const {
  bool found = false;
  for (const auto& [key, value] : entries_of(f_.function_attrs.object(function.get()))) {
    if (key != "global_symbol") continue;
    found = true;
    if (text_of(value) != name) throw Unreadable("attr global_symbol of another name");
  }
  return found;
}

void ModuleEncoder::attrs(const Pairs& pairs) {
  out_.map(pairs.size());
  for (const auto& [name, value] : pairs) {
    out_.text(name);
    types_.attr(value, name);
  }
}

void ModuleEncoder::function(const ObjectRef& global, const ObjectRef& function) {
  const std::string name = text_of(f_.global_name(global.get()));
  out_.begin_function(name, is_public(name, function));
  body(function.get());
  for (const ObjectRef& var : vars_.table()) {
    if (types_.is_symbol(var)) throw Unreadable("dim that is a variable");
  }
  out_.key(FunctionKey::vars);
  variable_table();
  out_.key(FunctionKey::symbols);
  types_.symbol_table();
}

// Writes the keys from FunctionKey::params on.
void ModuleEncoder::body(const ffi::Object* function) {
  const auto params = f_.function_params(function).cast<Objects>();
  out_.key(FunctionKey::params);
  out_.array(params.size());
  for (const ObjectRef& param : params) variable(param);
  out_.key(FunctionKey::pure);
  out_.boolean(f_.function_pure(function).cast<bool>());
  Pairs pairs = entries_of(f_.function_attrs.object(function));
  std::erase_if(pairs, [](const auto& pair) { return pair.first == "global_symbol"; });
  out_.key(FunctionKey::attrs);
  attrs(pairs);
  out_.key(FunctionKey::result);
  types_.type(f_.function_result.object(function));
  out_.key(FunctionKey::body);
  seq(f_.function_body.object(function));
}

void ModuleEncoder::seq(const ObjectRef& seq) {
  out_.array(2);
  if (c_.node(seq) != Node::seq) {  // ill-formed: a bare expression as a body
    out_.array(0);
    return expr(seq);
  }
  const auto blocks = f_.seq_blocks(seq.get()).cast<Objects>();
  out_.array(blocks.size());
  for (const ObjectRef& b : blocks) block(b);
  expr(f_.seq_body.object(seq.get()));
}

void ModuleEncoder::block(const ObjectRef& block) {
  const auto bindings = f_.block_bindings(block.get()).cast<Objects>();
  out_.array(2);
  out_.integer(c_.node(block) == Node::dataflow_block ? 1 : 0);
  out_.array(bindings.size());
  for (const ObjectRef& b : bindings) binding(b);
}

void ModuleEncoder::binding(const ObjectRef& binding) {
  const bool cast = c_.node(binding) == Node::match_cast;
  out_.array(cast ? 3 : 2);
  variable(f_.binding_var.object(binding.get()));
  expr((cast ? f_.match_cast_value : f_.var_binding_value).object(binding.get()));
  if (cast) types_.type(f_.match_cast_type.object(binding.get()));
}

void ModuleEncoder::variable_table() {
  out_.array(vars_.table().size());
  for (const ObjectRef& var : vars_.table()) {
    out_.array(3);
    const Any name = f_.var_name(var.get());
    out_.text(c_.has_struct_info ? text_of(f_.id_name(name)) : text_of(name));
    types_.type(f_.type.object(var.get()));
    out_.integer(c_.node(var) == Node::dataflow_var ? 1 : 0);
  }
  vars_ = {};
}

void ModuleEncoder::exprs(const Objects& list) {
  out_.array(list.size());
  for (const ObjectRef& e : list) expr(e);
}

// Writes a variable. From TVM 0.26 on, a variable of a PrimType that no parameter and no binding binds is a symbol.
void ModuleEncoder::var_expr(const ObjectRef& var) {
  const bool may_be_symbol = !c_.has_struct_info && c_.node(f_.type.object(var.get())) == Node::prim_type;
  if (may_be_symbol && !vars_.contains(var)) return number(var);
  variable(var);
}

void ModuleEncoder::number(const ObjectRef& number) {
  if (c_.node(number) == Node::prim_value) return this->number(f_.prim_value.object(number.get()));
  out_.form(ExprForm::prim);
  types_.dtype(dtype_of_number(number.get()));
  if (c_.node(number) == Node::float_imm)
    return out_.number_or_name(f_.float_value(number.get()).cast<double>());
  types_.dim(number);
}

void ModuleEncoder::tensor(const ffi::Tensor& tensor, const std::optional<Sharding>& sharding) {
  const Result<std::span<const std::uint8_t>> bytes = bytes_of(tensor);
  if (!bytes) throw Unreadable("const on a device");
  const DLTensor* data = tensor.GetDLTensorPtr();
  out_.form(ExprForm::constant, sharding ? 5 : 4);
  types_.dtype(data->dtype);
  out_.integers({data->shape, static_cast<std::size_t>(data->ndim)});
  out_.base64(*bytes);
  if (sharding) out_.sharding(*sharding);
}

void ModuleEncoder::constant(const ObjectRef& constant) {
  const Any value = f_.const_value(constant.get());
  if (const auto tensor = value.as<ffi::Tensor>()) return this->tensor(*tensor, types_.sharding_of(f_.type.object(constant.get())));
  if (value.type_index() != ffi::TypeIndex::kTVMFFIDataType) throw Unreadable("const of another kind");
  out_.form(ExprForm::dtype);
  types_.dtype(value.cast<DLDataType>());
}

void ModuleEncoder::op_attrs(const ObjectRef& attrs) {
  if (!attrs.defined()) return out_.array(0);
  if (c_.node(attrs) == Node::device_attrs) return device_attrs(attrs.get());
  if (c_.node(attrs) == Node::dict_attrs) {
    const Pairs pairs = entries_of(attrs);
    if (!pairs.empty()) throw Unreadable("attr " + pairs.front().first);
    return out_.array(0);
  }
  std::vector<const TVMFFIFieldInfo*> fields;
  ffi::reflection::ForEachFieldInfo(TVMFFIGetTypeInfo(attrs->type_index()), [&](const TVMFFIFieldInfo* info) {
    const std::string_view name(info->name.data, info->name.size);
    const bool is_older = std::ranges::find(kListsOfOlderVersions, name) != kListsOfOlderVersions.end();
    if (!is_older || !is_empty_list(Field(info)(attrs.get()))) fields.push_back(info);
  });
  out_.array(fields.size());
  for (const TVMFFIFieldInfo* info : fields) {
    const std::string_view name(info->name.data, info->name.size);
    named_attr(name, types_.attr_value(Field(info)(attrs.get()), name));
  }
}

// The compiler keeps a runtime device as two numbers; the document has the index of a vdevice on it.
void ModuleEncoder::device_attrs(const ffi::Object* attrs) {
  const std::string scope = text_of(f_.device_scope(attrs));
  const std::int64_t device = types_.device_index(f_.device_type(attrs).cast<std::int64_t>(),
                                                  f_.device_id(attrs).cast<std::int64_t>(), scope);
  out_.array(2);
  named_attr("dst_vdevice", VDeviceRef{static_cast<int>(device)});
  named_attr("memory_scope", scope);
}

void ModuleEncoder::op_call(const ffi::Object* call, const std::string& name, const Objects& args) {
  const auto type_args = f_.call_type_args(call).cast<Objects>();
  const ObjectRef attrs = f_.call_attrs.object(call);
  const bool needs_class =
      attrs.defined() && c_.node(attrs) != Node::dict_attrs && c_.op(name).attrs_type.empty();
  out_.form(ExprForm::op, !type_args.empty() ? 6 : needs_class ? 5 : 4);
  out_.text(name);
  exprs(args);
  op_attrs(attrs);
  if (needs_class || !type_args.empty()) out_.text(needs_class ? type_key_of(attrs->type_index()) : std::string());
  if (!type_args.empty()) types_.types(type_args);
}

void ModuleEncoder::call_expr(const ffi::Object* call) {
  const ObjectRef callee = f_.call_op.object(call);
  const auto args = f_.call_args(call).cast<Objects>();
  if (c_.node(callee) == Node::op) return op_call(call, text_of(f_.op_name(callee.get())), args);
  if (c_.node(callee) != Node::extern_func) {
    const ObjectRef attrs = f_.call_attrs.object(call);
    if (attrs.defined() && (c_.node(attrs) != Node::dict_attrs || !entries_of(attrs).empty()))
      throw Unreadable("call with " + class_name(attrs.get()));
    out_.form(ExprForm::call);
    expr(callee);
    return exprs(args);
  }
  // VMBuiltinLower leaves the attributes of the op that it replaced, which nothing reads.
  named(ExprForm::extern_call, f_.extern_name, callee.get());
  exprs(args);
  types_.types(f_.call_type_args(call).cast<Objects>());
}

void ModuleEncoder::expr(const ObjectRef& expr) {
  const ffi::Object* e = expr.get();
  const Node node = c_.node(e);
  switch (node) {
    case Node::var:
    case Node::dataflow_var:
      return var_expr(expr);
    case Node::constant:
      return constant(expr);
    case Node::call:
      return call_expr(e);
    case Node::tuple:
      out_.form(ExprForm::tuple);
      return exprs(f_.tuple_fields(e).cast<Objects>());
    case Node::get_item:
      out_.form(ExprForm::get);
      this->expr(f_.get_tuple.object(e));
      return out_.integer(f_.get_index(e).cast<std::int64_t>());
    case Node::shape:
      out_.form(ExprForm::shape);
      return types_.dims(f_.shape_values(e).cast<Objects>());
    case Node::string_imm:
      return named(ExprForm::string, f_.string_value, e);
    case Node::global_var:
      return named(ExprForm::global, f_.global_name, e);
    case Node::extern_func:
      return named(ExprForm::extern_function, f_.extern_name, e);
    case Node::dtype_imm:
      out_.form(ExprForm::dtype);
      return types_.dtype(f_.dtype_value(e).cast<DLDataType>());
    case Node::branch:
      out_.form(ExprForm::branch);
      this->expr(f_.if_condition.object(e));
      seq(f_.if_true.object(e));
      return seq(f_.if_false.object(e));
    case Node::function:
      out_.begin_local_function();
      return body(e);
    case Node::symbol:
    case Node::int_imm:
    case Node::float_imm:
    case Node::prim_value:
      return number(expr);
    default:
      break;
  }
  if (is_arithmetic(node)) return number(expr);
  throw Unreadable("expression " + class_name(e));
}

}  // namespace

// A field that holds another class than its name promises is what documents lack, too, not an error of the pass that made it.
std::vector<std::uint8_t> encode_module(const ObjectRef& module, KnownPrimFuncs* known) {
  try {
    return ModuleEncoder(module, known).encode();
  } catch (const ffi::Error& error) {
    throw Unreadable("value: " + error.message());
  }
}

}  // namespace passdiff
