// Builds one function of a module from its document.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "passes/tvm/adapter/build_types.h"
#include "passes/tvm/adapter/encode_types.h"

namespace passdiff {

class FunctionBuilder;

// What the functions of a module share.
struct ModuleScope {
  const Objects& vdevices;
  ObjectRef builder;  // the compiler's, for the arithmetic of its inference
  std::vector<std::unique_ptr<FunctionBuilder>> functions;

  FunctionBuilder& find(std::string_view name);
};

// Where the parts of a FUNCTION, or of the BODY of a local one, start.
struct FunctionDocument {
  explicit FunctionDocument(Cursor at);

  std::string_view name;
  bool is_public = false;
  bool pure = true;
  Cursor params, attrs, result, body, symbols, vars;
};

// Attributes by name; `global_symbol` is added if it is not null.
ObjectRef make_dict_attrs(Cursor& at, TypeBuilder& types, const ffi::String* global_symbol);

bool has_type(const ObjectRef& expr);

class FunctionBuilder {
 public:
  FunctionBuilder(ModuleScope& scope, const FunctionDocument& document);

  std::string_view name() const { return document_.name; }
  const ObjectRef& global() const { return global_; }
  // The global variable with a type: the declared one, as long as the function is not built.
  const ObjectRef& typed_global();
  ObjectRef build();

 private:
  struct Declared {
    std::string_view name;
    Cursor type;
    bool dataflow = false;
    ObjectRef var{nullptr};
  };

  ObjectRef function(const FunctionDocument& document, const ffi::String* global_symbol);
  ObjectRef seq(Cursor& at);
  ObjectRef block(Cursor& at);
  ObjectRef binding(Cursor& at);
  Declared& declared(std::int64_t index);
  const ObjectRef& var(std::int64_t index);
  const ObjectRef& make_var(Declared& entry, const ObjectRef& type);
  const ObjectRef& bind(std::int64_t index, const ObjectRef& inferred);
  bool is_declared_as(const Cursor& declared_type, const ObjectRef& type);
  // The type to go on with; throws a Refusal if the declared one and the inferred one contradict each other.
  ObjectRef reconcile(const Cursor& declared_type, const ObjectRef& inferred, std::string_view subject);

  ObjectRef expr(Cursor& at);
  Objects exprs(Cursor& at);
  ObjectRef tagged_expr(std::string_view tag, std::uint64_t size, Cursor& at);
  ObjectRef op_call(Cursor& at);
  ObjectRef hint_on_device(const Objects& args, Cursor& at);
  ObjectRef typed_call(Cursor& at);
  ObjectRef extern_call(Cursor& at);
  ObjectRef derived_call(const ObjectRef& callee, const Objects& args, const Objects& type_args);
  ObjectRef prim(Cursor& at);
  ObjectRef branch(Cursor& at);

  ModuleScope& scope_;
  const FunctionDocument document_;
  TypeBuilder types_;
  std::vector<Declared> vars_;
  ObjectRef global_;
  bool global_typed_ = false;
};

}  // namespace passdiff
