#include "core/tensor/rounding.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "core/check.h"

namespace passdiff {
namespace {

constexpr int kDoubleMantissa = 52;
constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

// A binary floating-point format.
struct Format {
  int bits = 0;                     // of the whole number
  int mantissa = 0;                 // the explicit bits of the significand
  int min_exponent = 0;             // the exponent of the smallest normal number
  Specials specials = Specials::infinities;
  bool positive = false;            // without sign and zero
  std::uint64_t first_special = 0;  // the magnitude's bits from which on a number is infinite or NaN, or that it has no more
  double overflow = 0;              // what those bits would mean as a number: magnitudes that round to it become `beyond`
  double beyond = 0;                // infinity, NaN, or the largest number
};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

constexpr double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << kDoubleMantissa);
}

// What the bits of a magnitude mean as a number, were none of them special (IEEE 754, 3.4).
constexpr double number_of(const Format& format, std::uint64_t magnitude) {
  const std::uint64_t implicit = std::uint64_t{1} << format.mantissa;
  const auto biased = static_cast<int>(magnitude >> format.mantissa);
  const std::uint64_t mantissa = magnitude & (implicit - 1);
  const bool normal = biased > 0 || format.positive;
  const int exponent = format.min_exponent + (biased > 0 && !format.positive ? biased - 1 : biased);
  if (exponent > 1023) return kInfinity;
  return power_of_two(exponent - format.mantissa) * static_cast<double>(normal ? implicit + mantissa : mantissa);
}

constexpr Format format_of(const DTypeRow& row) {
  if (row.kind != DTypeKind::floating) return {};
  Format format{row.bits, row.mantissa, row.min_exponent, row.specials, row.positive};
  const std::uint64_t magnitudes = std::uint64_t{1} << (row.bits - (row.positive ? 0 : 1));
  switch (row.specials) {
    case Specials::infinities:
      format.first_special = magnitudes - (std::uint64_t{1} << row.mantissa);
      format.beyond = kInfinity;
      break;
    case Specials::last_is_nan:
      format.first_special = magnitudes - 1;
      format.beyond = kNaN;
      break;
    case Specials::minus_zero_is_nan:
      format.first_special = magnitudes;
      format.beyond = kNaN;
      break;
    case Specials::none:
      format.first_special = magnitudes;
      format.beyond = number_of(format, magnitudes - 1);
      break;
  }
  format.overflow = number_of(format, format.first_special);
  return format;
}
constexpr auto kFormats = [] {
  std::array<Format, kDTypes.size()> formats{};
  for (std::size_t i = 0; i < formats.size(); ++i) formats[i] = format_of(kDTypes[i]);
  return formats;
}();
constexpr const Format& format_of(DType dtype) {
  return kFormats[static_cast<std::size_t>(dtype)];
}

// The magnitude, once it is rounded, with the sign of `value`.
double finished(const Format& format, double magnitude, double value) {
  if (magnitude >= format.overflow) magnitude = format.beyond;
  if (magnitude == 0 && format.specials == Specials::minus_zero_is_nan) return 0;
  return std::copysign(magnitude, value);
}

// The nearest number of the format, ties to even (IEEE 754, 4.3.1). It is reached in one step from double: going through float32
// would round twice.
template <std::size_t row>
double round_to(double value) {
  constexpr Format format = kFormats[row];
  if constexpr (format.bits == 0 || format.bits == 64) {
    return value;
  } else if constexpr (kDTypes[row].dtype == DType::float32) {
    return round_to_float32(value);
  } else {
    constexpr double kLeast = power_of_two(format.min_exponent);
    const double magnitude = std::fabs(value);
    if (std::isnan(value)) return format.specials == Specials::none ? std::copysign(0.0, value) : value;
    if (format.positive && value <= 0) return kNaN;
    if (format.positive && value < kLeast) return kLeast;
    if (magnitude == kInfinity) return finished(format, magnitude, value);
    double rounded = 0;
    if (magnitude < kLeast) {
      // Adding 1.5 * 2^k leaves just the bits that a subnormal keeps: the sum's last place is the format's
      // smallest step.
      constexpr double kShift = 1.5 * power_of_two(format.min_exponent - format.mantissa + kDoubleMantissa);
      rounded = (magnitude + kShift) - kShift;
    } else {
      constexpr int kDropped = kDoubleMantissa - format.mantissa;
      constexpr std::uint64_t kHalf = std::uint64_t{1} << (kDropped - 1);
      std::uint64_t bits = std::bit_cast<std::uint64_t>(magnitude);
      const std::uint64_t odd = format.mantissa == 0 ? 1 : (bits >> kDropped) & 1;
      bits += kHalf - 1 + odd;  // a carry into the exponent gives the next power of two, as it should
      bits &= ~((std::uint64_t{1} << kDropped) - 1);
      rounded = std::bit_cast<double>(bits);
    }
    return finished(format, rounded, value);
  }
}

using Round = double (*)(double);
template <std::size_t... rows>
constexpr std::array<Round, sizeof...(rows)> rounds(std::index_sequence<rows...>) {
  return {&round_to<rows>...};
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
  constexpr std::uint64_t kInfiniteBits = std::bit_cast<std::uint64_t>(kInfinity);
  if ((magnitude & kCoarse) == 0 || magnitude < 8 || magnitude + 8 >= kInfiniteBits) return value;
  const std::uint64_t random = draw(rounding);
  const std::uint64_t step = 1 + ((random >> 1) & 3);
  const std::uint64_t moved = (random & 1) != 0 ? magnitude + step : magnitude - step;
  return std::bit_cast<double>(moved | (bits & kSignBit));
}

