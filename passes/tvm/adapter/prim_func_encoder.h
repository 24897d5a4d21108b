// Writes functions of TensorIR, as TVM holds them, into documents (core/documents/wire): the parts of encode_prim_func.
#pragma once

#include <string>
#include <unordered_map>

#include "core/ir/tir/stmt.h"
#include "passes/tvm/adapter/buffers.h"
#include "passes/tvm/adapter/encode.h"
#include "passes/tvm/adapter/encode_tir.h"

namespace passdiff {

// One function. Variables and buffers are numbered as they are met; their tables follow the body.
class PrimFuncEncoder {
 public:
  PrimFuncEncoder(DocumentWriter& out, TypeEncoder& types) : out_(&out), types_(types) {}
  void function(const std::string& name, bool is_public, const ffi::Object* function);

 private:
  NamedAttrs attrs_of(const Any& map) const;
  void function_attrs(const ObjectRef& attrs);
  void variable(const ObjectRef& var) { out_->integer(vars_.of(var)); }
  void buffer(const ObjectRef& buffer);
  void new_buffer(const ObjectRef& buffer);
  void buffer_row(const ObjectRef& buffer);
  void offset(const ffi::Object* description);
  void node(const ObjectRef& var);
  void tables();

  void expr(const ObjectRef& expr);
  void exprs(const Objects& list);
  void nullable(const ObjectRef& expr) { expr.defined() ? this->expr(expr) : out_->null(); }
  void number(const ObjectRef& number);
  void arithmetic(const ffi::Object* node);
  void bitwise(const ObjectRef& node);
  void vector(Node node, const ffi::Object* vector);
  void select(const ffi::Object* select);
  void let(const ffi::Object* let);
  bool has_attrs(const ffi::Object* call) const;
  void call(const ObjectRef& expr);
  void variable_or_data(const ObjectRef& var);
  void load(const ffi::Object* load);
  void lanes(const ObjectRef& lanes);

  void stmt(const ObjectRef& stmt);
  void stmts(const Objects& list);
  void loop(const ffi::Object* loop);
  void store(const ffi::Object* store);
  void branch(const ffi::Object* branch);
  void attr(const ffi::Object* attr);
  void assertion(const ffi::Object* assertion);
  void block(const ffi::Object* realize);
  void axis(const ffi::Object* axis);
  void range(const ObjectRef& range);
  void region(const ffi::Object* region);
  void regions(const Any& list);
  void evaluate(const ObjectRef& value);
  void returned(const ObjectRef& value);
  void declared(const ffi::Object* declaration);

  const Compiler& c_ = compiler();
  const Fields& f_ = c_.fields;
  DocumentWriter* out_;
  TypeEncoder& types_;
  Numbering<ObjectRef> vars_;
  Numbering<ObjectRef> buffers_;
  DocumentWriter buffer_rows_;
  // The buffer that comes with memory of its own, by the variable that is its data: where buffers are objects. What others declare on that memory
  // has the same variable.
  std::unordered_map<const ffi::Object*, ObjectRef> owners_;
};

}  // namespace passdiff
