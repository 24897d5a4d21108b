// Expressions.
#include "passes/tvm/adapter/prim_func_encoder.h"

#include <optional>
#include <utility>

#include "passes/tvm/adapter/tir_layout.h"
#include "passes/tvm/adapter/tir_names.h"

namespace passdiff {

// Writes a variable or a buffer as a parameter, or as the node of an attr statement.
void PrimFuncEncoder::node(const ObjectRef& var) {
  if (owners_.contains(var.get())) throw Unreadable("attr statement on the data of a buffer");
  const bool of_buffer = is_buffer(var);
  out_->form(of_buffer ? NodeForm::buffer : NodeForm::variable);
  of_buffer ? buffer(var) : variable(var);
}

// Writes a variable as an expression: one that is a buffer, or the data of one, as such.
void PrimFuncEncoder::variable_or_data(const ObjectRef& var) {
  const auto owner = owners_.find(var.get());
  if (owner == owners_.end() && !is_buffer(var)) return variable(var);
  out_->form(owner == owners_.end() ? ScalarForm::buffer_arg : ScalarForm::buffer_data);
  buffer(owner == owners_.end() ? var : owner->second);
}

void PrimFuncEncoder::exprs(const Objects& list) {
  out_->array(list.size());
  for (const ObjectRef& one : list) expr(one);
}

void PrimFuncEncoder::number(const ObjectRef& number) {
  const bool whole = c_.node(number) == Node::int_imm;
  out_->form(whole ? ScalarForm::integer : ScalarForm::floating);
  types_.dtype_to(*out_, dtype_of_number(number.get()));
  if (whole) return out_->integer(integer_value(number.get()));
  out_->number_or_name(f_.float_value(number.get()).cast<double>());
}

void PrimFuncEncoder::arithmetic(const ffi::Object* node) {
  const auto op = tir::binary_op_from_name(class_name(node));
  if (!op) throw Unreadable("scalar expression " + class_name(node));
  const auto [lhs, rhs] = operands_of(node);
  out_->binary_op(*op);
  expr(lhs);
  expr(rhs);
}

// Operations on bits are nodes here, and intrinsics in the document.
void PrimFuncEncoder::bitwise(const ObjectRef& node) {
  const std::string_view intrinsic = bitwise_intrinsic(class_name(node.get()));
  out_->form(ScalarForm::intrinsic);
  out_->text(intrinsic);
  out_->scalar_type(scalar_type_of_value(node));
  if (intrinsic == kBitwiseNot) {
    out_->array(1);
    return expr(f_.bitwise_not_operand.object(node.get()));
  }
  const auto [lhs, rhs] = operands_of(node.get());
  out_->array(2);
  expr(lhs);
  expr(rhs);
}

void PrimFuncEncoder::lanes(const ObjectRef& lanes) {
  if (c_.node(lanes) != Node::int_imm) throw Unreadable("vector of scalable length");
  out_->integer(integer_value(lanes.get()));
}

void PrimFuncEncoder::vector(Node node, const ffi::Object* vector) {
  if (node == Node::shuffle) {
    out_->form(ScalarForm::shuffle);
    exprs(f_.shuffle_vectors(vector).cast<Objects>());
    return exprs(f_.shuffle_indices(vector).cast<Objects>());
  }
  if (node == Node::broadcast) {
    out_->form(ScalarForm::broadcast);
    expr(f_.broadcast_value.object(vector));
    return lanes(f_.broadcast_lanes.object(vector));
  }
  out_->form(ScalarForm::ramp);
  expr(f_.ramp_base.object(vector));
  expr(f_.ramp_stride.object(vector));
  lanes(f_.ramp_lanes.object(vector));
}

void PrimFuncEncoder::select(const ffi::Object* select) {
  out_->form(ScalarForm::select);
  expr(f_.select_condition.object(select));
  expr(f_.select_true.object(select));
  expr(f_.select_false.object(select));
}

void PrimFuncEncoder::let(const ffi::Object* let) {
  out_->form(ScalarForm::let);
  variable(f_.let_var.object(let));
  expr(f_.let_value.object(let));
  expr(f_.let_body.object(let));
}

void PrimFuncEncoder::load(const ffi::Object* load) {
  const ObjectRef predicate = f_.load_predicate ? f_.load_predicate.object(load) : ObjectRef(nullptr);
  out_->form(ScalarForm::load, predicate.defined() ? 4 : 3);
  buffer(f_.load_source.object(load));
  exprs(f_.load_indices(load).cast<Objects>());
  if (predicate.defined()) expr(predicate);
}

// Before 0.26 the attributes are a map of names to values.
bool PrimFuncEncoder::has_attrs(const ffi::Object* call) const {
  const ObjectRef attrs = f_.scalar_call_attrs.object(call);
  if (!attrs.defined()) return false;
  if (has_buffer_objects()) return !attrs_of(attrs).empty();
  return c_.node(attrs) != Node::dict_attrs || !attrs_of(f_.dict(attrs.get())).empty();
}

void PrimFuncEncoder::call(const ObjectRef& expr) {
  const ffi::Object* call = expr.get();
  const ObjectRef callee = f_.scalar_call_op.object(call);
  const auto args = f_.scalar_call_args(call).cast<Objects>();
  const bool global = c_.node(callee) == Node::global_var;
  if (!global && c_.node(callee) != Node::op) throw Unreadable("call of " + class_name(callee.get()));
  const std::string name = global ? text_of(f_.global_name(callee.get()))
                                  : std::string(intrinsic_of(text_of(f_.op_name(callee.get()))));
  if (has_attrs(call)) throw Unreadable("intrinsic " + name + " with attributes");
  if (f_.scalar_call_type_args && !f_.scalar_call_type_args(call).cast<Objects>().empty()) throw Unreadable("intrinsic " + name + " with types");
  if (!global && name == kBufferData && args.size() == 1 && is_buffer(args[0])) {
    out_->form(ScalarForm::buffer_data);
    return buffer(args[0]);
  }
  out_->form(global ? ScalarForm::function_call : ScalarForm::intrinsic);
  out_->text(name);
  out_->scalar_type(scalar_type_of_value(expr));
  exprs(args);
}

void PrimFuncEncoder::expr(const ObjectRef& expr) {
  const ffi::Object* e = expr.get();
  const Node node = c_.node(e);
  switch (node) {
    case Node::var:
    case Node::symbol:
      return variable_or_data(expr);
    case Node::int_imm:
    case Node::float_imm:
      return number(expr);
    case Node::string_imm:
      out_->form(ScalarForm::string);
      return out_->text(text_of(f_.scalar_string(e)));
    case Node::tensor_load:
      return load(e);
    case Node::call:
    case Node::scalar_call:
      return call(expr);
    case Node::cast:
      out_->form(ScalarForm::cast);
      out_->scalar_type(scalar_type_of_value(expr));
      return this->expr(f_.cast_value.object(e));
    case Node::negation:
      out_->form(ScalarForm::negation);
      return this->expr(f_.not_operand.object(e));
    case Node::select:
      return select(e);
    case Node::let:
      return let(e);
    case Node::ramp:
    case Node::broadcast:
    case Node::shuffle:
      return vector(node, e);
    case Node::bitwise:
      return bitwise(expr);
    default:
      break;
  }
  if (is_arithmetic(node) || node == Node::logical_or_divide) return arithmetic(e);
  throw Unreadable("scalar expression " + class_name(e));
}

}  // namespace passdiff