double round_randomly(DType dtype, double value, Rounding& rounding) {
  if (dtype == DType::float64) return perturb(value, rounding);
  const double rounded = round_to(dtype, value);
  if (rounded == value || std::isnan(value)) return rounded;
  const Format& format = format_of(dtype);
  const double magnitude = std::fabs(value);
  if (magnitude >= format.overflow || (format.positive && value < power_of_two(format.min_exponent))) return rounded;
  // Both neighbours are multiples of this step, also if the upper one is the next power of two.
  const double step = format_ulp(format, magnitude);
  const double below = std::floor(magnitude / step) * step;
  const double chosen = (draw(rounding) & 1) != 0 ? below + step : below;
  return finished(format, chosen, value);
}

// The bits of a finite magnitude of the format.
unsigned magnitude_bits(const Format& format, double magnitude) {
  if (magnitude < power_of_two(format.min_exponent))
    return static_cast<unsigned>(magnitude / power_of_two(format.min_exponent - format.mantissa));
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(magnitude);
  const auto mantissa =
      static_cast<unsigned>(bits >> (kDoubleMantissa - format.mantissa)) & ((1U << format.mantissa) - 1);
  const int biased = exponent_of(magnitude) - format.min_exponent + (format.positive ? 0 : 1);
  return static_cast<unsigned>(biased) << format.mantissa | mantissa;
}

// The bit of the sign; none for formats without one.
unsigned sign_bit(const Format& format) {
  return format.positive ? 0 : 1U << (format.bits - 1);
}

}  // namespace

double round_to(DType dtype, double value) {
  static constexpr std::array kRounds = rounds(std::make_index_sequence<kDTypes.size()>());
  return kRounds[static_cast<std::size_t>(dtype)](value);
}

double round_to_float32(double value) {
  return static_cast<double>(static_cast<float>(value));
}

std::uint16_t narrow_bits(DType dtype, double value) {
  const Format& format = format_of(dtype);
  const double rounded = round_to(dtype, value);
  const unsigned sign = std::signbit(rounded) ? sign_bit(format) : 0;
  if (std::isfinite(rounded)) return static_cast<std::uint16_t>(sign | magnitude_bits(format, std::fabs(rounded)));
  if (format.specials == Specials::minus_zero_is_nan) return static_cast<std::uint16_t>(sign_bit(format));
  const bool quiet = std::isnan(rounded) && format.specials == Specials::infinities;  // the NaN after the infinity
  return static_cast<std::uint16_t>(sign | format.first_special | (quiet ? 1U << (format.mantissa - 1) : 0));
}

double narrow_value(DType dtype, std::uint16_t bits) {
  const Format& format = format_of(dtype);
  const unsigned sign = bits & sign_bit(format);
  const unsigned magnitude = bits & ((1U << format.bits) - 1) & ~sign;
  const bool minus_zero = sign != 0 && magnitude == 0;
  double value = magnitude > format.first_special ? kNaN : number_of(format, magnitude);
  if (magnitude == format.first_special) value = format.beyond;
  if (minus_zero && format.specials == Specials::minus_zero_is_nan) value = kNaN;
  return sign != 0 ? -value : value;
}

std::uint64_t float_bits(DType dtype, double value) {
  switch (row_of(dtype).bits) {
    case 32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case 64:
      return std::bit_cast<std::uint64_t>(value);
    default:
      return narrow_bits(dtype, value);
  }
}

double float_of_bits(DType dtype, std::uint64_t bits) {
  switch (row_of(dtype).bits) {
    case 32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case 64:
      return std::bit_cast<double>(bits);
    default:
      return narrow_value(dtype, static_cast<std::uint16_t>(bits));
  }
}

double random_share(Rounding& rounding) {
  return static_cast<double>(draw(rounding) >> 11) * 0x1p-52 - 1;
}

bool is_stochastic(const Rounding& rounding) {
  return rounding.mode == RoundingMode::stochastic_declared || rounding.mode == RoundingMode::stochastic_wide;
}

bool is_faithful(const Rounding& rounding) {
  return rounding.mode == RoundingMode::faithful && !rounding.least && !rounding.most && !rounding.float32_as;
}

double library_error(DType dtype, double value, double ulps, Rounding& rounding) {
  if (!rounding.library_errors || !std::isfinite(value)) return 0;
  return random_share(rounding) * ulps * ulp(dtype, value);
}

DType kept_as(DType dtype, const Rounding& rounding) {
  if (rounding.float32_as && dtype == DType::float32) dtype = *rounding.float32_as;
  if (rounding.most && row_of(dtype).mantissa > row_of(*rounding.most).mantissa) dtype = *rounding.most;
  if (rounding.least && row_of(dtype).mantissa < row_of(*rounding.least).mantissa) dtype = *rounding.least;
  return dtype;
}

double round_float(DType dtype, double value, Rounding& rounding) {
  dtype = kept_as(dtype, rounding);
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
  if (!is_float(dtype)) return static_cast<double>(int_max(dtype));
  return number_of(format_of(dtype), format_of(dtype).first_special - 1);
}

double ulp(DType dtype, double value) {
  if (!is_float(dtype)) return 1;
  const double magnitude = std::fabs(value);
  if (!(magnitude < kInfinity)) return magnitude;
  if (dtype != DType::float64) return format_ulp(format_of(dtype), magnitude);
  return magnitude < 0x1p-1022 ? 0x1p-1074 : std::ldexp(1.0, exponent_of(magnitude) - kDoubleMantissa);
}

}  // namespace passdiff
