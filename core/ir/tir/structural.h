// The part of structural equality and hash that is about functions of TensorIR. As in TVM, names of variables, buffers and blocks
// do not count.
#pragma once

#include <cstdint>

#include "core/ir/tir/prim_func.h"
#include "core/ir/words.h"

namespace passdiff::tir {

void encode(const PrimFunc& function, Words& out);
// What the function does when it is called: all but its attributes, of which passes make notes.
void encode_behaviour(const PrimFunc& function, Words& out);
bool structural_equal(const PrimFunc& a, const PrimFunc& b);
// Equal functions have equal hashes, on every machine.
std::uint64_t structural_hash(const PrimFunc& function);

}  // namespace passdiff::tir
