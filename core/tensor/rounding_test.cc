#include "core/tensor/rounding.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <set>

namespace passdiff {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

struct Narrow {
  DType dtype;
  std::uint16_t beyond;  // the bits of the infinity, or of NaN where there is none
  int sign_bit = 15;

  double round(double value) const { return round_to(dtype, value); }
  std::uint16_t bits(double value) const { return narrow_bits(dtype, value); }
  double value(unsigned bits) const { return narrow_value(dtype, static_cast<std::uint16_t>(bits)); }
};
constexpr Narrow kFormats[] = {{DType::float16, 0x7C00},
                               {DType::bfloat16, 0x7F80},
                               {DType::float8_e5m2, 0x7C, 7},
                               {DType::float8_e4m3fn, 0x7F, 7}};

// The bits of a float are its sign and its magnitude, and magnitudes are ordered as their bits are. So the nearest value is
// found by comparing neighbours, without the arithmetic under test.
TEST(Narrow, RoundsToTheNearestNeighbourAndTiesToEvenForAllPatterns) {
  for (const Narrow& format : kFormats) {
    // The number that would follow the largest one, if the format had it.
    const double top = 2 * format.value(format.beyond - 1U) - format.value(format.beyond - 2U);
    for (unsigned bits = 0; bits < format.beyond; ++bits) {
      const double low = format.value(bits);
      const double high = format.value(bits + 1);
      const double finite_high = bits + 1 == format.beyond ? top : high;
      const double middle = low + (finite_high - low) / 2;
      ASSERT_LT(low, finite_high);
      ASSERT_TRUE(same(format.round(low), low)) << bits;
      ASSERT_TRUE(same(format.round(-low), -low)) << bits;
      ASSERT_TRUE(same(format.round(middle), bits % 2 == 0 ? low : high)) << bits;
      // One unit in the last place of a double beside the tie decides; rounding through float32 would lose it.
      ASSERT_TRUE(same(format.round(std::nextafter(middle, 0)), low)) << bits;
      ASSERT_TRUE(same(format.round(std::nextafter(middle, kInfinity)), high)) << bits;
      ASSERT_TRUE(same(format.round(-std::nextafter(middle, kInfinity)), -high)) << bits;
    }
  }
}

TEST(Narrow, BitsAndValuesAreInverseForAllPatterns) {
  for (const Narrow& format : kFormats) {
    const unsigned sign = 1U << format.sign_bit;
    for (unsigned bits = 0; bits < 2 * sign; ++bits) {
      const double value = format.value(bits);
      if (const unsigned magnitude = bits & (sign - 1); std::isnan(value)) {
        ASSERT_GE(magnitude, format.beyond) << bits;
        ASSERT_TRUE(std::isnan(format.value(format.bits(value)))) << bits;
      } else {
        ASSERT_LE(magnitude, format.beyond) << bits;
        ASSERT_EQ(format.bits(value), bits);
      }
    }
  }
}

TEST(Narrow, AgreesWithTheCompilersFloat16ForAllPatterns) {
  for (int pattern = 0; pattern <= 0xFFFF; ++pattern) {
    const auto bits = static_cast<std::uint16_t>(pattern);
    ASSERT_TRUE(same(narrow_value(DType::float16, bits), static_cast<double>(std::bit_cast<_Float16>(bits))))
        << bits;
  }
  // bfloat16 is the upper half of a float32.
  for (int pattern = 0; pattern <= 0xFFFF; ++pattern) {
    const auto bits = static_cast<std::uint32_t>(pattern) << 16;
    const double value = narrow_value(DType::bfloat16, static_cast<std::uint16_t>(pattern));
    ASSERT_TRUE(same(value, std::bit_cast<float>(bits))) << pattern;
  }
}

// The OCP 8-bit floating point specification, section 5: E4M3 has a bias of 7 and NaN at S.1111.111 alone, E5M2 is as IEEE 754
// has it with a bias of 15.
TEST(Narrow, EightBitFloatsHaveTheValuesOfTheirSpecification) {
  const auto specified = [](unsigned bits, int mantissa_bits, int bias) {
    const auto exponent = static_cast<int>(bits >> mantissa_bits);
    const double fraction = std::ldexp(bits & ((1U << mantissa_bits) - 1), -mantissa_bits);
    return exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
  };
  const auto is = [](DType dtype, unsigned bits, double value) {
    return same(narrow_value(dtype, static_cast<std::uint16_t>(bits)), value) &&
           same(narrow_value(dtype, static_cast<std::uint16_t>(bits | 0x80)), -value);
  };
  for (unsigned bits = 0; bits < 0x80; ++bits) {
    EXPECT_TRUE(is(DType::float8_e4m3fn, bits, bits == 0x7F ? kNaN : specified(bits, 3, 7))) << bits;
    const double special = bits == 0x7C ? kInfinity : kNaN;
    EXPECT_TRUE(is(DType::float8_e5m2, bits, bits >= 0x7C ? special : specified(bits, 2, 15))) << bits;
  }
  EXPECT_EQ(round_to(DType::float8_e4m3fn, 464), 448);
  EXPECT_TRUE(std::isnan(round_to(DType::float8_e4m3fn, 464.001)));
  EXPECT_TRUE(std::isnan(round_to(DType::float8_e4m3fn, -kInfinity)));
  EXPECT_EQ(narrow_bits(DType::float8_e4m3fn, -1e9), 0xFF);
  EXPECT_EQ(round_to(DType::float8_e5m2, 61439), 57344);
  EXPECT_EQ(round_to(DType::float8_e5m2, -61440), -kInfinity);
}

TEST(Rounding, OverflowsToInfinityFromHalfAStepPastTheLargest) {
  EXPECT_EQ(round_to(DType::float16, 65519.999), 65504);
  EXPECT_EQ(round_to(DType::float16, 65520), kInfinity);
  EXPECT_EQ(round_to(DType::float16, -1e300), -kInfinity);
  EXPECT_EQ(round_to(DType::bfloat16, std::numeric_limits<float>::max()), kInfinity);
  EXPECT_EQ(round_to_float32(1e39), kInfinity);
  EXPECT_TRUE(std::isnan(round_to(DType::float16, kNaN)));
  EXPECT_TRUE(std::signbit(round_to(DType::float16, -1e-300)));
}

TEST(StochasticDeclared, GivesBothNeighboursOfInexactValuesAndKeepsExactOnes) {
  Rounding rounding{RoundingMode::stochastic_declared, 7};
  std::set<double> seen;
  for (int i = 0; i < 100; ++i) {
    seen.insert(round_float(DType::float16, 1 + 0x1p-12, rounding));
    EXPECT_EQ(round_float(DType::float16, 1.5, rounding), 1.5);
    EXPECT_TRUE(same(round_float(DType::float32, -0.0, rounding), -0.0));
    EXPECT_EQ(round_float(DType::bfloat16, kInfinity, rounding), kInfinity);
  }
  EXPECT_EQ(seen, (std::set<double>{1, 1 + 0x1p-10}));
}

TEST(StochasticDeclared, LeavesOverflowBeyondTheLastStepAlone) {
  Rounding rounding{RoundingMode::stochastic_declared, 7};
  std::set<double> edge;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(round_float(DType::float16, 70000, rounding), kInfinity);
    edge.insert(round_float(DType::float16, -65510, rounding));
  }
  EXPECT_EQ(edge, (std::set<double>{-65504, -kInfinity}));
}

