// The intrinsics of TensorIR that are functions of numbers.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/ops/steps.h"

namespace passdiff::tir {

// One row: what the intrinsic computes of floats, of integers, or of floats with a bool as its result. The others are null. Results
// of floats are rounded by the caller; `rounded` ends each step before the last.
struct ScalarFunction {
  std::string_view name;  // TVM's, without its prefix
  int arity = 1;
  double (*unary)(double x, const Steps& rounded) = nullptr;
  double (*binary)(double x, double y) = nullptr;
  double (*ternary)(double x, double y, double z) = nullptr;
  std::int64_t (*test)(double x) = nullptr;
  // Of integers, whose bits stand in the low `bits` of the words; the result is wrapped by the caller.
  std::uint64_t (*ints)(std::uint64_t x, std::uint64_t y, int bits) = nullptr;
  // Accuracy that TVM's code owes, in units in the last place of the dtype; as in OpDef::ulps.
  double ulps = 0;
};

// The row, or null. Source: src/target/llvm/intrin_rule_llvm.cc and src/target/intrin_rule.cc say what code the names become.
const ScalarFunction* find_scalar_function(std::string_view name);

}  // namespace passdiff::tir
