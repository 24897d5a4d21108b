#include "passes/tvm/adapter/encode_tir.h"

#include <optional>
#include <utility>

#include "core/ir/tir/stmt.h"
#include "passes/tvm/adapter/encode.h"
#include "passes/tvm/adapter/tir_layout.h"
#include "passes/tvm/adapter/tir_names.h"

namespace passdiff {
namespace {

tir::ScalarType scalar_type_of(DLDataType dtype) {
  if (is_void(dtype)) return tir::kNoValue;
  if (dtype.code == kDLOpaqueHandle) return tir::kHandle;
  const auto element = dtype_of(DLDataType{dtype.code, dtype.bits, 1});
  // Vectors of scalable length have negative lanes.
  if (!element || dtype.lanes > tir::kMaxLanes) throw Unreadable("dtype " + std::string(ffi::DLDataTypeToString(dtype)));
  return tir::number_type(*element, dtype.lanes);
}

tir::ScalarType scalar_type_of(const ObjectRef& type) {
  const Fields& f = compiler().fields;
  switch (compiler().node(type)) {
    case Node::prim_type:
      return scalar_type_of(f.prim_type_dtype(type.get()).cast<DLDataType>());
    case Node::pointer_type:
    case Node::string_type:
    case Node::any_type:
      return tir::kHandle;
    case Node::tuple_type:
      if (f.tuple_type_fields(type.get()).cast<Objects>().empty()) return tir::kNoValue;
      break;
    default:
      break;
  }
  throw Unreadable("scalar type " + class_name(type.get()));
}

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

NamedAttrs PrimFuncEncoder::attrs_of(const Any& map) const {
  NamedAttrs attrs;
  if (map == nullptr) return attrs;
  for (const auto& [name, value] : map.cast<ffi::Map<ffi::String, Any>>()) {
    if (name != ffi::String(std::string(kLayoutFreePlaceholders)))
      attrs[name] = types_.attr_value(value, std::string(name));
  }
  return attrs;
}

void PrimFuncEncoder::function_attrs(const ObjectRef& attrs) {
  NamedAttrs result;
  if (attrs.defined()) {
    for (const auto& [name, value] : f_.dict(attrs.get()).cast<ffi::Map<ffi::String, Any>>()) {
      if (name != "global_symbol") result[name] = types_.attr_value(value, std::string(name));
    }
  }
  out_->attrs(result);
}

void PrimFuncEncoder::buffer(const ObjectRef& buffer) {
  if (!is_buffer(buffer)) throw Unreadable("access of " + class_name(buffer.get()));
  if (!buffers_.contains(buffer)) {
    // The row is written first, so that the buffers in it get lower numbers.
    DocumentWriter row;
    DocumentWriter* const outer = std::exchange(out_, &row);
    buffer_row(buffer);
    out_ = outer;
    buffer_rows_.items(row.bytes());
  }
  out_->integer(buffers_.of(buffer));
}

void PrimFuncEncoder::buffer_row(const ObjectRef& buffer) {
  const ObjectRef type_ref = type_of(buffer);
  const ffi::Object* type = type_ref.get();
  const ObjectRef layout = f_.buffer_layout.object(type);
  if (layout.defined() && !is_default_layout(layout, f_.buffer_shape(type).cast<Objects>()))
    throw Unreadable("buffer with a layout");
  if (!f_.buffer_address(type).cast<Objects>().empty()) throw Unreadable("buffer with an address");
  out_->array(9);
  out_->text(text_of(f_.var_name(buffer.get())));
  out_->scalar_type(scalar_type_of(f_.buffer_dtype.object(type)));
  exprs(f_.buffer_shape(type).cast<Objects>());
  exprs(f_.buffer_strides(type).cast<Objects>());
  offset(type);
  out_->text(text_of(f_.buffer_scope(type)));
  out_->integer(f_.buffer_alignment(type).cast<std::int64_t>());
  out_->integer(f_.buffer_offset_factor(type).cast<std::int64_t>());
  out_->array(0);  // axis separators, which this version of the compiler does not have
}

// Writes null for the offset that the compiler gives to a buffer without one: 0 of the type of its indices.
void PrimFuncEncoder::offset(const ffi::Object* type) {
  const ObjectRef offset = f_.buffer_offset.object(type);
  if (c_.node(offset) == Node::int_imm && integer_value(offset.get()) == 0) {
    const auto shape = f_.buffer_shape(type).cast<Objects>();
    const tir::ScalarType index =
        shape.empty() ? tir::number_type(DType::int32) : scalar_type_of(type_of(shape[0]));
    if (scalar_type_of(type_of(offset)) == index) return out_->null();
  }
  nullable(offset);
}

// Writes a variable or a buffer as a parameter, or as the node of an attr statement.
void PrimFuncEncoder::node(const ObjectRef& var) {
  const bool of_buffer = is_buffer(var);
  out_->form(of_buffer ? NodeForm::buffer : NodeForm::variable);
  of_buffer ? buffer(var) : variable(var);
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
  out_->scalar_type(scalar_type_of(type_of(node)));
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
  out_->form(ScalarForm::load, 3);
  buffer(f_.load_source.object(load));
  exprs(f_.load_indices(load).cast<Objects>());
}

void PrimFuncEncoder::call(const ffi::Object* call) {
  const ObjectRef callee = f_.call_op.object(call);
  const auto args = f_.call_args(call).cast<Objects>();
  const bool global = c_.node(callee) == Node::global_var;
  if (!global && c_.node(callee) != Node::op) throw Unreadable("call of " + class_name(callee.get()));
  const std::string name = global ? text_of(f_.global_name(callee.get()))
                                  : std::string(intrinsic_of(text_of(f_.op_name(callee.get()))));
  const ObjectRef attrs = f_.call_attrs.object(call);
  if (attrs.defined() && (c_.node(attrs) != Node::dict_attrs || !attrs_of(f_.dict(attrs.get())).empty()))
    throw Unreadable("intrinsic " + name + " with attributes");
  if (!f_.call_type_args(call).cast<Objects>().empty()) throw Unreadable("intrinsic " + name + " with types");
  if (!global && name == kBufferData && args.size() == 1 && is_buffer(args[0])) {
    out_->form(ScalarForm::buffer_data);
    return buffer(args[0]);
  }
  out_->form(global ? ScalarForm::function_call : ScalarForm::intrinsic);
  out_->text(name);
  out_->scalar_type(scalar_type_of(f_.type.object(call)));
  exprs(args);
}

void PrimFuncEncoder::expr(const ObjectRef& expr) {
  const ffi::Object* e = expr.get();
  const Node node = c_.node(e);
  switch (node) {
    case Node::var:
      if (!is_buffer(expr)) return variable(expr);
      out_->form(ScalarForm::buffer_arg);
      return buffer(expr);
    case Node::int_imm:
    case Node::float_imm:
      return number(expr);
    case Node::string_imm:
      out_->form(ScalarForm::string);
      return out_->text(text_of(f_.string_value(e)));
    case Node::tensor_load:
      return load(e);
    case Node::call:
      return call(e);
    case Node::cast:
      out_->form(ScalarForm::cast);
      out_->scalar_type(scalar_type_of(type_of(expr)));
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

void PrimFuncEncoder::range(const ObjectRef& range) {
  expr(f_.range_min.object(range.get()));
  expr(f_.range_extent.object(range.get()));
}

void PrimFuncEncoder::region(const ffi::Object* region) {
  out_->array(2);
  buffer(f_.region_source.object(region));
  const auto ranges = f_.region_ranges(region).cast<Objects>();
  out_->array(ranges.size());
  for (const ObjectRef& one : ranges) {
    out_->array(2);
    range(one);
  }
}

void PrimFuncEncoder::regions(const Any& list) {
  const auto all = list.cast<Objects>();
  out_->array(all.size());
  for (const ObjectRef& one : all) region(one.get());
}

void PrimFuncEncoder::loop(const ffi::Object* loop) {
  out_->form(StmtForm::loop);
  variable(f_.loop_var.object(loop));
  expr(f_.loop_min.object(loop));
  expr(f_.loop_extent.object(loop));
  nullable(f_.loop_step.object(loop));
  const auto kind = f_.loop_kind(loop).cast<std::int64_t>();
  if (kind < 0 || kind > static_cast<std::int64_t>(tir::ForKind::thread_binding)) throw Unreadable("kind of loop");
  out_->text(for_kind_name(static_cast<tir::ForKind>(kind)));
  const ObjectRef thread = f_.loop_thread.object(loop);
  out_->text(thread.defined() ? text_of(f_.axis_thread(thread.get())) : std::string());
  out_->attrs(attrs_of(f_.loop_annotations(loop)));
  stmt(f_.loop_body.object(loop));
}

void PrimFuncEncoder::store(const ffi::Object* store) {
  out_->form(StmtForm::store, 4);
  buffer(f_.store_buffer.object(store));
  exprs(f_.store_indices(store).cast<Objects>());
  expr(f_.store_value.object(store));
}

void PrimFuncEncoder::branch(const ffi::Object* branch) {
  const ObjectRef else_case = f_.branch_else.object(branch);
  out_->form(StmtForm::branch, else_case.defined() ? 4 : 3);
  expr(f_.branch_condition.object(branch));
  stmt(f_.branch_then.object(branch));
  if (else_case.defined()) stmt(else_case);
}

void PrimFuncEncoder::attr(const ffi::Object* attr) {
  out_->form(StmtForm::attr);
  const Any of = f_.attr_node(attr);
  std::string thread;
  if (of == nullptr) {
    out_->null();
  } else if (of.type_index() == ffi::TypeIndex::kTVMFFIInt) {
    out_->integer(of.cast<std::int64_t>());
  } else if (const auto text = of.as<ffi::String>()) {
    out_->text(std::string(*text));
  } else {
    const ObjectRef object = of.cast<ObjectRef>();
    const Node kind = c_.node(object);
    if (kind == Node::string_imm) {
      out_->text(text_of(f_.string_value(object.get())));
    } else if (kind == Node::int_imm) {
      out_->integer(integer_value(object.get()));
    } else if (kind == Node::iter_var) {
      thread = text_of(f_.axis_thread(object.get()));
      node(f_.axis_var.object(object.get()));
    } else if (kind == Node::var) {
      node(object);
    } else {
      throw Unreadable("attr statement on " + class_name(object.get()));
    }
  }
  out_->text(thread);
  out_->text(text_of(f_.attr_key(attr)));
  expr(f_.attr_value.object(attr));
  stmt(f_.attr_body.object(attr));
}

void PrimFuncEncoder::assertion(const ffi::Object* assertion) {
  out_->form(StmtForm::assertion);
  expr(f_.assert_condition.object(assertion));
  out_->text(text_of(f_.string_value(f_.assert_kind.object(assertion).get())));
  const auto parts = f_.assert_message(assertion).cast<Objects>();
  out_->array(parts.size());
  for (const ObjectRef& part : parts) out_->text(text_of(f_.string_value(part.get())));
}

void PrimFuncEncoder::axis(const ffi::Object* axis) {
  const std::optional<tir::IterKind> kind = iter_kind_of(f_.axis_kind(axis).cast<std::int64_t>());
  if (!kind) throw Unreadable("kind of block axis");
  out_->array(4);
  variable(f_.axis_var.object(axis));
  range(f_.axis_domain.object(axis));
  out_->text(iter_kind_name(*kind));
}

void PrimFuncEncoder::block(const ffi::Object* realize) {
  const ObjectRef block_ref = f_.realize_block.object(realize);
  const ffi::Object* block = block_ref.get();
  out_->form(StmtForm::block);
  exprs(f_.realize_values(realize).cast<Objects>());
  expr(f_.realize_predicate.object(realize));
  out_->text(text_of(f_.block_name(block)));
  const auto axes = f_.block_axes(block).cast<Objects>();
  out_->array(axes.size());
  for (const ObjectRef& one : axes) axis(one.get());
  regions(f_.block_reads(block));
  regions(f_.block_writes(block));
  const auto allocs = f_.block_allocs(block).cast<Objects>();
  out_->array(allocs.size());
  for (const ObjectRef& one : allocs) buffer(one);
  const auto matches = f_.block_matches(block).cast<Objects>();
  out_->array(matches.size());
  for (const ObjectRef& match : matches) {
    out_->array(2);
    buffer(f_.match_buffer.object(match.get()));
    region(f_.match_source.object(match.get()).get());
  }
  out_->attrs(attrs_of(f_.block_annotations(block)));
  const ObjectRef init = f_.block_init.object(block);
  init.defined() ? stmt(init) : out_->null();
  stmt(f_.block_body.object(block));
}

void PrimFuncEncoder::stmts(const Objects& list) {
  out_->form(StmtForm::seq);
  out_->array(list.size());
  for (const ObjectRef& one : list) stmt(one);
}

void PrimFuncEncoder::stmt(const ObjectRef& stmt) {
  const ffi::Object* s = stmt.get();
  switch (c_.node(s)) {
    case Node::buffer_store:
      return store(s);
    case Node::loop:
      return loop(s);
    case Node::block_realize:
      return block(s);
    case Node::seq_stmt:
      return stmts(f_.stmt_seq(s).cast<Objects>());
    case Node::if_then_else:
      return branch(s);
    case Node::evaluate:
      return evaluate(StmtForm::evaluate, f_.evaluate_value, s);
    case Node::bind:
      out_->form(StmtForm::bind);
      variable(f_.bind_var.object(s));
      return expr(f_.bind_value.object(s));
    case Node::alloc_buffer:
      out_->form(StmtForm::alloc_buffer);
      buffer(f_.alloc_buffer.object(s));
      return out_->attrs(attrs_of(f_.alloc_annotations(s)));
    case Node::decl_buffer:
      out_->form(StmtForm::decl_buffer);
      buffer(f_.decl_buffer.object(s));
      return expr(f_.decl_data.object(s));
    case Node::attr_stmt:
      return attr(s);
    case Node::assert_stmt:
      return assertion(s);
    case Node::while_loop:
      out_->form(StmtForm::while_loop);
      expr(f_.while_condition.object(s));
      return this->stmt(f_.while_body.object(s));
    case Node::return_stmt:
      return evaluate(StmtForm::return_value, f_.return_value, s);
    case Node::break_stmt:
      return out_->form(StmtForm::break_loop);
    case Node::continue_stmt:
      return out_->form(StmtForm::continue_loop);
    default:
      break;
  }
  throw Unreadable("statement " + class_name(s));
}

void PrimFuncEncoder::tables() {
  out_->key(PrimFuncKey::buffers);
  out_->array(buffers_.table().size());
  out_->items(buffer_rows_.bytes());
  out_->key(PrimFuncKey::vars);
  out_->array(vars_.table().size());
  for (const ObjectRef& var : vars_.table()) {
    out_->array(2);
    out_->text(text_of(f_.var_name(var.get())));
    out_->scalar_type(scalar_type_of(type_of(var)));
  }
}

void PrimFuncEncoder::function(const std::string& name, bool is_public, const ffi::Object* function) {
  out_->begin_prim_func(name, is_public);
  const auto params = f_.prim_func_params(function).cast<Objects>();
  out_->key(PrimFuncKey::params);
  out_->array(params.size());
  for (const ObjectRef& param : params) node(param);
  out_->key(PrimFuncKey::attrs);
  function_attrs(f_.function_attrs.object(function));
  out_->key(PrimFuncKey::result);
  out_->scalar_type(scalar_type_of(f_.prim_func_result.object(function)));
  out_->key(PrimFuncKey::body);
  stmt(f_.prim_func_body.object(function));
  tables();
}

}  // namespace

void encode_prim_func(DocumentWriter& out, TypeEncoder& types, const std::string& name, bool is_public,
                      const ObjectRef& function) {
  PrimFuncEncoder(out, types).function(name, is_public, function.get());
}

}  // namespace passdiff
