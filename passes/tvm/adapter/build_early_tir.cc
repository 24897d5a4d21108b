#include "passes/tvm/adapter/build_early_tir.h"

#include "passes/tvm/adapter/buffers.h"
#include "passes/tvm/adapter/build.h"
#include "passes/tvm/adapter/encode_types.h"
#include "passes/tvm/adapter/tir_names.h"

namespace passdiff {
namespace {

ObjectRef pointer_to(const tir::ScalarType& element, std::string_view scope) {
  const Functions& f = compiler().functions;
  const ObjectRef type = call(f.prim_type, dl_dtype_of(element)).cast<ObjectRef>();
  return call(f.pointer_type, type, string_of(scope)).cast<ObjectRef>();
}

// A buffer whose data are this variable.
ObjectRef buffer_on(const ObjectRef& data, const tir::ScalarType& dtype, const Objects& shape, const Objects& strides, const ObjectRef& offset,
                    const ffi::String& name, std::int64_t alignment, std::int64_t offset_factor, const Objects& separators, const ObjectRef& layout) {
  return call(compiler().functions.buffer, data, dl_dtype_of(dtype), shape, strides, offset, name, alignment, offset_factor, ffi::String(),
              separators, nullptr, layout)
      .cast<ObjectRef>();
}

}  // namespace

ObjectRef EarlyTirFunction::new_variable(std::string_view name, const tir::ScalarType& type) const {
  return make(compiler().functions.symbol, string_of(name), dl_dtype_of(type));
}

Result<ObjectRef> EarlyTirFunction::make_buffer(BufferParts parts) {
  const ffi::String name = string_of(parts.name);
  const ObjectRef data = make(compiler().functions.symbol, name, pointer_to(parts.dtype, parts.scope));
  Objects separators;
  for (const std::int64_t separator : parts.axis_separators) separators.push_back(int_imm(DType::int32, separator));
  return buffer_on(data, parts.dtype, parts.shape, parts.strides, parts.elem_offset, name, parts.data_alignment, parts.offset_factor, separators,
                   layout_of(parts.shape));
}

Result<ObjectRef> EarlyTirFunction::make_view(const Cursor& at, ObjectRef buffer, const ObjectRef& data) {
  const Fields& f = compiler().fields;
  if (compiler().node(data) != Node::symbol) return at.error("json.type", "this compiler declares buffers on variables alone");
  const ffi::Object* old = buffer.get();
  return buffer_on(data, scalar_type_of(f.buffer_dtype(old).cast<DLDataType>()), f.buffer_shape(old).cast<Objects>(),
                   f.buffer_strides(old).cast<Objects>(), f.buffer_offset.object(old), f.buffer_name(old).cast<ffi::String>(),
                   f.buffer_alignment(old).cast<std::int64_t>(), f.buffer_offset_factor(old).cast<std::int64_t>(),
                   f.buffer_separators(old).cast<Objects>(), f.buffer_layout.object(old));
}

ObjectRef EarlyTirFunction::make_cast(const tir::ScalarType& type, ObjectRef operand) {
  return make(compiler().functions.cast, dl_dtype_of(type), operand);
}

ObjectRef EarlyTirFunction::call_of(const ObjectRef& callee, std::string_view, const tir::ScalarType& type, const Objects& args) const {
  return make(compiler().functions.scalar_call, dl_dtype_of(type), callee, args);
}

ObjectRef EarlyTirFunction::make_buffer_data(ObjectRef buffer) {
  return data_variable(buffer);
}

ObjectRef EarlyTirFunction::make_buffer_arg(ObjectRef) {
  throw Refusal("TypeError", "a buffer is no argument before TVM 0.26");
}

// The data stand in the buffer.
ObjectRef EarlyTirFunction::make_decl_buffer(ObjectRef buffer, ObjectRef) {
  return make(compiler().functions.decl_buffer, buffer);
}

ObjectRef EarlyTirFunction::make_return(ObjectRef value) {
  const std::string op = std::string(kTirNamespaces[0]) + std::string(kReturn);
  return make_evaluate(call_of(compiler().op(op).op, kReturn, scalar_type_of_value(value), Objects{value}));
}

ObjectRef EarlyTirFunction::new_function(const std::vector<Param>& params, const ObjectRef& body, const ObjectRef& attrs) {
  const Functions& f = compiler().functions;
  Objects vars;
  ffi::Map<ObjectRef, ObjectRef> buffers;
  for (const Param& param : params) {
    if (param.var) {
      vars.push_back(*param.var);
      continue;
    }
    const ObjectRef handle = new_variable(text_of(compiler().fields.buffer_name(param.buffer->get())), tir::kHandle);
    vars.push_back(handle);
    buffers.Set(handle, *param.buffer);
  }
  const bool returns = document().result != tir::kNoValue;
  const ObjectRef result =
      returns ? call(f.prim_type, dl_dtype_of(document().result)).cast<ObjectRef>() : call(f.unit_type, Objects()).cast<ObjectRef>();
  return make(f.prim_func, vars, body, result, buffers, attrs);
}

std::unique_ptr<TirFunction> make_tir_function(ModuleScope& scope, const PrimFuncDocument& document) {
  if (has_buffer_objects()) return std::make_unique<EarlyTirFunction>(scope, document);
  return std::make_unique<TirFunction>(scope, document);
}

}  // namespace passdiff
