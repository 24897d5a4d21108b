// Modules built anew, node by node: other variables and symbolic dims under other names, and, on demand, one
// small change that makes another module of it.
#pragma once

#include <cstddef>

#include "core/ir/module.h"

namespace passdiff {

// The same module with every bound variable and symbolic dim renamed.
Module renamed(const Module& module);
// The same module with the same names, but no node, variable or dim in common.
Module copied(const Module& module);

// The places where `with_change` can change something: an attribute, an element of a constant, an order of
// operands, a declared type, a flag, a binding.
std::size_t count_changes(const Module& module);
// Renamed too. Need not be well-formed.
Module with_change(const Module& module, std::size_t place);

}  // namespace passdiff
