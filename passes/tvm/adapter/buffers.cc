#include "passes/tvm/adapter/buffers.h"

#include "passes/tvm/adapter/encode.h"
#include "passes/tvm/adapter/encode_types.h"

namespace passdiff {
namespace {

// The compiler's BufferType of a buffer that no axis is broadcast of.
constexpr std::int64_t kPlainBuffer = 1;

}  // namespace

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
      return scalar_type_of(f.scalar_type_dtype(type.get()).cast<DLDataType>());
    case Node::pointer_type:
    case Node::string_type:
    case Node::any_type:
      return tir::kHandle;
    case Node::no_value_type:
      return tir::kNoValue;
    case Node::tuple_type:
      if (f.tuple_type_fields(type.get()).cast<Objects>().empty()) return tir::kNoValue;
      break;
    default:
      break;
  }
  throw Unreadable("scalar type " + class_name(type.get()));
}

DLDataType dl_dtype_of(const tir::ScalarType& type) {
  if (type.kind == tir::ScalarType::Kind::none) return kVoid;
  if (type.kind == tir::ScalarType::Kind::handle) return {kDLOpaqueHandle, 64, 1};
  DLDataType dtype = dl_dtype(type.dtype);
  dtype.lanes = static_cast<std::uint16_t>(type.lanes);
  return dtype;
}

tir::ScalarType scalar_type_of_value(const ObjectRef& expr) {
  const Fields& f = compiler().fields;
  if (has_buffer_objects()) return scalar_type_of(f.prim_dtype(expr.get()).cast<DLDataType>());
  return scalar_type_of(f.type.object(expr.get()));
}

bool is_buffer(const ObjectRef& object) {
  const Compiler& c = compiler();
  if (has_buffer_objects()) return c.node(object) == Node::buffer;
  return c.node(object) == Node::var && c.node(c.fields.type.object(object.get())) == Node::buffer_type;
}

BufferHead head_of(const ObjectRef& buffer) {
  if (!is_buffer(buffer)) throw Unreadable("access of " + class_name(buffer.get()));
  const Fields& f = compiler().fields;
  if (!has_buffer_objects()) {
    ObjectRef type = f.type.object(buffer.get());
    const tir::ScalarType dtype = scalar_type_of(f.buffer_dtype.object(type.get()));
    std::string scope = text_of(f.buffer_scope(type.get()));
    return {std::move(type), text_of(f.var_name(buffer.get())), dtype, std::move(scope)};
  }
  if (f.buffer_kind(buffer.get()).cast<std::int64_t>() != kPlainBuffer) throw Unreadable("buffer of broadcast axes");
  const ObjectRef pointer = f.symbol_type.object(data_variable(buffer).get());
  const std::string scope = compiler().node(pointer) == Node::pointer_type ? text_of(f.pointer_scope(pointer.get())) : "global";
  return {buffer, text_of(f.buffer_name(buffer.get())), scalar_type_of(f.buffer_dtype(buffer.get()).cast<DLDataType>()), scope};
}

ObjectRef data_variable(const ObjectRef& buffer) {
  return has_buffer_objects() ? compiler().fields.buffer_data.object(buffer.get()) : ObjectRef(nullptr);
}

}  // namespace passdiff
