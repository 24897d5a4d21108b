// Ordering bindings so that each comes after those that it needs.
#pragma once

#include <cstddef>
#include <vector>

#include "core/ir/module.h"
#include "core/ir/pointer_map.h"

namespace passdiff {

// The variable whose binding defines a symbolic dim, by the dim: a match_cast defines the dims of its type that no binding
// before it mentions.
PointerMap<Var> symbol_definitions(const std::vector<Binding>& bindings);
// needs[i][k]: binding i uses the variable of binding k, or a symbolic dim that k defines, itself or by way of other bindings.
// The bindings must be in order.
std::vector<std::vector<bool>> transitive_needs(const std::vector<Binding>& bindings);
// The bindings in an order in which each comes after those that it needs, and otherwise as given. Bindings that need each other
// come last. `symbols` is the result of symbol_definitions().
std::vector<Binding> put_in_order(std::vector<Binding> bindings, const PointerMap<Var>& symbols);

}  // namespace passdiff
