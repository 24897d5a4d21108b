// Builds functions of TensorIR as TVM had them before 0.26: buffers are objects, expressions have dtypes in place of types, and a function
// maps those of its parameters that are handles to buffers.
#pragma once

#include <memory>

#include "passes/tvm/adapter/build_tir.h"

namespace passdiff {

class EarlyTirFunction final : public TirFunction {
 public:
  using TirFunction::TirFunction;

 protected:
  ObjectRef make_variable(const ScalarVariableDocument& declared) override { return new_variable(declared.name, declared.type); }
  Result<ObjectRef> make_buffer(BufferParts parts) override;
  Result<ObjectRef> make_view(const Cursor& at, ObjectRef buffer, const ObjectRef& data) override;
  ObjectRef make_cast(const tir::ScalarType& type, ObjectRef operand) override;
  ObjectRef make_buffer_data(ObjectRef buffer) override;
  ObjectRef make_buffer_arg(ObjectRef buffer) override;
  ObjectRef make_decl_buffer(ObjectRef buffer, ObjectRef data) override;
  ObjectRef make_return(ObjectRef value) override;

  ObjectRef settled(const ObjectRef& variable, const ObjectRef&) const override { return variable; }
  ObjectRef new_variable(std::string_view name, const tir::ScalarType& type) const override;
  ObjectRef call_of(const ObjectRef& callee, std::string_view intrinsic, const tir::ScalarType& type, const Objects& args) const override;
  ObjectRef new_function(const std::vector<Param>& params, const ObjectRef& body, const ObjectRef& attrs) override;
};

// As the compiler at hand has them.
std::unique_ptr<TirFunction> make_tir_function(ModuleScope& scope, const PrimFuncDocument& document);

}  // namespace passdiff
