// The order of bindings by what they need from each other.
#pragma once

#include <cstddef>
#include <vector>

#include "core/ir/module.h"
#include "core/ir/pointer_map.h"

namespace passdiff {

// The bindings' variables that define symbolic dims, by the dim. A match_cast defines those that nothing
// before it mentions.
PointerMap<Var> symbol_definitions(const std::vector<Binding>& bindings);
// needs[i][k]: binding i uses the variable of k or a symbolic dim that it defines, maybe by way of others.
// For bindings that come after what they need.
std::vector<std::vector<bool>> transitive_needs(const std::vector<Binding>& bindings);
// The same bindings, each as early as it stands in the list but after what it needs. Those that need each
// other come last.
std::vector<Binding> put_in_order(std::vector<Binding> bindings, const PointerMap<Var>& symbols);

}  // namespace passdiff
