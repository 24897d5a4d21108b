// What a run may take before it is ended.
#pragma once

#include <cstdint>
#include <span>

#include "core/eval/outcome.h"
#include "core/ir/module.h"

namespace passdiff {

struct Limits {
  std::int64_t steps = 1'000'000;         // bindings and calls evaluated
  std::int64_t elements = 1 << 22;        // in one result
  std::int64_t total_elements = 1 << 26;  // in all results of the run
  int depth = 200;                        // calls inside of each other
  bool operator==(const Limits&) const = default;
};
// How many statements of TensorIR, iterations of loops among them, count as one of `Limits::steps`.
inline constexpr std::int64_t kStatementsPerStep = 100;

// The limits of modules like real models: the usual ones, or what the module's own types and loops declare and sizes like those of the
// arguments lead to, where that is more. Up to some 2^28 elements in a result, 2^29 in all and 6 * 10^8 statements: a module that declares
// more gets the usual limit.
Limits limits_of(const Module& module, std::span<const Value> arguments);

}  // namespace passdiff
