// Facts about functions of TensorIR, which behaviour features of changes are made of.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ir/module.h"

namespace passdiff {

// Hashes of what the module's functions of TensorIR are made of, each as often as it occurs: every statement and expression with the kinds of
// what is directly inside, attributes, annotations, and what blocks and loops are. Names, sizes and numbers are left out: there are too many.
std::vector<std::uint64_t> tensor_ir_facts(const Module& module);

}  // namespace passdiff
