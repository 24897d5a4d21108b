// Parts of the families of ops that only move data: the rows of each file.
#pragma once

#include "core/ops/op.h"

namespace passdiff {

// layout_ops()
std::span<const OpDef> axes_rows();     // permute_dims expand_dims squeeze flip
std::span<const OpDef> reshape_rows();  // reshape broadcast_to
// join_ops()
std::span<const OpDef> concat_rows();  // concat stack
std::span<const OpDef> split_rows();   // split
std::span<const OpDef> repeat_rows();  // tile repeat
// index_ops()
std::span<const OpDef> take_rows();   // take gather_elements
std::span<const OpDef> slice_rows();  // strided_slice

}  // namespace passdiff
