// The layouts of buffers that say no more than their shapes do.
#pragma once

#include "passes/tvm/adapter/build_types.h"

namespace passdiff {

// The layout of a buffer of this shape for which none is written: row-major, without gaps. Null for a buffer of no dims.
ObjectRef default_layout(const Objects& shape);
bool is_default_layout(const ObjectRef& layout, const Objects& shape);

}  // namespace passdiff
