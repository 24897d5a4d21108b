// The steps of reduction: each proposes smaller candidates made from a test case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/documents/case.h"
#include "passes/pass.h"

namespace passdiff {

// Which candidates are tried first.
enum class Order : std::uint8_t { backward, forward };

// A step offers `count(test)` candidates; `make(test, i)` is the i-th, or nothing if it does not apply.
struct ReduceStep {
  std::string_view name;
  std::size_t (*count)(const TestCase& test);
  std::optional<TestCase> (*make)(const TestCase& test, std::size_t i);
  Order order = Order::backward;
};

// A step that makes the same edit to any of `count(test)` parts of a case: `make(test, first, last)` edits
// the parts from first to before last, or is nothing if it applies to none of them. All parts are tried at
// once, then halves, quarters and so on, so that a case of which little matters shrinks in few checks.
struct RangeStep {
  std::string_view name;
  std::size_t (*count)(const TestCase& test);
  std::optional<TestCase> (*make)(const TestCase& test, std::size_t first, std::size_t last);
};

using ReduceSteps = std::span<const ReduceStep>;
using RangeSteps = std::span<const RangeStep>;
ReduceSteps whole_steps();      // trusted passes over the whole module; another function as the entry
RangeSteps cut_steps();         // bindings: cut_behind_step and cut_step
ReduceSteps structure_steps();  // functions, outputs, bindings, parameters, blocks, attributes
ReduceSteps tuple_steps();      // tuples lose fields, or become their fields
ReduceSteps function_steps();   // calls, and what the functions called take and return
ReduceSteps closure_steps();    // local functions
ReduceSteps nested_steps();     // branches, and the results of what is nested
RangeSteps operand_steps();     // operands that another variable can stand for
RangeSteps element_steps();     // the elements of tensors
ReduceSteps symbol_steps();     // symbolic dims, unknown shapes
ReduceSteps size_steps();       // sizes and ranks
ReduceSteps dtype_steps();      // float32 and int32 for all others
ReduceSteps attribute_steps();  // attributes of calls
RangeSteps prim_stmt_ranges();  // functions of TensorIR: statements
ReduceSteps prim_stmt_steps();
ReduceSteps prim_expr_steps();    // their expressions
RangeSteps prim_expr_ranges();    // arithmetic on literals in these
ReduceSteps prim_buffer_steps();  // the buffers that they allocate
ReduceSteps prim_param_steps();   // their parameters and attributes

// Removes bindings: those behind the bug, and those before it.
const RangeStep& cut_behind_step();
const RangeStep& cut_step();

// The case without the bindings behind this top one of a function, which becomes the tuple of the variables that it uses, and is the result.
std::optional<TestCase> with_operands_as_result(const TestCase& test, std::size_t binding, const std::string& function);

// The case with all sizes that are larger made `size`, or all but 0, or those that are 1; nothing if it cannot be.
enum class Sizes : std::uint8_t { larger, all, ones };
std::optional<TestCase> with_all_sizes(const TestCase& test, std::int64_t size, Sizes which);

// The case with all tensors a rank higher, by a first axis of `size`, but for conditions; nothing if it cannot be.
std::optional<TestCase> with_an_axis_more(const TestCase& test, std::int64_t size);

// Removes what nothing uses: bindings, parameters of the entry function, private functions. Nothing, where the entry is a function of
// TensorIR.
TestCase without_dead_parts(const TestCase& test);

// The pipelines in which one pass has an option less, or none at all.
std::vector<Pipeline> with_fewer_options(const Pipeline& pipeline);

// The case with plain names: that of its entry function, those of parameters, of bindings, of symbolic dims,
// of other functions.
enum class NameGroup : std::uint8_t { functions, params, bindings, symbols, loops };
inline constexpr NameGroup kNameGroups[] = {NameGroup::functions, NameGroup::params, NameGroup::bindings,
                                            NameGroup::symbols, NameGroup::loops};
TestCase with_plain_names(const TestCase& test, std::span<const NameGroup> groups);

}  // namespace passdiff
