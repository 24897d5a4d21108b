// Buffers of TensorIR as the compiler holds them. From TVM 0.26 on a buffer is a variable, and its type says what it is. Before, it is an object of
// its own, and its data are a variable, which several buffers may share.
#pragma once

#include <string>

#include "core/ir/tir/scalar_type.h"
#include "passes/tvm/adapter/compiler.h"

namespace passdiff {

// The compiler is one in which buffers are objects of their own.
inline bool has_buffer_objects() {
  return compiler().functions.buffer != nullptr;
}

// Of a dtype, a variable's type, a function's result. Throws Unreadable for what is no scalar.
tir::ScalarType scalar_type_of(DLDataType dtype);
tir::ScalarType scalar_type_of(const ObjectRef& type);
// The other way round, of one lane or several.
DLDataType dl_dtype_of(const tir::ScalarType& type);
// Of the value of an expression.
tir::ScalarType scalar_type_of_value(const ObjectRef& expr);

bool is_buffer(const ObjectRef& object);

// The parts of a buffer whose place differs between versions.
struct BufferHead {
  // Has the fields Fields::buffer_shape and those beside it. Of a buffer that is kept alive.
  ObjectRef description;
  std::string name;
  tir::ScalarType dtype;
  std::string scope;
};
// Throws Unreadable for what is no buffer, or one of a dtype or a kind that documents lack.
BufferHead head_of(const ObjectRef& buffer);

// The variable that is the data of a buffer object; null where there are none.
ObjectRef data_variable(const ObjectRef& buffer);

}  // namespace passdiff
