// Outcomes: how one execution ended.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/tensor/undefined.h"
#include "core/tensor/value.h"

namespace passdiff {

// A call that does something beside returning a value: of a function of the host, or R.print.
struct Effect {
  std::string function;          // "relax.run.print" for R.print, as LegalizeOps calls it
  std::vector<Value> arguments;  // without callables, which are the string "callable"
  // A call that the module promises to be pure (R.call_pure_packed): passes may drop, repeat and move it. It is recorded since
  // passes may turn it into a plain call, which makes no such promise.
  bool pure = false;
};

struct Returned {
  Value value;
  // Signed overflows, after which execution went on with wrapped values. Empty if the run was fully defined.
  std::vector<UndefinedRecord> overflows;
  // Some op made elements although an operand has none, as a sum over an axis of size 0 does. That is defined here; but TVM's
  // compiled code never enters the loop that would set them, and returns what the memory held.
  bool from_nothing = false;
  std::vector<Effect> effects = {};  // in the order in which they happened
  // What blocks of TensorIR declare and the run contradicts: regions that are left, domains of variables. Values do not depend on it,
  // but passes rely on it.
  std::vector<UndefinedRecord> contradictions = {};
  // About how many steps on single elements the run took, each of a few nanoseconds: it depends on the run alone, not on the machine.
  std::int64_t work = 0;
};
struct Undefined {
  std::vector<UndefinedRecord> records;  // the last one ended the execution
};
// The code of a call that hands a value to a parameter of another type.
inline constexpr std::string_view kRefusedArgument = "trap.argument";
// A failed match_cast or assertion: defined behaviour that ends the program.
struct Trapped {
  std::string code;  // "trap.match-cast", "trap.arity", kRefusedArgument
  std::string message;
};
inline Trapped refused_argument(std::string message) {
  return {std::string(kRefusedArgument), std::move(message)};
}
// The run crossed one of its limits.
struct LimitExceeded {
  std::string what;  // "steps", "elements", "memory", "depth"
};
// The module holds something that this interpreter cannot execute (an op on memory).
struct Unsupported {
  std::string what;
};
// A value does not have the type that its variable declares: the module is wrong. Generated modules never end so.
struct WrongType {
  std::string binding;
  std::string message;
};

using Outcome = std::variant<Returned, Undefined, Trapped, LimitExceeded, Unsupported, WrongType>;

std::string_view outcome_name(const Outcome& outcome);  // "returned", "undefined", ...
std::string to_string(const Outcome& outcome);

}  // namespace passdiff
