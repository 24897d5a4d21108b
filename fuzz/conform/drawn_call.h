// One random call of an op, as a module whose main function makes it and returns what it gives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/documents/case.h"
#include "core/eval/outcome.h"
#include "core/ops/op.h"

namespace passdiff {

struct DrawnCall {
  const OpDef* op = nullptr;
  std::uint64_t index = 0;  // of the draw: with the seed and the op it determines the call
  TestCase test;
  ExprPtr call;                 // of `op`, with its type
  std::vector<Value> operands;  // the values of the call's operands
};

// Call `index` of the op under this seed. Nothing if the op's rule proposes none there, or one that does not
// type.
std::optional<DrawnCall> draw_call(const OpDef& op, std::uint64_t seed, std::uint64_t index);
// The call that the entry function of a test case consists of. Fails with conform.case if it does anything
// else.
Result<DrawnCall> call_in(const TestCase& test);
// The call with other operands or attributes, for its type alone: `operands` and `arguments` stay empty.
// Variables that occur in `args` become parameters, and so does a tensor of size `n` if no other mentions the
// symbolic dim n.
DrawnCall typed_call(const OpDef& op, ExprPtr call, std::vector<VDevice> vdevices);

// What the interpreter makes of the call.
Outcome evaluate(const DrawnCall& call);
// The result under another rounding, on other operands than its own. Undefined behaviour is not looked at.
Value evaluate(const DrawnCall& call, std::span<const Value> operands, const Rounding& rounding);

// The call in one line: `R.add(x0, x1)` with the types of its operands.
std::string to_string(const DrawnCall& call);
// The dtypes of the operands: "float32, int64"; without any, that of the result.
std::string dtypes_of(const DrawnCall& call);

}  // namespace passdiff
