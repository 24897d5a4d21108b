// Tensors of the values at which implementations differ: full mantissas, both zeros, NaN, infinities,
// extremes.
#pragma once

#include <cstdint>
#include <span>

#include "core/choices/choices.h"
#include "core/choices/fill.h"
#include "core/tensor/tensor.h"

namespace passdiff {

// How far the elements of a drawn tensor may go.
enum class Reach : std::uint8_t {
  modest,   // of magnitude 16 at most, with full mantissas; NaN, infinities and zeros among them
  extreme,  // any magnitude that the dtype has, subnormal numbers too
};

// A tensor whose elements fit `spec`, as far as it asks for indices or booleans; divisors and positive
// numbers stay so but for odd floats (0, NaN, -1), of which every op must make something. About a third of
// the tensors are those of filled_tensor.
Tensor odd_tensor(Choices& choices, DType dtype, std::span<const std::int64_t> shape, const FillSpec& spec,
                  Reach reach);

}  // namespace passdiff
