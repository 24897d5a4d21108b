// The families of ops: each file of this folder defines one, and op.cc joins them into all_ops().
#pragma once

#include <span>

#include "core/ops/op.h"

namespace passdiff {

std::span<const OpDef> unary_ops();       // negative abs exp log sqrt tanh sigmoid floor ceil round sign nn.relu clip
std::span<const OpDef> binary_ops();      // add ... maximum minimum power floor_divide mod floor_mod
std::span<const OpDef> compare_ops();     // equal ... logical_not where
std::span<const OpDef> creation_ops();    // zeros ones full zeros_like ones_like arange
std::span<const OpDef> cast_ops();        // astype
std::span<const OpDef> device_ops();      // hint_on_device to_vdevice
std::span<const OpDef> matmul_ops();      // matmul
std::span<const OpDef> reduce_ops();      // sum mean max min prod argmax argmin cumsum
std::span<const OpDef> softmax_ops();     // nn.softmax
std::span<const OpDef> layout_ops();      // permute_dims reshape expand_dims squeeze broadcast_to flip
std::span<const OpDef> join_ops();        // concat split stack tile repeat
std::span<const OpDef> index_ops();       // strided_slice take gather_elements

}  // namespace passdiff
