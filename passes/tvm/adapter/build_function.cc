#include "passes/tvm/adapter/build_function.h"

#include <algorithm>

#include "passes/tvm/adapter/build.h"
#include "passes/tvm/adapter/encode.h"
#include "passes/tvm/adapter/encode_types.h"

namespace passdiff {
namespace {

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

ObjectRef type_of(const ObjectRef& expr) {
  return compiler().fields.type.object(expr.get());
}

bool has_type(const ObjectRef& expr) {
  const ObjectRef type = type_of(expr);
  return type.defined() && compiler().node(type) != Node::missing_type;
}

ObjectRef make_dict_attrs(const NamedAttrs& attrs, RelaxTypes& types, const ffi::String* global_symbol,
                          const Any& target) {
  ffi::Map<ffi::String, Any> dict;
  if (target != nullptr) dict.Set("target", target);
  if (global_symbol != nullptr) dict.Set("global_symbol", *global_symbol);
  for (const auto& [name, value] : attrs) dict.Set(name, types.attr(value));
  return make_attrs("ir.DictAttrs", {ffi::String("__dict__"), dict});
}

RelaxFunction::RelaxFunction(ModuleScope& scope, const FunctionDocument& document)
    : FunctionReader(document, RelaxTypes(scope.infos, document.symbols)),
      scope_(scope),
      global_(
          call(compiler().functions.global_var, ffi::String(std::string(document.name))).cast<ObjectRef>()) {}

Result<ObjectRef> RelaxFunction::typed_global() {
  if (std::exchange(global_typed_, true)) return global_;
  const Functions& f = compiler().functions;
  Objects params;
  Cursor at = document().body.params;
  for (std::size_t left = TRY(at.array()); left > 0; --left) params.push_back(type_of(TRY(next_variable(at))));
  Cursor result_at = document().body.result;
  const ObjectRef result = TRY(types().type(result_at));
  call(f.update_type, global_, call(f.func_type, params, result, document().body.pure, nullptr));
  return global_;
}

Result<ObjectRef> RelaxFunction::build() {
  const ObjectRef built = TRY(read());
  if (!std::exchange(global_typed_, true)) call(compiler().functions.update_type, global_, type_of(built));
  return built;
}

void RelaxFunction::begin_body(const Objects& params) {
  call(compiler().functions.begin_scope, scope_.builder, params);
}

Result<ObjectRef> RelaxFunction::make_function(const BodyDocument& body_document, Objects params, NamedAttrs attrs,
                                               ObjectRef body) {
  const Functions& f = compiler().functions;
  call(f.end_scope, scope_.builder);
  static_cast<void>(TRY(
      reconcile(body_document.result, type_of(body), "the result of " + std::string(document().name))));
  const bool is_global = &body_document == &document().body;
  const ffi::String name{std::string(document().name)};
  const ObjectRef dict =
      make_dict_attrs(attrs, types(), is_global && document().is_public ? &name : nullptr);
  return call(f.function, params, body, nullptr, body_document.pure, dict, nullptr).cast<ObjectRef>();
}

ObjectRef RelaxFunction::make_seq(Objects blocks, ObjectRef result) {
  const Functions& f = compiler().functions;
  ObjectRef made = call(f.seq, blocks, result, nullptr).cast<ObjectRef>();
  if (!has_type(made)) call(f.update_type, made, type_of(result));
  return made;
}

ObjectRef RelaxFunction::make_block(bool dataflow, Objects bindings) {
  const Functions& f = compiler().functions;
  return call(dataflow ? f.dataflow_block : f.binding_block, bindings, nullptr).cast<ObjectRef>();
}

Result<ObjectRef> RelaxFunction::make_binding(std::size_t row, ObjectRef value, std::optional<ObjectRef> cast) {
  const Functions& f = compiler().functions;
  const ObjectRef bound = TRY(bind(row, cast ? *cast : type_of(value)));
  if (!cast) return call(f.var_binding, bound, value, nullptr).cast<ObjectRef>();
  // Tells the builder's arithmetic that the dimensions which are bound here are not negative.
  call(f.begin_scope, scope_.builder, Objects{bound});
  call(f.end_scope, scope_.builder);
  return call(f.match_cast, bound, value, *cast, nullptr).cast<ObjectRef>();
}

ObjectRef RelaxFunction::make_variable(const VariableDocument& declared, ObjectRef type) {
  const Functions& f = compiler().functions;
  const ffi::String name{std::string(declared.name)};
  return call(declared.dataflow ? f.dataflow_var : f.var, name, type, nullptr).cast<ObjectRef>();
}

Result<ObjectRef> RelaxFunction::bind(std::size_t row, const ObjectRef& inferred) {
  const ObjectRef type = TRY(reconcile(declared(row).type, inferred, declared(row).name));
  // The variable may have been made already: a local function that calls itself uses it before it is bound.
  return is_made(row) ? variable(row) : set_variable(row, make_variable(declared(row), type));
}

bool RelaxFunction::is_declared_as(Cursor declared_type, const ObjectRef& type) {
  DocumentWriter out;
  TypeEncoder encoder(out, scope_.infos);
  encoder.number_symbols(types().symbols());
  try {
    encoder.type(type);
  } catch (const Unreadable&) {
    return false;
  }
  return std::ranges::equal(out.bytes(), declared_type.item());
}

Result<ObjectRef> RelaxFunction::reconcile(const Cursor& declared_type, const ObjectRef& inferred,
                                           std::string_view subject) {
  if (scope_.types == BuiltTypes::inferred || (inferred.defined() && inferred.same_as(last_trusted_)) || is_declared_as(declared_type, inferred))
    return inferred;
  const Functions& f = compiler().functions;
  Cursor at = declared_type;
  const ObjectRef declared = TRY(types().type(at));
  if (call(f.is_base_of, declared, inferred).cast<bool>()) return declared;
  if (call(f.is_base_of, inferred, declared).cast<bool>()) return inferred;
  throw Refusal("TypeDiffers", std::string(subject) + ": declared " + printed(declared) +
                                   ", but the compiler infers " + printed(inferred));
}

}  // namespace passdiff
