// How results are brought back into their dtype after each op: the one place where values are rounded or wrapped.
// Whole tensors: round_floats and wrap_ints in tensor.h.
#pragma once

#include <cstdint>

#include "core/tensor/dtype.h"

namespace passdiff {

// faithful: to nearest even in the declared dtype. wide: floats keep the carrier's double precision (a float64 tensor
// is then the same as faithful). stochastic_*: an inexact result goes up or down at random, in the declared dtype or in
// the last bits of the carrier; exact results stay exact.
enum class RoundingMode : std::uint8_t { faithful, wide, stochastic_declared, stochastic_wide };

struct Rounding {
  RoundingMode mode = RoundingMode::faithful;
  std::uint64_t random_state = 0;  // advanced by each draw of the stochastic modes; same seed, same draws
};

// Nearest representable value, ties to even; overflow gives an infinity (IEEE 754, 4.3.1).
double round_to_float16(double value);
double round_to_bfloat16(double value);
double round_to_float32(double value);
std::uint16_t float16_bits(double value);   // of round_to_float16(value)
double float16_value(std::uint16_t bits);
std::uint16_t bfloat16_bits(double value);
double bfloat16_value(std::uint16_t bits);

// One float of `dtype` under `rounding`.
double round_float(DType dtype, double value, Rounding& rounding);
// Two's complement wrap into an integer dtype; bool: any non-zero is 1.
std::int64_t wrap_int(DType dtype, std::uint64_t value);
// Units in the last place of `dtype` at the magnitude of `value` (spacing to the next larger magnitude).
double ulp(DType dtype, double value);

}  // namespace passdiff
