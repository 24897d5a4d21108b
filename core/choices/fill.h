// Tensors filled from choices: with which elements, and whether a tensor could have been filled so.
#pragma once

#include <cstdint>
#include <span>

#include "core/choices/choices.h"
#include "core/tensor/tensor.h"

namespace passdiff {

// How the elements of a new tensor are chosen. Most are exact in every float dtype: small integers, halves, powers of two. In
// every fourth tensor of floats they have full mantissas instead, of the same magnitudes, so that narrowing shows.
enum class Fill : std::uint8_t {
  small,     // integers and halves around zero; for unsigned dtypes 0..7
  nonzero,   // small without zero: divisors
  positive,  // small and above zero: operands of log and sqrt
  indices,   // integers in [-limit, limit) or [0, limit): operands of take and gather
  booleans,
};
struct FillSpec {
  Fill fill = Fill::small;
  std::int64_t limit = 1;      // for indices
  bool allow_negative = true;  // for indices
  double magnitude = 0;        // largest absolute value (not for indices); 0: what is safe for the dtype
};

// Does every element of the tensor fit the spec? (what Scope::tensor asks of existing entries)
bool fits(const Tensor& tensor, const FillSpec& spec);
// A new tensor filled from the choices.
Tensor filled_tensor(Choices& choices, DType dtype, std::span<const std::int64_t> shape,
                     const FillSpec& spec);

}  // namespace passdiff
