#include "core/tensor/tensor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tensor/value.h"

namespace passdiff {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Tensor floats(DType dtype, std::vector<double> elements) {
  const std::int64_t shape[] = {static_cast<std::int64_t>(elements.size())};
  Tensor tensor = zeros(dtype, shape);
  std::copy(elements.begin(), elements.end(), std::get<Tensor::Floats>(tensor.values).begin());
  return tensor;
}

using Bytes = std::vector<std::uint8_t>;

// Seeds of random generation mean what they do by the order of these.
TEST(DTypes, ThatAreDrawnComeFirst) {
  ASSERT_EQ(drawn_dtypes().size(), 15U);
  EXPECT_TRUE(std::ranges::equal(drawn_dtypes(), all_dtypes().first(15)));
  EXPECT_EQ(drawn_dtypes().back(), DType::float64);
}

TEST(Bytes, FollowTVMsMemoryLayout) {
  EXPECT_EQ(to_bytes(floats(DType::float16, {1, -2})), (Bytes{0x00, 0x3C, 0x00, 0xC0}));
  EXPECT_EQ(to_bytes(floats(DType::bfloat16, {1})), (Bytes{0x80, 0x3F}));
  EXPECT_EQ(to_bytes(floats(DType::float32, {1})), (Bytes{0, 0, 0x80, 0x3F}));
  Tensor ints = zeros(DType::int32, {});
  std::get<Tensor::Ints>(ints.values).data()[0] = -2;
  EXPECT_EQ(to_bytes(ints), (Bytes{0xFE, 0xFF, 0xFF, 0xFF}));
}

TEST(Bytes, RoundTripForEveryDType) {
  const std::int64_t shape[] = {2, 0, 3};
  const std::int64_t full[] = {2, 4};
  for (const DType dtype : all_dtypes()) {
    EXPECT_TRUE(bit_equal(*from_bytes(dtype, shape, {}), zeros(dtype, shape)));
    Bytes bytes(static_cast<std::size_t>(data_bytes(dtype, 8)));
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = dtype == DType::boolean ? i % 2 : (i * 37) & 0x7F;
    EXPECT_EQ(to_bytes(*from_bytes(dtype, full, bytes)), bytes) << dtype_name(dtype);
  }
}

Tensor ints(DType dtype, std::vector<std::int64_t> elements) {
  const std::int64_t shape[] = {static_cast<std::int64_t>(elements.size())};
  return wrap_ints(dtype, [&] {
    Tensor::Ints values = std::get<Tensor::Ints>(zeros(DType::int64, shape).values);
    std::copy(elements.begin(), elements.end(), values.begin());
    return values;
  }());
}

TEST(Bytes, PackElementsOfLessThanAByteFromTheLowestBitOn) {
  EXPECT_EQ(to_bytes(ints(DType::int4, {1, -2, 7})), (Bytes{0xE1, 0x07}));
  EXPECT_EQ(to_bytes(ints(DType::int2, {1, -2, -1, 0, 1})), (Bytes{0x39, 0x01}));
  EXPECT_EQ(to_bytes(floats(DType::float4_e2m1fn, {1, 3, 2})), (Bytes{0x52, 0x04}));
  EXPECT_EQ(to_bytes(floats(DType::float6_e2m3fn, {1, 0.125, -7.5})), (Bytes{0x48, 0xF0, 0x03}));
  const std::int64_t three[] = {3};
  EXPECT_TRUE(bit_equal(*from_bytes(DType::int4, three, Bytes{0xE1, 0xF7}), ints(DType::int4, {1, -2, 7})));
  EXPECT_TRUE(bit_equal(*from_bytes(DType::float6_e2m3fn, three, Bytes{0x48, 0xF0, 0x03}),
                        floats(DType::float6_e2m3fn, {1, 0.125, -7.5})));
  EXPECT_EQ(from_bytes(DType::int4, three, Bytes{1, 2, 3}).error().code, "tensor.bytes");
}

TEST(Bytes, KeepUnsignedIntegersBeyondInt64) {
  const std::int64_t one[] = {1};
  const Tensor tensor = *from_bytes(DType::uint64, one, Bytes(8, 0xFF));
  EXPECT_EQ(integer_digits(tensor, 0), "18446744073709551615");
  EXPECT_EQ(as_double(tensor, 0), 0x1p64);
  EXPECT_EQ(to_bytes(tensor), Bytes(8, 0xFF));
}

TEST(Bytes, RejectsShapesThatLieOrAreTooLarge) {
  const std::int64_t negative[] = {-1};
  const std::int64_t huge[] = {std::int64_t{1} << 40, std::int64_t{1} << 40, 0};
  const std::int64_t two[] = {2};
  EXPECT_EQ(from_bytes(DType::int8, negative, {}).error().code, "tensor.shape");
  EXPECT_EQ(from_bytes(DType::int8, huge, {}).error().code, "tensor.shape");
  EXPECT_EQ(from_bytes(DType::int8, two, Bytes{1}).error().code, "tensor.bytes");
}

TEST(BitEqual, TakesNaNAsNaNAndTellsZerosApartIfAsked) {
  EXPECT_TRUE(bit_equal(floats(DType::float32, {kNaN}), floats(DType::float32, {-kNaN})));
  EXPECT_TRUE(bit_equal(floats(DType::float32, {0.0}), floats(DType::float32, {-0.0})));
  EXPECT_FALSE(bit_equal(floats(DType::float32, {0.0}), floats(DType::float32, {-0.0}), true));
  EXPECT_FALSE(bit_equal(floats(DType::float32, {1}), floats(DType::float16, {1})));
  EXPECT_FALSE(bit_equal(floats(DType::float32, {1}), floats(DType::float32, {1, 1})));
}

TEST(RoundFloats, BringsEveryElementIntoTheDType) {
  Rounding faithful;
  Rounding wide{RoundingMode::wide};
  const Tensor::Floats values = {0.1, 70000, 3};
  EXPECT_TRUE(
      bit_equal(round_floats(DType::float16, values, faithful),
                floats(DType::float16, {0.0999755859375, std::numeric_limits<double>::infinity(), 3})));
  EXPECT_EQ(as_double(round_floats(DType::float16, values, wide), 0), 0.1);
}

TEST(RoundFloats, KeepsTheDigitsThatTheRoundingSays) {
  const Tensor::Floats third = {1.0 / 3};
  Rounding wider{.least = DType::float64};
  EXPECT_EQ(round_floats(DType::float32, third, wider).floats()(0), 1.0 / 3) << "as if nothing were narrower than float64";
  Rounding lowered{.float32_as = DType::float16};
  EXPECT_EQ(round_floats(DType::float32, third, lowered).floats()(0), round_to(DType::float16, 1.0 / 3));
}

TEST(Tensor, PrintsItsTypeAndFirstElements) {
  EXPECT_EQ(to_string(floats(DType::float32, {1, 2.5, kNaN}), 2), "float32[3] [1, 2.5, ...]");
  EXPECT_EQ(to_string(floats(DType::float32, {1}), 0), "float32[1]");
  EXPECT_EQ(to_string(Value(TupleValue{{Value(std::string("a")), Value(ShapeValue{{2, 3}})}})),
            "(\"a\", shape [2, 3])");
  EXPECT_EQ(element_to_string(floats(DType::float32, {1, 2.5, kNaN}), 2), "nan");
}

TEST(Value, ComparesBitByBit) {
  const Value one = make_tensor(floats(DType::float32, {1, kNaN}));
  const Value same = make_tensor(floats(DType::float32, {1, kNaN}));
  EXPECT_TRUE(bit_equal(TupleValue{{one, Value(ScalarValue{DType::float32, kNaN})}},
                        TupleValue{{same, Value(ScalarValue{DType::float32, kNaN})}}));
  EXPECT_FALSE(bit_equal(one, ShapeValue{{2}}));
  EXPECT_FALSE(bit_equal(TupleValue{{one}}, TupleValue{{one, one}}));
}

TEST(UndefinedLog, KeepsTheFirstRecordsOfARuleAndStopsUnlessItWraps) {
  UndefinedLog log;
  for (int i = 0; i < 100; ++i) log.report(UndefinedRule::signed_overflow, "wrapped");
  EXPECT_TRUE(log.overflowed());
  EXPECT_FALSE(log.must_stop());
  log.attribute("relax.add", "lv");
  log.report(UndefinedRule::division_by_zero, "7 / 0");
  log.attribute("relax.divide", "lv1");
  EXPECT_TRUE(log.must_stop());
  EXPECT_LT(log.records().size(), 10U);
  EXPECT_EQ(log.records().front().op, "relax.add");
  EXPECT_EQ(log.records().back().binding, "lv1");
}

}  // namespace
}  // namespace passdiff
