// Writes functions of TensorIR, as TVM holds them, into documents (core/documents/wire): the parts of encode_prim_func.
#pragma once

#include <string>

#include "core/ir/tir/stmt.h"
#include "passes/tvm/adapter/encode.h"
#include "passes/tvm/adapter/encode_tir.h"

namespace passdiff {

// Of an expression's or a variable's type, or of what a buffer holds. Throws Unreadable for what is no scalar.
tir::ScalarType scalar_type_of(DLDataType dtype);
tir::ScalarType scalar_type_of(const ObjectRef& type);

// One function. Variables and buffers are numbered as they are met; their tables follow the body.
class PrimFuncEncoder {
 public:
  PrimFuncEncoder(DocumentWriter& out, TypeEncoder& types) : out_(&out), types_(types) {}
  void function(const std::string& name, bool is_public, const ffi::Object* function);

 private:
  ObjectRef type_of(const ObjectRef& expr) const { return f_.type.object(expr.get()); }
  bool is_buffer(const ObjectRef& expr) const {
    return c_.node(expr) == Node::var && c_.node(type_of(expr)) == Node::buffer_type;
  }
  NamedAttrs attrs_of(const Any& map) const;
  void function_attrs(const ObjectRef& attrs);
  void variable(const ObjectRef& var) { out_->integer(vars_.of(var)); }
  void buffer(const ObjectRef& buffer);
  void buffer_row(const ObjectRef& buffer);
  void offset(const ffi::Object* type);
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
  void call(const ffi::Object* call);
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
  void evaluate(StmtForm form, const Field& value, const ffi::Object* of) {
    out_->form(form);
    expr(value.object(of));
  }

  const Compiler& c_ = compiler();
  const Fields& f_ = c_.fields;
  DocumentWriter* out_;
  TypeEncoder& types_;
  Numbering<ObjectRef> vars_;
  Numbering<ObjectRef> buffers_;
  DocumentWriter buffer_rows_;
};

}  // namespace passdiff
