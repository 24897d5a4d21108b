// Structural equality and hash, by Relax's rules: bound variables and symbolic variables may have different names
// (alpha-equivalence); names of global functions and the order of bindings count, the order of functions in the module does not.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "core/ir/module.h"

namespace passdiff {

bool structural_equal(const Module& a, const Module& b);
bool structural_equal(const Function& a, const Function& b);
// Equal modules have equal hashes, on every machine.
std::uint64_t structural_hash(const Module& module);

// Hashes of modules that share functions, as those do that passes make of one source: a function is looked at once.
class StructuralHashes {
 public:
  // Equal modules have equal hashes. They are others than structural_hash's.
  std::uint64_t of(const Module& module);

 private:
  std::unordered_map<std::shared_ptr<const void>, std::uint64_t> functions_;  // by function, which is kept so that no other takes its address
};

}  // namespace passdiff