TEST(StochasticWide, MovesOnlyValuesThatMayHaveBeenRounded) {
  Rounding rounding{RoundingMode::stochastic_wide, 7};
  std::set<double> seen;
  for (int i = 0; i < 200; ++i) {
    const double moved = round_float(DType::float16, 1.0 / 3, rounding);
    EXPECT_LE(std::fabs(moved * 3 - 1), 0x1p-49);
    seen.insert(moved);
    for (const double exact : {0.0, 1.0, 0.1f * 1.0, 3e30f * 1.0, kInfinity, -12345.0}) {
      EXPECT_EQ(round_float(DType::float64, exact, rounding), exact);
    }
    EXPECT_TRUE(std::isfinite(round_float(DType::float64, std::numeric_limits<double>::max(), rounding)));
  }
  EXPECT_EQ(seen.size(), 8U);
}

TEST(Stochastic, TheSameStateDrawsTheSame) {
  Rounding a{RoundingMode::stochastic_declared, 42};
  Rounding b = a;
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(round_float(DType::float32, 0.1 * i, a), round_float(DType::float32, 0.1 * i, b));
}

TEST(WrapInt, IsTwosComplement) {
  EXPECT_EQ(wrap_int(DType::int8, 128), -128);
  EXPECT_EQ(wrap_int(DType::uint8, static_cast<std::uint64_t>(-1)), 255);
  EXPECT_EQ(wrap_int(DType::int32, 0x1'8000'0000), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(wrap_int(DType::boolean, 256), 1);
  EXPECT_EQ(wrap_int(DType::int16, 0x1'8000), -0x8000);
  EXPECT_EQ(static_cast<std::uint64_t>(wrap_int(DType::uint64, UINT64_MAX)), UINT64_MAX);
}

TEST(Ulp, IsTheStepToTheNextLargerMagnitude) {
  EXPECT_EQ(ulp(DType::float16, 1), 0x1p-10);
  EXPECT_EQ(ulp(DType::float16, -0.0), 0x1p-24);
  EXPECT_EQ(ulp(DType::bfloat16, 3), 0x1p-6);
  EXPECT_EQ(ulp(DType::float32, 0x1p-149), 0x1p-149);
  EXPECT_EQ(ulp(DType::float64, 1), 0x1p-52);
  EXPECT_EQ(ulp(DType::float64, 0), 0x1p-1074);
  EXPECT_EQ(ulp(DType::float64, 0x1p-1022), 0x1p-1074);
}

}  // namespace
}  // namespace passdiff
