// Rounding and wrapping of single numbers: how results are brought back into their dtype after each op. For whole tensors
// tensor.h has round_floats and wrap_ints.
#pragma once

#include <cstdint>
#include <optional>

#include "core/tensor/dtype.h"

namespace passdiff {

// faithful: to nearest even in the declared dtype. wide: floats keep the double precision that they are stored in (for a float64
// tensor the same as faithful). stochastic_*: an inexact result goes up or down at random, in the declared dtype or in the last
// bits of the double; exact results stay exact.
enum class RoundingMode : std::uint8_t { faithful, wide, stochastic_declared, stochastic_wide };

struct Rounding {
  RoundingMode mode = RoundingMode::faithful;
  std::uint64_t random_state = 0;  // advanced by each draw of the stochastic modes; same seed, same draws
  // Floats of fewer digits than this dtype has are rounded as if they were of it: what the program would compute had nothing
  // in it been made narrower.
  std::optional<DType> least = std::nullopt;
  // Floats of more digits than this dtype has are rounded as if they were of it: what the program would compute if it were only about right.
  std::optional<DType> most = std::nullopt;
  // What float32 is rounded as, instead: what a pass may make of the program that lowers its precision.
  std::optional<DType> float32_as = std::nullopt;
  // Whether steps within an op are moved at random by as much as compiled code may be off there (library_error).
  bool library_errors = false;
};

// The nearest value of a float dtype, ties to even; overflow gives an infinity (IEEE 754, 4.3.1), or what the row's Specials say,
// as numpy's ml_dtypes have it. Where all numbers are powers of two, whose significands are odd, ties go up. Without zero,
// positive numbers become no less than the least one, all others NaN. TVM 0.27 rounds to float8_e4m3fn and float8_e5m2 likewise,
// but casts zeros, subnormals, infinities and NaN of them to other numbers: 0 to 2^-7 from float8_e4m3fn to float32.
double round_to(DType dtype, double value);
double round_to_float32(double value);
// Conversions between a float of at most 16 bits and its bits. What is no number of the dtype is rounded first.
std::uint16_t narrow_bits(DType dtype, double value);
double narrow_value(DType dtype, std::uint16_t bits);
// The same for any float dtype.
std::uint64_t float_bits(DType dtype, double value);
double float_of_bits(DType dtype, std::uint64_t bits);

// The dtype in whose digits floats of `dtype` are kept: another where `least`, `most` or `float32_as` say so.
DType kept_as(DType dtype, const Rounding& rounding);
// The value as a float of `dtype`, rounded as `rounding` says.
double round_float(DType dtype, double value, Rounding& rounding);
// A number from [-1, 1], drawn from the rounding's random state.
double random_share(Rounding& rounding);
// Whether the mode draws at random.
bool is_stochastic(const Rounding& rounding);
// Whether each float is rounded to its declared dtype.
bool is_faithful(const Rounding& rounding);
// How far a step with this result may be off in compiled code, drawn anew: up to so many units in the last place of
// `dtype`, up or down. Nothing if the number is infinite or NaN, or the rounding asks for no library errors.
double library_error(DType dtype, double value, double ulps, Rounding& rounding);
// The value wrapped into an integer dtype in two's complement; as a bool, any non-zero value is 1.
std::int64_t wrap_int(DType dtype, std::uint64_t value);
// The largest finite number of a dtype.
double largest_finite(DType dtype);
// The unit in the last place of `dtype` at the magnitude of `value`: the distance to the next larger magnitude.
double ulp(DType dtype, double value);

}  // namespace passdiff
