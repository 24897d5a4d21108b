#include "core/tensor/rounding.h"

#include <gtest/gtest.h>

#include <algorithm>
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
  unsigned beyond;   // the bits of the magnitude from which on there are no numbers
  double beyond_it;  // what magnitudes become that are too large
  double least;      // the smallest magnitude but zero
  double largest;
  int sign_bit = 7;
  bool minus_zero = true;
  bool positive = false;

  double round(double value) const { return round_to(dtype, value); }
  std::uint16_t bits(double value) const { return narrow_bits(dtype, value); }
  double value(unsigned bits) const { return narrow_value(dtype, static_cast<std::uint16_t>(bits)); }
  double negated(double value) const { return positive ? kNaN : value == 0 && !minus_zero ? 0 : -value; }
};
// The extremes are those of the formats' specifications: IEEE 754, OCP's for 8 bits and for Microscaling, and for "fnuz" that of
// Graphcore and AMD (arXiv:2206.02915).
constexpr Narrow kFormats[] = {{DType::float16, 0x7C00, kInfinity, 0x1p-24, 65504, 15},
                               {DType::bfloat16, 0x7F80, kInfinity, 0x1p-133, 0x1.FEp127, 15},
                               {DType::float8_e5m2, 0x7C, kInfinity, 0x1p-16, 57344},
                               {DType::float8_e4m3fn, 0x7F, kNaN, 0x1p-9, 448},
                               {DType::float4_e2m1fn, 8, 6, 0.5, 6, 3},
                               {DType::float6_e2m3fn, 32, 7.5, 0.125, 7.5, 5},
                               {DType::float6_e3m2fn, 32, 28, 0.0625, 28, 5},
                               {DType::float8_e3m4, 0x70, kInfinity, 0x1p-6, 15.5},
                               {DType::float8_e4m3, 0x78, kInfinity, 0x1p-9, 240},
                               {DType::float8_e4m3b11fnuz, 0x80, kNaN, 0x1p-13, 30, 7, false},
                               {DType::float8_e4m3fnuz, 0x80, kNaN, 0x1p-10, 240, 7, false},
                               {DType::float8_e5m2fnuz, 0x80, kNaN, 0x1p-17, 57344, 7, false},
                               {DType::float8_e8m0fnu, 0xFF, kNaN, 0x1p-127, 0x1p127, 8, false, true}};

TEST(Narrow, FormatsAreAllOfAtMostSixteenBits) {
  for (const DTypeRow& row : kDTypes) {
    const bool listed = std::ranges::find(kFormats, row.dtype, &Narrow::dtype) != std::end(kFormats);
    EXPECT_EQ(listed, is_float(row.dtype) && row.bits <= 16) << row.name;
  }
}

TEST(Narrow, ExtremesAreThoseOfTheSpecifications) {
  for (const Narrow& format : kFormats) {
    EXPECT_EQ(format.value(format.beyond - 1), format.largest) << dtype_name(format.dtype);
    EXPECT_EQ(largest_finite(format.dtype), format.largest) << dtype_name(format.dtype);
    EXPECT_EQ(format.value(format.positive ? 0 : 1), format.least) << dtype_name(format.dtype);
    EXPECT_TRUE(same(format.round(1e300), format.beyond_it)) << dtype_name(format.dtype);
    EXPECT_TRUE(same(format.round(kInfinity), format.beyond_it)) << dtype_name(format.dtype);
    EXPECT_TRUE(same(format.round(-kInfinity), format.negated(format.beyond_it))) << dtype_name(format.dtype);
  }
}

// The bits of a float are its sign and its magnitude, and magnitudes are ordered as their bits are. So the nearest value is
// found by comparing neighbours, without the arithmetic under test.
TEST(Narrow, RoundsToTheNearestNeighbourAndTiesToEvenForAllPatterns) {
  for (const Narrow& format : kFormats) {
    // The number that would follow the largest one, if the format had it.
    const double before = format.value(format.beyond - 2U);
    const double top = format.positive ? 2 * format.largest : 2 * format.largest - before;
    for (unsigned bits = 0; bits < format.beyond; ++bits) {
      const bool last = bits + 1 == format.beyond;
      const double low = format.value(bits);
      const double high = last ? format.beyond_it : format.value(bits + 1);
      const double finite_high = last ? top : high;
      const double middle = low + (finite_high - low) / 2;
      ASSERT_LT(low, finite_high);
      ASSERT_TRUE(same(format.round(low), low)) << bits;
      ASSERT_TRUE(same(format.round(-low), format.negated(low))) << bits;
      // Of a power of two the significand is odd, where it has no other bits; that of the double one is even.
      ASSERT_TRUE(same(format.round(middle), bits % 2 == 0 && !format.positive ? low : high)) << bits;
      // One unit in the last place of a double beside the tie decides; rounding through float32 would lose it.
      ASSERT_TRUE(same(format.round(std::nextafter(middle, 0)), low)) << bits;
      ASSERT_TRUE(same(format.round(std::nextafter(middle, kInfinity)), high)) << bits;
      ASSERT_TRUE(same(format.round(-std::nextafter(middle, kInfinity)), format.negated(high))) << bits;
    }
  }
}

