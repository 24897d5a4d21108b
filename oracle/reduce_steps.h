// The steps of reduction: each proposes smaller candidates made from a test case.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/documents/case.h"

namespace passdiff {

// A step offers `count(test)` candidates; `make(test, i)` is the i-th, or nothing if it does not apply. Some
// candidates carry several edits at once (chunks), so that large cases shrink in few checks.
struct ReduceStep {
  std::string_view name;
  std::size_t (*count)(const TestCase& test);
  std::optional<TestCase> (*make)(const TestCase& test, std::size_t i);
};

std::span<const ReduceStep>
structure_steps();                             // functions, outputs, bindings, parameters, blocks, attributes
std::span<const ReduceStep> function_steps();  // calls, and what the functions called take and return
std::span<const ReduceStep> nested_steps();    // bindings of branches, local functions and other functions
std::span<const ReduceStep> value_steps();     // dims, dtypes, elements

// Removes what nothing uses: bindings, parameters of the entry function, private functions.
TestCase without_dead_parts(const TestCase& test);

}  // namespace passdiff
