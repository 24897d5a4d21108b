// Builds one function of a module from its document.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/documents/wire/function_reader.h"
#include "passes/tvm/adapter/build.h"
#include "passes/tvm/adapter/build_types.h"

namespace passdiff {

class RelaxFunction;
class TirFunction;

// What all functions of a module share while they are built.
struct ModuleScope {
  const GlobalInfoObjects& infos;
  ObjectRef builder;  // the compiler's BlockBuilder, whose arithmetic its inference uses
  std::vector<std::unique_ptr<RelaxFunction>> functions;
  std::vector<std::unique_ptr<TirFunction>> prim_funcs;
  BuiltTypes types = BuiltTypes::declared;

  ModuleScope(const GlobalInfoObjects& global_infos, ObjectRef block_builder, BuiltTypes built_types);
  ~ModuleScope();
};

// The compiler's DictAttrs; `global_symbol` and `target` are added if they are not null.
ObjectRef make_dict_attrs(const NamedAttrs& attrs, RelaxTypes& types, const ffi::String* global_symbol,
                          const Any& target = {});

ObjectRef type_of(const ObjectRef& expr);
bool has_type(const ObjectRef& expr);

// Makes the compiler's functions. The makers may throw ffi::Errors and Refusals, which pass through the reader.
class RelaxFunction final : public FunctionReader<RelaxKinds> {
 public:
  RelaxFunction(ModuleScope& scope, const FunctionDocument& document);

  const ObjectRef& global() const { return global_; }
  // The global variable of the function, with the declared type as long as the function is not built.
  Result<ObjectRef> typed_global();
  Result<ObjectRef> build();

 protected:
  ObjectRef make_variable(const VariableDocument& declared, ObjectRef type) override;
  ObjectRef use(const ObjectRef& variable) override { return variable; }
  Result<ObjectRef> make_op_call(OpCallDocument document, Objects args, Objects type_args) override;
  Result<ObjectRef> make_constant(const Cursor& at, TensorDocument tensor, const std::optional<Sharding>& sharding) override;
  ObjectRef make_get(ObjectRef tuple, int index) override;
  ObjectRef make_tuple(Objects fields) override;
  ObjectRef make_shape(Objects dims) override;
  ObjectRef make_prim(DType dtype, ObjectRef value) override;
  ObjectRef make_prim(DType dtype, double value) override;
  ObjectRef make_call(ObjectRef callee, Objects args) override;
  ObjectRef make_extern_call(std::string_view name, Objects args, Objects type_args) override;
  BeforeBranches before_branches() override { return types().symbols(); }
  ObjectRef make_branch(BeforeBranches before, ObjectRef condition, ObjectRef then_branch,
                        ObjectRef else_branch) override;
  ObjectRef make_string(std::string_view value) override;
  ObjectRef make_dtype(DType value) override;
  Result<ObjectRef> make_global(const Cursor& at, std::string_view name) override;
  ObjectRef make_extern_function(std::string_view name) override;
  ObjectRef make_local_function(ObjectRef function) override { return function; }

  Result<ObjectRef> make_binding(std::size_t row, ObjectRef value, std::optional<ObjectRef> cast) override;
  ObjectRef make_block(bool dataflow, Objects bindings) override;
  ObjectRef make_seq(Objects blocks, ObjectRef result) override;
  void begin_body(const Objects& params) override;
  Result<ObjectRef> make_function(const BodyDocument& document, Objects params, NamedAttrs attrs,
                                  ObjectRef body) override;

 private:
  ObjectRef scalar(const ObjectRef& number) const;
  ObjectRef op_attrs(std::string_view type_key, const std::vector<AttrDocument>& attrs, const Objects& args);
  Any pad_value(const AttrValue& value, const ObjectRef& operand);
  void store_device(const ObjectRef& vdevice, std::vector<Any>& stored) const;
  // The declared type of the variable that the call is bound to, where that is trusted; else null.
  Result<ObjectRef> trusted_type(const OpCallDocument& document);
  ObjectRef derived_call(const ObjectRef& callee, const Objects& args, const Objects& type_args);
  Result<ObjectRef> bind(std::size_t row, const ObjectRef& inferred);
  bool is_declared_as(Cursor declared_type, const ObjectRef& type);
  // The type to use for a binding: the inferred one if the module is to have those. Else throws a Refusal if the declared type and
  // the inferred one contradict each other.
  Result<ObjectRef> reconcile(const Cursor& declared_type, const ObjectRef& inferred, std::string_view subject);

  ModuleScope& scope_;
  ObjectRef global_;
  bool global_typed_ = false;
  ObjectRef last_trusted_{nullptr};  // the type that was last taken from the document unseen
};

}  // namespace passdiff
