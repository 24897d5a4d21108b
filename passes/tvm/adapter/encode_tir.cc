// The function, its buffers and statements.
#include "passes/tvm/adapter/prim_func_encoder.h"

#include <optional>
#include <utility>

#include "passes/tvm/adapter/tir_layout.h"
#include "passes/tvm/adapter/tir_names.h"

namespace passdiff {

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

// Writes a buffer that comes with memory of its own: a parameter, an allocation.
void PrimFuncEncoder::new_buffer(const ObjectRef& buffer) {
  this->buffer(buffer);
  if (const ObjectRef data = data_variable(buffer); data.defined()) owners_.emplace(data.get(), buffer);
}

void PrimFuncEncoder::buffer_row(const ObjectRef& buffer) {
  const BufferHead head = head_of(buffer);
  const ffi::Object* description = head.description.get();
  const ObjectRef layout = f_.buffer_layout.object(description);
  if (layout.defined() && !is_default_layout(layout, f_.buffer_shape(description).cast<Objects>()))
    throw Unreadable("buffer with a layout");
  if (!f_.buffer_address(description).cast<Objects>().empty()) throw Unreadable("buffer with an address");
  out_->array(9);
  out_->text(head.name);
  out_->scalar_type(head.dtype);
  exprs(f_.buffer_shape(description).cast<Objects>());
  exprs(f_.buffer_strides(description).cast<Objects>());
  offset(description);
  out_->text(head.scope);
  out_->integer(f_.buffer_alignment(description).cast<std::int64_t>());
  out_->integer(f_.buffer_offset_factor(description).cast<std::int64_t>());
  const auto separators = f_.buffer_separators ? f_.buffer_separators(description).cast<Objects>() : Objects();
  out_->array(separators.size());
  for (const ObjectRef& separator : separators) out_->integer(integer_value(separator.get()));
}

// Writes null for the offset that the compiler gives to a buffer without one: 0 of the type of its indices.
void PrimFuncEncoder::offset(const ffi::Object* description) {
  const ObjectRef offset = f_.buffer_offset.object(description);
  if (c_.node(offset) == Node::int_imm && integer_value(offset.get()) == 0) {
    const auto shape = f_.buffer_shape(description).cast<Objects>();
    const tir::ScalarType index =
        shape.empty() ? tir::number_type(has_buffer_objects() ? DType::int64 : DType::int32) : scalar_type_of_value(shape[0]);
    if (scalar_type_of_value(offset) == index) return out_->null();
  }
  nullable(offset);
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
  const ObjectRef predicate = f_.store_predicate ? f_.store_predicate.object(store) : ObjectRef(nullptr);
  out_->form(StmtForm::store, predicate.defined() ? 5 : 4);
  buffer(f_.store_buffer.object(store));
  exprs(f_.store_indices(store).cast<Objects>());
  expr(f_.store_value.object(store));
  if (predicate.defined()) expr(predicate);
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
      out_->text(text_of(f_.scalar_string(object.get())));
    } else if (kind == Node::int_imm) {
      out_->integer(integer_value(object.get()));
    } else if (kind == Node::iter_var) {
      thread = text_of(f_.axis_thread(object.get()));
      node(f_.axis_var.object(object.get()));
    } else if (kind == Node::var || kind == Node::symbol || kind == Node::buffer) {
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
  out_->text(text_of(f_.scalar_string(f_.assert_kind.object(assertion).get())));
  const auto parts = f_.assert_message(assertion).cast<Objects>();
  out_->array(parts.size());
  for (const ObjectRef& part : parts) out_->text(text_of(f_.scalar_string(part.get())));
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
  for (const ObjectRef& one : allocs) new_buffer(one);
  const auto matches = f_.block_matches(block).cast<Objects>();
  out_->array(matches.size());
  for (const ObjectRef& match : matches) {
    out_->array(2);
    new_buffer(f_.match_buffer.object(match.get()));
    region(f_.match_source.object(match.get()).get());
  }
  out_->attrs(attrs_of(f_.block_annotations(block)));
  const ObjectRef init = f_.block_init.object(block);
  init.defined() ? stmt(init) : out_->null();
  stmt(f_.block_body.object(block));
}

// Before 0.26 a function returns by an intrinsic.
void PrimFuncEncoder::evaluate(const ObjectRef& value) {
  if (has_buffer_objects() && c_.node(value) == Node::scalar_call) {
    const ObjectRef callee = f_.scalar_call_op.object(value.get());
    const bool returns = c_.node(callee) == Node::op && intrinsic_of(text_of(f_.op_name(callee.get()))) == kReturn;
    const auto args = f_.scalar_call_args(value.get()).cast<Objects>();
    if (returns && args.size() == 1) return returned(args[0]);
  }
  out_->form(StmtForm::evaluate);
  expr(value);
}

void PrimFuncEncoder::returned(const ObjectRef& value) {
  out_->form(StmtForm::return_value);
  expr(value);
}

// Before 0.26 the buffer itself says which variable its data are.
void PrimFuncEncoder::declared(const ffi::Object* declaration) {
  const ObjectRef of = f_.decl_buffer.object(declaration);
  out_->form(StmtForm::decl_buffer);
  buffer(of);
  const ObjectRef data = data_variable(of);
  expr(data.defined() ? data : f_.decl_data.object(declaration));
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
      return evaluate(f_.evaluate_value.object(s));
    case Node::bind:
      out_->form(StmtForm::bind);
      variable(f_.bind_var.object(s));
      return expr(f_.bind_value.object(s));
    case Node::alloc_buffer:
      out_->form(StmtForm::alloc_buffer);
      new_buffer(f_.alloc_buffer.object(s));
      return out_->attrs(attrs_of(f_.alloc_annotations(s)));
    case Node::decl_buffer:
      return declared(s);
    case Node::attr_stmt:
      return attr(s);
    case Node::assert_stmt:
      return assertion(s);
    case Node::while_loop:
      out_->form(StmtForm::while_loop);
      expr(f_.while_condition.object(s));
      return this->stmt(f_.while_body.object(s));
    case Node::return_stmt:
      return returned(f_.return_value.object(s));
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
    out_->text(text_of(f_.symbol_name(var.get())));
    out_->scalar_type(scalar_type_of_value(var));
  }
}

void PrimFuncEncoder::function(const std::string& name, bool is_public, const ffi::Object* function) {
  out_->begin_prim_func(name, is_public);
  const auto params = f_.prim_func_params(function).cast<Objects>();
  out_->key(PrimFuncKey::params);
  out_->array(params.size());
  const auto buffers = f_.prim_func_buffers ? f_.prim_func_buffers(function).cast<ffi::Map<ObjectRef, ObjectRef>>() : ffi::Map<ObjectRef, ObjectRef>();
  for (const ObjectRef& param : params) {
    const ObjectRef object = buffers.Get(param).value_or(param);
    out_->form(is_buffer(object) ? NodeForm::buffer : NodeForm::variable);
    is_buffer(object) ? new_buffer(object) : variable(object);
  }
  out_->key(PrimFuncKey::attrs);
  function_attrs(f_.function_attrs.object(function));
  out_->key(PrimFuncKey::result);
  out_->scalar_type(scalar_type_of(f_.prim_func_result.object(function)));
  out_->key(PrimFuncKey::body);
  stmt(f_.prim_func_body.object(function));
  tables();
}

void encode_prim_func(DocumentWriter& out, TypeEncoder& types, const std::string& name, bool is_public,
                      const ObjectRef& function) {
  PrimFuncEncoder(out, types).function(name, is_public, function.get());
}

}  // namespace passdiff
