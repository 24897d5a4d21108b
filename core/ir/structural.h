// Structural equality and hash, by Relax's rules: bound variables and symbolic variables may have different names
// (alpha-equivalence); names of global functions and the order of bindings count, the order of functions in the module does not.
#pragma once

#include <cstdint>

#include "core/ir/module.h"

namespace passdiff {

bool structural_equal(const Module& a, const Module& b);
bool structural_equal(const Function& a, const Function& b);
// Equal modules have equal hashes, on every machine.
std::uint64_t structural_hash(const Module& module);

}  // namespace passdiff
