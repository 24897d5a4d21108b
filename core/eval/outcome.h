// What one execution did.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/tensor/undefined.h"
#include "core/tensor/value.h"

namespace passdiff {

struct Returned {
  Value value;
  // Signed overflows only: execution went on with wrapped values. Empty for a fully defined run.
  std::vector<UndefinedRecord> overflows;
  // Some op made elements though an operand has none, as a sum over an axis of size 0 does. Defined; but TVM's compiled
  // code never enters the loop that would set them, and returns what memory held.
  bool from_nothing = false;
};
struct Undefined {
  std::vector<UndefinedRecord> records;  // the last one ended the execution
};
// A failed match_cast or assertion: defined behaviour that ends the program.
struct Trapped {
  std::string code;  // "trap.match-cast", "trap.arity"
  std::string message;
};
// A cap on steps, elements or memory was crossed.
struct LimitExceeded {
  std::string what;  // "steps", "elements", "memory", "depth"
};
// The module holds something that this interpreter cannot execute (an unknown extern function).
struct Unsupported {
  std::string what;
};
// A value does not have the type that its variable declares: the module lies. Never happens on what we
// generate.
struct WrongType {
  std::string binding;
  std::string message;
};

using Outcome = std::variant<Returned, Undefined, Trapped, LimitExceeded, Unsupported, WrongType>;

std::string_view outcome_name(const Outcome& outcome);  // "returned", "undefined", ...
std::string to_string(const Outcome& outcome);

}  // namespace passdiff
