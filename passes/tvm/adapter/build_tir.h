// Builds functions of TensorIR from their documents.
#pragma once

#include <string_view>
#include <vector>

#include "core/documents/wire/prim_func_parts.h"
#include "core/documents/wire/prim_func_reader.h"
#include "passes/tvm/adapter/build_function.h"

namespace passdiff {

struct TirKinds {
  template <class T>
  using List = Objects;
  using Expr = ObjectRef;
  using Stmt = ObjectRef;
  using Variable = ObjectRef;
  using Buffer = ObjectRef;
  using Function = ObjectRef;
};

// Calls a constructor whose last argument is a place in the program's text: there is none.
template <class... Args>
ObjectRef make(const ffi::Function& function, const Args&... args) {
  return call(function, args..., nullptr).template cast<ObjectRef>();
}

// Makes the compiler's functions, as TVM has them from 0.26 on (build_early_tir.h does so for those before). The makers may throw ffi::Errors, which
// pass through the reader.
class TirFunction : public PrimFuncReader<TirKinds> {
 public:
  // The scope must outlive this.
  TirFunction(ModuleScope& scope, const PrimFuncDocument& document);

  const ObjectRef& global() const { return global_; }
  Result<ObjectRef> build();

 protected:
  ObjectRef make_variable(const ScalarVariableDocument& declared) override;
  Result<ObjectRef> make_buffer(BufferParts parts) override;

  ObjectRef use(const ObjectRef& variable) override { return settled(variable, ObjectRef(nullptr)); }
  ObjectRef make_integer(DType dtype, std::int64_t value) override { return int_imm(dtype, value); }
  ObjectRef make_float(DType dtype, double value) override { return float_imm(dtype, value); }
  ObjectRef make_string(std::string_view value) override;
  ObjectRef make_binary(tir::BinaryOp op, ObjectRef lhs, ObjectRef rhs) override;
  ObjectRef make_not(ObjectRef operand) override;
  ObjectRef make_select(ObjectRef condition, ObjectRef on_true, ObjectRef on_false) override;
  ObjectRef make_cast(const tir::ScalarType& type, ObjectRef operand) override;
  Result<ObjectRef> make_load(const Cursor& at, ObjectRef buffer, Objects indices, ObjectRef predicate) override;
  ObjectRef make_ramp(ObjectRef base, ObjectRef stride, int lanes) override;
  ObjectRef make_broadcast(ObjectRef value, int lanes) override;
  ObjectRef make_shuffle(Objects vectors, Objects indices) override;
  ObjectRef make_let(ObjectRef variable, ObjectRef value, ObjectRef body) override;
  Result<ObjectRef> make_intrinsic(const Cursor& at, std::string_view name, const tir::ScalarType& type,
                                   Objects args) override;
  Result<ObjectRef> make_function_call(const Cursor& at, std::string_view name, const tir::ScalarType& type,
                                       Objects args) override;
  ObjectRef make_buffer_data(ObjectRef buffer) override;
  ObjectRef make_buffer_arg(ObjectRef buffer) override { return buffer; }

  ObjectRef make_loop(LoopParts parts) override;
  ObjectRef make_while(ObjectRef condition, ObjectRef body) override;
  ObjectRef make_seq(Objects stmts) override;
  ObjectRef make_branch(ObjectRef condition, ObjectRef then_case, ObjectRef else_case) override;
  ObjectRef make_evaluate(ObjectRef value) override;
  ObjectRef make_bind(ObjectRef variable, ObjectRef value) override;
  Result<ObjectRef> make_store(const Cursor& at, ObjectRef buffer, Objects indices, ObjectRef value,
                               ObjectRef predicate) override;
  ObjectRef make_alloc_buffer(ObjectRef buffer, NamedAttrs annotations) override;
  ObjectRef make_decl_buffer(ObjectRef buffer, ObjectRef data) override;
  ObjectRef make_attr(AttrParts parts) override;
  ObjectRef make_assert(ObjectRef condition, std::string_view kind,
                        std::vector<std::string_view> message_parts) override;
  ObjectRef make_return(ObjectRef value) override;
  ObjectRef make_break() override;
  ObjectRef make_continue() override;
  ObjectRef make_block(BlockParts parts) override;
  Result<ObjectRef> make_function(std::vector<Param> params, NamedAttrs attrs, ObjectRef body) override;

  // The variable, which points to what `pointer` does, if its type is not known yet. A null or another expression says nothing.
  virtual ObjectRef settled(const ObjectRef& variable, const ObjectRef& pointer) const;
  virtual ObjectRef new_variable(std::string_view name, const tir::ScalarType& type) const;
  // `intrinsic` is empty where a function is called.
  virtual ObjectRef call_of(const ObjectRef& callee, std::string_view intrinsic, const tir::ScalarType& type, const Objects& args) const;
  virtual ObjectRef new_function(const std::vector<Param>& params, const ObjectRef& body, const ObjectRef& attrs);
  // The layout that the compiler gives to buffers of this function; null: none.
  ObjectRef layout_of(const Objects& shape) const;

 private:
  ObjectRef range(const Range& range) const;
  ObjectRef region(const Region& region) const;
  Objects regions(const std::vector<Region>& list) const;
  Any annotations(const NamedAttrs& attrs);

  ModuleScope& scope_;
  RelaxTypes types_;
  ObjectRef global_;
};

}  // namespace passdiff
