#include "core/tensor/rounding.h"

#include <bit>
#include <cmath>
#include <limits>

#include "core/check.h"

namespace passdiff {
namespace {

constexpr int kDoubleMantissa = 52;
constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

// A binary floating-point format that is narrower than double.
struct Format {
  int bits;          // of the whole number
  int mantissa;      // the explicit bits of the significand
  int min_exponent;  // the exponent of the smallest normal number
  double overflow;   // what would follow the largest number: magnitudes that round to it become `beyond`
  double beyond;     // infinity or NaN
};
constexpr double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << kDoubleMantissa);
}

// The exponents of an IEEE 754 format lie symmetrically: the largest is 1 - min_exponent (3.3). Without infinities there is one
// more, whose last number is NaN.
constexpr Format format_of(DType dtype) {
  const DTypeRow& row = row_of(dtype);
  const double top = power_of_two(2 - row.min_exponent);
  if (!row.finite_only)
    return {row.bits, row.mantissa, row.min_exponent, top, std::numeric_limits<double>::infinity()};
  const double last = top * (2 - power_of_two(-row.mantissa));
  return {row.bits, row.mantissa, row.min_exponent, last, std::numeric_limits<double>::quiet_NaN()};
}

// The nearest number of the format, ties to even (IEEE 754, 4.3.1). It is reached in one step from double: going through float32
// would round twice.
template <DType dtype>
double round_to(double value) {
  constexpr Format format = format_of(dtype);
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return value;
  if (magnitude == std::numeric_limits<double>::infinity()) return std::copysign(format.beyond, value);
  double rounded = 0;
  if (magnitude < power_of_two(format.min_exponent)) {
    // Adding 1.5 * 2^k leaves just the bits that a subnormal keeps: the sum's last place is the format's
    // smallest step.
    constexpr double kShift = 1.5 * power_of_two(format.min_exponent - format.mantissa + kDoubleMantissa);
    rounded = (magnitude + kShift) - kShift;
  } else {
    constexpr int kDropped = kDoubleMantissa - format.mantissa;
    constexpr std::uint64_t kHalf = std::uint64_t{1} << (kDropped - 1);
    std::uint64_t bits = std::bit_cast<std::uint64_t>(magnitude);
    bits += kHalf - 1 + ((bits >> kDropped) & 1);  // a carry into the exponent gives the next power of two, as it should
    bits &= ~((std::uint64_t{1} << kDropped) - 1);
    rounded = std::bit_cast<double>(bits);
    if (rounded >= format.overflow) rounded = format.beyond;
  }
  return std::copysign(rounded, value);
}

// The exponent of a normal number.
int exponent_of(double magnitude) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(magnitude) >> kDoubleMantissa) - 1023;
}

double format_ulp(const Format& format, double magnitude) {
  const int exponent =
      magnitude < power_of_two(format.min_exponent) ? format.min_exponent : exponent_of(magnitude);
  return power_of_two(exponent - format.mantissa);
}

// The next random number, by splitmix64 (Steele, Lea, Flood 2014): its state is a counter, so that any seed will do.
std::uint64_t draw(Rounding& rounding) {
  std::uint64_t z = rounding.random_state += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// Moves a double by up to four units in the last place, if it was rounded. A double does not say whether it was; one with few
// significant bits hardly was, so that parameters of narrow dtypes, small integers and their sums stay as they are.
double perturb(double value, Rounding& rounding) {
  constexpr std::uint64_t kCoarse = (std::uint64_t{1} << 27) - 1;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = bits & ~kSignBit;
  constexpr std::uint64_t kInfinity = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());
  if ((magnitude & kCoarse) == 0 || magnitude < 8 || magnitude + 8 >= kInfinity) return value;
  const std::uint64_t random = draw(rounding);
  const std::uint64_t step = 1 + ((random >> 1) & 3);
  const std::uint64_t moved = (random & 1) != 0 ? magnitude + step : magnitude - step;
  return std::bit_cast<double>(moved | (bits & kSignBit));
}

double round_randomly(DType dtype, double value, Rounding& rounding) {
  if (dtype == DType::float64) return perturb(value, rounding);
  const double rounded = round_to(dtype, value);
  if (rounded == value || std::isnan(value)) return rounded;
  const Format format = format_of(dtype);
  const double magnitude = std::fabs(value);
  if (magnitude >= format.overflow) return rounded;
  // Both neighbours are multiples of this step, also if the upper one is the next power of two.
  const double step = format_ulp(format, magnitude);
  const double below = std::floor(magnitude / step) * step;
  const double chosen = (draw(rounding) & 1) != 0 ? below + step : below;
  return std::copysign(chosen >= format.overflow ? format.beyond : chosen, value);
}

// The magnitude's bits from which on a number is infinite or NaN.
unsigned first_special(const Format& format) {
  const unsigned magnitudes = 1U << (format.bits - 1);
  return std::isnan(format.beyond) ? magnitudes - 1 : magnitudes - (1U << format.mantissa);
}

