// Parts of the family of reductions: what its files share, and the rows of each.
#pragma once

#include <optional>
#include <vector>

#include "core/ops/op.h"
#include "core/ops/operand.h"

namespace passdiff {

std::span<const OpDef> fold_rows();  // sum mean max min prod
std::span<const OpDef> arg_rows();   // argmax argmin
std::span<const OpDef> scan_rows();  // cumsum

// The type of a reduction over `axes` (null: all). Fails with type.axis, type.repeated-axis.
Result<Type> infer_reduction(const TensorType& data, const std::vector<std::int64_t>* axes, bool keepdims,
                             std::optional<DType> dtype);

// A reduction at run time: which element of the result each element of the operand goes to.
struct Reduction {
  std::vector<std::int64_t> shape;  // of the result
  std::vector<std::size_t> slots;   // by element of the operand, row-major
  std::size_t results = 0;
  std::int64_t count = 1;  // operands of each result

  bool is_empty() const { return count == 0 && results > 0; }
};
// Nothing if an axis does not exist (possible only where the rank was unknown).
std::optional<Reduction> reduction_of(std::span<const std::int64_t> dims,
                                      const std::vector<std::int64_t>* axes, bool keepdims);

// Of max, min, argmax, argmin over no elements: TVM's loop never runs, and with it not its initialisation.
void report_empty(std::string_view op, EvalContext& context);

// Elements that a reduction of these dims over these axes combines into one.
std::int64_t reduced_count(const Drawn& operand, const std::vector<std::int64_t>* axes);

}  // namespace passdiff
