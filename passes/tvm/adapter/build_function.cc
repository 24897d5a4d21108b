#include "passes/tvm/adapter/build_function.h"

#include "passes/tvm/adapter/build.h"
#include "passes/tvm/adapter/encode.h"

namespace passdiff {
namespace {

ObjectRef type_of(const ObjectRef& expr) {
  return compiler().fields.type.object(expr.get());
}

std::vector<std::string_view> texts_at(Cursor at) {
  std::vector<std::string_view> texts;
  for (std::uint64_t left = at.array(); left > 0; --left) texts.push_back(at.text());
  return texts;
}

std::string printed(const ObjectRef& type) {
  static const ffi::Function repr = find_function({"ffi.ReprPrint", "node.AsRepr"});
  static const ffi::Function script = find_function({"node.TVMScriptPrinterScript"});
  if (script != nullptr) {
    try {
      return call(script, type, nullptr).cast<ffi::String>();
    } catch (const ffi::Error&) {  // not every class has a printer
    }
  }
  return repr != nullptr ? std::string(call(repr, type).cast<ffi::String>()) : "?";
}

}  // namespace

FunctionBuilder& ModuleScope::find(std::string_view name) {
  for (const auto& function : functions) {
    if (function->name() == name) return *function;
  }
  throw DocumentError("no function is called " + std::string(name));
}

FunctionDocument::FunctionDocument(Cursor at) {
  for (std::uint64_t left = at.map(); left > 0; --left) {
    const std::string_view key = at.text();
    Cursor value = at;
    at.skip();
    if (key == "name") name = value.text();
    if (key == "public") is_public = value.boolean();
    if (key == "pure") pure = value.boolean();
    if (key == "params") params = value;
    if (key == "attrs") attrs = value;
    if (key == "result") result = value;
    if (key == "body") body = value;
    if (key == "symbols") symbols = value;
    if (key == "vars") vars = value;
  }
}

ObjectRef make_dict_attrs(Cursor& at, TypeBuilder& types, const ffi::String* global_symbol) {
  ffi::Map<ffi::String, Any> dict;
  if (global_symbol != nullptr) dict.Set("global_symbol", *global_symbol);
  for (std::uint64_t left = at.map(); left > 0; --left) {
    const std::string name(at.text());
    dict.Set(name, types.attr(at));
  }
  return make_attrs("ir.DictAttrs", {ffi::String("__dict__"), dict});
}

FunctionBuilder::FunctionBuilder(ModuleScope& scope, const FunctionDocument& document)
    : scope_(scope),
      document_(document),
      types_(scope.vdevices, texts_at(document.symbols)),
      global_(
          call(compiler().functions.global_var, ffi::String(std::string(document.name))).cast<ObjectRef>()) {
  Cursor at = document.vars;
  for (std::uint64_t left = at.array(); left > 0; --left) {
    if (at.array() != 3) throw DocumentError("a variable of another length");
    Declared& entry = vars_.emplace_back();
    entry.name = at.text();
    entry.type = at;
    at.skip();
    entry.dataflow = at.integer() != 0;
  }
}

const ObjectRef& FunctionBuilder::typed_global() {
  if (std::exchange(global_typed_, true)) return global_;
  const Functions& f = compiler().functions;
  Objects params;
  Cursor at = document_.params;
  for (std::uint64_t left = at.array(); left > 0; --left) params.push_back(type_of(var(at.integer())));
  Cursor result = document_.result;
  call(f.update_type, global_, call(f.func_type, params, types_.type(result), document_.pure, nullptr));
  return global_;
}

ObjectRef FunctionBuilder::build() {
  const ffi::String name{std::string(document_.name)};
  const ObjectRef built = function(document_, document_.is_public ? &name : nullptr);
  if (!std::exchange(global_typed_, true)) call(compiler().functions.update_type, global_, type_of(built));
  return built;
}

ObjectRef FunctionBuilder::function(const FunctionDocument& document, const ffi::String* global_symbol) {
  const Functions& f = compiler().functions;
  Objects params;
  Cursor params_at = document.params;
  for (std::uint64_t left = params_at.array(); left > 0; --left) params.push_back(var(params_at.integer()));
  call(f.begin_scope, scope_.builder, params);
  Cursor body_at = document.body;
  const ObjectRef body = seq(body_at);
  call(f.end_scope, scope_.builder);
  reconcile(document.result, type_of(body), "the result of " + std::string(document_.name));
  Cursor attrs_at = document.attrs;
  const ObjectRef attrs = make_dict_attrs(attrs_at, types_, global_symbol);
  return call(f.function, params, body, nullptr, document.pure, attrs, nullptr).cast<ObjectRef>();
}

ObjectRef FunctionBuilder::seq(Cursor& at) {
  const Functions& f = compiler().functions;
  if (at.array() != 2) throw DocumentError("a body of another length");
  Objects blocks;
  for (std::uint64_t left = at.array(); left > 0; --left) blocks.push_back(block(at));
  const ObjectRef result = expr(at);
  ObjectRef made = call(f.seq, blocks, result, nullptr).cast<ObjectRef>();
  if (!has_type(made)) call(f.update_type, made, type_of(result));
  return made;
}

ObjectRef FunctionBuilder::block(Cursor& at) {
  const Functions& f = compiler().functions;
  if (at.array() != 2) throw DocumentError("a block of another length");
  const bool dataflow = at.integer() != 0;
  Objects bindings;
  for (std::uint64_t left = at.array(); left > 0; --left) bindings.push_back(binding(at));
  return call(dataflow ? f.dataflow_block : f.binding_block, bindings, nullptr).cast<ObjectRef>();
}

ObjectRef FunctionBuilder::binding(Cursor& at) {
  const Functions& f = compiler().functions;
  const std::uint64_t size = at.array();
  const std::int64_t index = at.integer();
  const ObjectRef value = expr(at);
  if (size == 2) return call(f.var_binding, bind(index, type_of(value)), value, nullptr).cast<ObjectRef>();
  if (size != 3) throw DocumentError("a binding of another length");
  const ObjectRef type = types_.type(at);
  const ObjectRef bound = bind(index, type);
  // Tells the builder's arithmetic that the dimensions bound here are no less than zero.
  call(f.begin_scope, scope_.builder, Objects{bound});
  call(f.end_scope, scope_.builder);
  return call(f.match_cast, bound, value, type, nullptr).cast<ObjectRef>();
}

FunctionBuilder::Declared& FunctionBuilder::declared(std::int64_t index) {
  if (index < 0 || static_cast<std::size_t>(index) >= vars_.size())
    throw DocumentError("a variable out of range");
  return vars_[static_cast<std::size_t>(index)];
}

const ObjectRef& FunctionBuilder::var(std::int64_t index) {
  Declared& entry = declared(index);
  if (entry.var.defined()) return entry.var;
  Cursor type = entry.type;
  return make_var(entry, types_.type(type));
}

const ObjectRef& FunctionBuilder::make_var(Declared& entry, const ObjectRef& type) {
  const Functions& f = compiler().functions;
  const ffi::String name{std::string(entry.name)};
  entry.var = call(entry.dataflow ? f.dataflow_var : f.var, name, type, nullptr).cast<ObjectRef>();
  return entry.var;
}

const ObjectRef& FunctionBuilder::bind(std::int64_t index, const ObjectRef& inferred) {
  Declared& entry = declared(index);
  const ObjectRef type = reconcile(entry.type, inferred, entry.name);
  // A local function that calls itself uses its variable before it is bound.
  return entry.var.defined() ? entry.var : make_var(entry, type);
}

bool FunctionBuilder::is_declared_as(const Cursor& declared_type, const ObjectRef& type) {
  Writer out;
  TypeEncoder encoder(out, scope_.vdevices);
  encoder.number_symbols(types_.symbols());
  try {
    encoder.type(type);
  } catch (const Unreadable&) {
    return false;
  }
  return out.bytes() == declared_type.item();
}

ObjectRef FunctionBuilder::reconcile(const Cursor& declared_type, const ObjectRef& inferred,
                                     std::string_view subject) {
  if (is_declared_as(declared_type, inferred)) return inferred;
  const Functions& f = compiler().functions;
  Cursor at = declared_type;
  const ObjectRef declared = types_.type(at);
  if (call(f.is_base_of, declared, inferred).cast<bool>()) return declared;
  if (call(f.is_base_of, inferred, declared).cast<bool>()) return inferred;
  throw Refusal("TypeDiffers", std::string(subject) + ": declared " + printed(declared) +
                                   ", but the compiler infers " + printed(inferred));
}

}  // namespace passdiff
