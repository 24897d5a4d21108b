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
  int mantissa;      // the explicit bits of the significand
  int min_exponent;  // the exponent of the smallest normal number
  double overflow;   // 2^(largest exponent + 1): magnitudes that round to it become infinite
};
constexpr double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << kDoubleMantissa);
}

// The exponents of an IEEE 754 format lie symmetrically: the largest is 1 - min_exponent (3.3).
constexpr Format format_of(DType dtype) {
  const DTypeRow& row = row_of(dtype);
  return {row.mantissa, row.min_exponent, power_of_two(2 - row.min_exponent)};
}
constexpr Format kFloat16 = format_of(DType::float16);
constexpr Format kBFloat16 = format_of(DType::bfloat16);

// The nearest number of the format, ties to even (IEEE 754, 4.3.1). It is reached in one step from double: going through float32
// would round twice.
template <Format format>
double round_to(double value) {
  const double magnitude = std::fabs(value);
  if (!(magnitude < std::numeric_limits<double>::infinity())) return value;
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
    if (rounded >= format.overflow) rounded = std::numeric_limits<double>::infinity();
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

double nearest(DType dtype, double value) {
  switch (dtype) {
    case DType::float16:
      return round_to_float16(value);
    case DType::bfloat16:
      return round_to_bfloat16(value);
    case DType::float32:
      return round_to_float32(value);
    default:
      return value;
  }
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
  const double rounded = nearest(dtype, value);
  if (rounded == value || std::isnan(value)) return rounded;
  const Format format = format_of(dtype);
  const double magnitude = std::fabs(value);
  if (magnitude >= format.overflow) return rounded;
  // Both neighbours are multiples of this step, also if the upper one is the next power of two.
  const double step = format_ulp(format, magnitude);
  const double below = std::floor(magnitude / step) * step;
  const double chosen = (draw(rounding) & 1) != 0 ? below + step : below;
  return std::copysign(chosen >= format.overflow ? std::numeric_limits<double>::infinity() : chosen, value);
}

// The bits of a value that is rounded to the format already; `infinity` are those of the format's infinity.
std::uint16_t narrow_bits(const Format& format, double rounded, std::uint16_t infinity) {
  const std::uint16_t sign = std::signbit(rounded) ? 0x8000 : 0;
  const double magnitude = std::fabs(rounded);
  if (std::isnan(rounded)) return static_cast<std::uint16_t>(sign | infinity | 1U << (format.mantissa - 1));
  if (std::isinf(rounded)) return static_cast<std::uint16_t>(sign | infinity);
  if (magnitude < power_of_two(format.min_exponent)) {
    const double steps = magnitude / power_of_two(format.min_exponent - format.mantissa);
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(steps));
  }
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(magnitude);
  const auto mantissa = static_cast<std::uint16_t>((bits >> (kDoubleMantissa - format.mantissa)) &
                                                   ((std::uint64_t{1} << format.mantissa) - 1));
  const int biased = exponent_of(magnitude) - format.min_exponent + 1;
  return static_cast<std::uint16_t>(sign | biased << format.mantissa | mantissa);
}

double narrow_value(const Format& format, std::uint16_t bits, std::uint16_t infinity) {
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  const std::uint16_t magnitude = bits & 0x7FFF;
  if (magnitude > infinity) return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  if (magnitude == infinity) return std::copysign(std::numeric_limits<double>::infinity(), sign);
  const int biased = magnitude >> format.mantissa;
  const int mantissa = magnitude & ((1 << format.mantissa) - 1);
  const double step = power_of_two(format.min_exponent - format.mantissa + (biased == 0 ? 0 : biased - 1));
  return sign * step * (biased == 0 ? mantissa : mantissa + (1 << format.mantissa));
}

constexpr std::uint16_t kFloat16Infinity = 0x7C00;
constexpr std::uint16_t kBFloat16Infinity = 0x7F80;

}  // namespace

double round_to_float16(double value) {
  return round_to<kFloat16>(value);
}
double round_to_bfloat16(double value) {
  return round_to<kBFloat16>(value);
}
double round_to_float32(double value) {
  return static_cast<double>(static_cast<float>(value));
}

std::uint16_t float16_bits(double value) {
  return narrow_bits(kFloat16, round_to_float16(value), kFloat16Infinity);
}
double float16_value(std::uint16_t bits) {
  return narrow_value(kFloat16, bits, kFloat16Infinity);
}
std::uint16_t bfloat16_bits(double value) {
  return narrow_bits(kBFloat16, round_to_bfloat16(value), kBFloat16Infinity);
}
double bfloat16_value(std::uint16_t bits) {
  return narrow_value(kBFloat16, bits, kBFloat16Infinity);
}

double round_float(DType dtype, double value, Rounding& rounding) {
  switch (rounding.mode) {
    case RoundingMode::faithful:
      return nearest(dtype, value);
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

double ulp(DType dtype, double value) {
  if (!is_float(dtype)) return 1;
  const double magnitude = std::fabs(value);
  if (!(magnitude < std::numeric_limits<double>::infinity())) return magnitude;
  if (dtype != DType::float64) return format_ulp(format_of(dtype), magnitude);
  return magnitude < 0x1p-1022 ? 0x1p-1074 : std::ldexp(1.0, exponent_of(magnitude) - kDoubleMantissa);
}

}  // namespace passdiff
