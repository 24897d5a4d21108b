#include "passes/tvm/adapter/tir_layout.h"

#include <vector>

#include "passes/tvm/adapter/encode_types.h"

namespace passdiff {

// An axis has as its stride the product of the sizes of those after it, in the type of the first size.
ObjectRef default_layout(const Objects& shape) {
  if (shape.empty()) return ObjectRef(nullptr);
  static const ffi::Function make_axis = require_function({"tirx.AxisGet"});
  static const ffi::Function make_iter = require_function({"tirx.Iter"});
  static const ffi::Function make_layout = require_function({"tirx.TileLayout"});
  static const ffi::Function multiply = require_function({"prim._OpMul", "tirx._OpMul"});
  const ObjectRef memory = call(make_axis, ffi::String("m")).cast<ObjectRef>();
  const DType index = dtype_of(dtype_of_number(shape[0].get())).value_or(DType::int32);
  ObjectRef stride = int_imm(index, 1);
  std::vector<ObjectRef> axes(shape.size(), ObjectRef(nullptr));
  for (std::size_t i = axes.size(); i-- > 0;) {
    const ObjectRef size = shape[static_cast<std::int64_t>(i)];
    axes[i] = call(make_iter, size, stride, memory).cast<ObjectRef>();
    stride = call(multiply, stride, size, nullptr).cast<ObjectRef>();
  }
  return call(make_layout, Objects(axes.begin(), axes.end()), Objects(), ffi::Map<ObjectRef, ObjectRef>())
      .cast<ObjectRef>();
}

bool is_default_layout(const ObjectRef& layout, const Objects& shape) {
  static const ffi::Function equal = require_function({"ffi.StructuralEqual"});
  const ObjectRef expected = default_layout(shape);
  return expected.defined() && call(equal, layout, expected, false, false).cast<bool>();
}

}  // namespace passdiff