TEST(Narrow, BitsAndValuesAreInverseForAllPatterns) {
  for (const Narrow& format : kFormats) {
    const unsigned sign = 1U << format.sign_bit;
    for (unsigned bits = 0; bits < (format.positive ? sign : 2 * sign); ++bits) {
      const double value = format.value(bits);
      if (const unsigned magnitude = bits & (sign - 1); std::isnan(value)) {
        ASSERT_TRUE(magnitude >= format.beyond || (!format.minus_zero && bits == sign)) << bits;
        ASSERT_TRUE(std::isnan(format.value(format.bits(value)))) << bits;
      } else {
        ASSERT_LE(magnitude, format.beyond) << bits;
        ASSERT_EQ(format.bits(value), bits);
      }
    }
  }
}

TEST(Narrow, WithoutZeroOrNaNHasTheNearestThatItHas) {
  EXPECT_TRUE(same(round_to(DType::float4_e2m1fn, kNaN), 0));
  EXPECT_TRUE(same(round_to(DType::float6_e3m2fn, -0.0), -0.0));
  EXPECT_TRUE(same(round_to(DType::float8_e5m2fnuz, -1e-9), 0));
  EXPECT_TRUE(std::isnan(round_to(DType::float8_e8m0fnu, 0)));
  EXPECT_TRUE(std::isnan(round_to(DType::float8_e8m0fnu, -1)));
  EXPECT_EQ(round_to(DType::float8_e8m0fnu, 1e-300), 0x1p-127);
  EXPECT_EQ(round_to(DType::float8_e8m0fnu, 1.5), 2);
  EXPECT_EQ(narrow_bits(DType::float8_e8m0fnu, kNaN), 0xFF);
  EXPECT_EQ(narrow_bits(DType::float8_e4m3fnuz, kNaN), 0x80);
  EXPECT_EQ(narrow_bits(DType::float8_e4m3fnuz, -1), 0xC0);
  EXPECT_EQ(narrow_bits(DType::float8_e3m4, kNaN), 0x78);
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

// Sign, exponent and significand as the specifications have them: the mantissa's bits and the exponent's bias say what a number is.
TEST(Narrow, SmallFloatsHaveTheValuesOfTheirSpecifications) {
  struct Specified {
    DType dtype;
    int mantissa;
    int bias;
  };
  constexpr Specified kSpecified[] = {
      {DType::float8_e4m3fn, 3, 7},       {DType::float8_e5m2, 2, 15},     {DType::float4_e2m1fn, 1, 1},
      {DType::float6_e2m3fn, 3, 1},       {DType::float6_e3m2fn, 2, 3},    {DType::float8_e3m4, 4, 3},
      {DType::float8_e4m3, 3, 7},         {DType::float8_e4m3fnuz, 3, 8},  {DType::float8_e5m2fnuz, 2, 16},
      {DType::float8_e4m3b11fnuz, 3, 11},
  };
  for (const auto& [dtype, mantissa_bits, bias] : kSpecified) {
    const Narrow& format = *std::ranges::find(kFormats, dtype, &Narrow::dtype);
    for (unsigned bits = 0; bits < format.beyond; ++bits) {
      const auto exponent = static_cast<int>(bits >> mantissa_bits);
      const double fraction = std::ldexp(bits & ((1U << mantissa_bits) - 1), -mantissa_bits);
      const double number = exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
      EXPECT_TRUE(same(format.value(bits), number)) << dtype_name(dtype) << bits;
      if (bits > 0) EXPECT_TRUE(same(format.value(bits | 1U << format.sign_bit), -number)) << dtype_name(dtype) << bits;
    }
  }
  for (unsigned bits = 0; bits < 0xFF; ++bits)
    EXPECT_EQ(narrow_value(DType::float8_e8m0fnu, static_cast<std::uint16_t>(bits)), std::ldexp(1.0, static_cast<int>(bits) - 127));
  EXPECT_EQ(narrow_value(DType::float8_e5m2, 0xFC), -kInfinity);
  EXPECT_TRUE(std::isnan(narrow_value(DType::float8_e5m2, 0x7D)));
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

TEST(Rounding, HasNoMoreDigitsThanTheMostThatItIsGiven) {
  Rounding coarse{.most = DType::bfloat16};
  const double value = 1 + 0x1p-7 + 0x1p-9;
  for (const DType dtype : {DType::float64, DType::float32, DType::float16, DType::bfloat16})
    EXPECT_EQ(round_float(dtype, value, coarse), 1 + 0x1p-7) << dtype_name(dtype);
  EXPECT_EQ(round_float(DType::float8_e5m2, value, coarse), 1) << "which has fewer of its own";
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

TEST(StochasticDeclared, GivesNumbersOfTheDTypeAlone) {
  Rounding rounding{RoundingMode::stochastic_declared, 7};
  for (const Narrow& format : kFormats) {
    for (int i = 0; i < 200; ++i) {
      const double value = 2.3 * format.largest * random_share(rounding) * random_share(rounding) * random_share(rounding);
      const double rounded = round_float(format.dtype, value, rounding);
      EXPECT_TRUE(same(round_to(format.dtype, rounded), rounded)) << dtype_name(format.dtype) << value;
    }
  }
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
  EXPECT_EQ(wrap_int(DType::int4, 8), -8);
  EXPECT_EQ(wrap_int(DType::int2, static_cast<std::uint64_t>(-3)), 1);
  EXPECT_EQ(wrap_int(DType::uint4, 0x17), 7);
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