// The bits of a finite magnitude of the format.
unsigned magnitude_bits(const Format& format, double magnitude) {
  if (magnitude < power_of_two(format.min_exponent))
    return static_cast<unsigned>(magnitude / power_of_two(format.min_exponent - format.mantissa));
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(magnitude);
  const auto mantissa =
      static_cast<unsigned>(bits >> (kDoubleMantissa - format.mantissa)) & ((1U << format.mantissa) - 1);
  return static_cast<unsigned>(exponent_of(magnitude) - format.min_exponent + 1) << format.mantissa |
         mantissa;
}

}  // namespace

double round_to(DType dtype, double value) {
  switch (dtype) {
    case DType::float8_e4m3fn:
      return round_to<DType::float8_e4m3fn>(value);
    case DType::float8_e5m2:
      return round_to<DType::float8_e5m2>(value);
    case DType::float16:
      return round_to<DType::float16>(value);
    case DType::bfloat16:
      return round_to<DType::bfloat16>(value);
    case DType::float32:
      return round_to_float32(value);
    default:
      return value;
  }
}

double round_to_float32(double value) {
  return static_cast<double>(static_cast<float>(value));
}

std::uint16_t narrow_bits(DType dtype, double value) {
  const Format format = format_of(dtype);
  const double rounded = round_to(dtype, value);
  const unsigned sign = std::signbit(rounded) ? 1U << (format.bits - 1) : 0;
  const unsigned special = first_special(format);
  const bool quiet = std::isnan(rounded) && !std::isnan(format.beyond);  // the NaN after the infinity
  const unsigned magnitude = std::isfinite(rounded) ? magnitude_bits(format, std::fabs(rounded))
                                                    : special | (quiet ? 1U << (format.mantissa - 1) : 0);
  return static_cast<std::uint16_t>(sign | magnitude);
}

double narrow_value(DType dtype, std::uint16_t bits) {
  const Format format = format_of(dtype);
  const unsigned sign_bit = 1U << (format.bits - 1);
  const double sign = (bits & sign_bit) != 0 ? -1.0 : 1.0;
  const unsigned magnitude = bits & (sign_bit - 1);
  if (magnitude > first_special(format)) return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  if (magnitude == first_special(format)) return std::copysign(format.beyond, sign);
  const int biased = static_cast<int>(magnitude >> format.mantissa);
  const unsigned mantissa = magnitude & ((1U << format.mantissa) - 1);
  const double step = power_of_two(format.min_exponent - format.mantissa + (biased == 0 ? 0 : biased - 1));
  return sign * step * (biased == 0 ? mantissa : mantissa + (1U << format.mantissa));
}

double random_share(Rounding& rounding) {
  return static_cast<double>(draw(rounding) >> 11) * 0x1p-52 - 1;
}

bool is_stochastic(const Rounding& rounding) {
  return rounding.mode == RoundingMode::stochastic_declared || rounding.mode == RoundingMode::stochastic_wide;
}

double library_error(DType dtype, double value, double ulps, Rounding& rounding) {
  if (!rounding.library_errors || !std::isfinite(value)) return 0;
  return random_share(rounding) * ulps * ulp(dtype, value);
}

double round_float(DType dtype, double value, Rounding& rounding) {
  if (rounding.float32_as && dtype == DType::float32) dtype = *rounding.float32_as;
  if (rounding.least && row_of(dtype).mantissa < row_of(*rounding.least).mantissa) dtype = *rounding.least;
  switch (rounding.mode) {
    case RoundingMode::faithful:
      return round_to(dtype, value);
    case RoundingMode::wide:
      return value;
    case RoundingMode::stochastic_declared:
      return round_randomly(dtype, value, rounding);
    case RoundingMode::stochastic_wide:
      return perturb(value, rounding);
  }
  return value;
}

std::int64_t wrap_int(DType dtype, std::uint64_t value) {
  if (dtype == DType::boolean) return value != 0 ? 1 : 0;
  // Moves the low bits to the top of the word and back down: an arithmetic shift extends the sign, a logical one zero.
  const int unused = 64 - row_of(dtype).bits;
  const std::uint64_t high = value << unused;
  return is_signed_int(dtype) ? static_cast<std::int64_t>(high) >> unused : static_cast<std::int64_t>(high >> unused);
}

double largest_finite(DType dtype) {
  const DTypeRow& row = row_of(dtype);
  // Without infinities the exponent that they would have holds numbers, but for the last one.
  const int exponent = 1 - row.min_exponent + (row.finite_only ? 1 : 0);
  return std::ldexp(2 - std::ldexp(row.finite_only ? 2.0 : 1.0, -row.mantissa), exponent);
}

double ulp(DType dtype, double value) {
  if (!is_float(dtype)) return 1;
  const double magnitude = std::fabs(value);
  if (!(magnitude < std::numeric_limits<double>::infinity())) return magnitude;
  if (dtype != DType::float64) return format_ulp(format_of(dtype), magnitude);
  return magnitude < 0x1p-1022 ? 0x1p-1074 : std::ldexp(1.0, exponent_of(magnitude) - kDoubleMantissa);
}

}  // namespace passdiff
