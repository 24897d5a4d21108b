// Copies of modules, node by node, with new variables and symbolic dims, under other names or with one small change that makes
// a different module of it.
#pragma once

#include <cstddef>

#include "core/ir/module.h"

namespace passdiff {

// The same module with every bound variable and symbolic dim renamed.
Module renamed(const Module& module);
// The same module with the same names, but no node, variable or dim in common.
Module copied(const Module& module);

// The number of places where with_change() can change something: an attribute, an element of a constant, the order of
// operands, a declared type, a flag, a binding.
std::size_t count_changes(const Module& module);
// The renamed module with one change at the place of this number. It need not be well-formed.
Module with_change(const Module& module, std::size_t place);

}  // namespace passdiff
