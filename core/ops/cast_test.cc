#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;
using Rules = std::vector<UndefinedRule>;

Evaluated cast(const Tensor& x, DType dtype) {
  return evaluated("relax.astype", {tensor_value(x)}, dtype, {dtype});
}

TEST(Astype, TruncatesFloatsTowardsZero) {
  const Tensor x = floats(DType::float32, {5}, {1.75, -1.75, -0.5, 127.9, -128.9});
  EXPECT_EQ(elements(cast(x, DType::int8).value), (V{1, -1, 0, 127, -128}));
  EXPECT_TRUE(cast(x, DType::int8).undefined.empty());
}

TEST(Astype, ReportsFloatsBeyondTheTargetsRange) {
  for (const double value : {double(NAN), std::numeric_limits<double>::infinity(), 128.0, -129.0}) {
    EXPECT_EQ(cast(floats(DType::float32, {1}, {value}), DType::int8).undefined,
              Rules{UndefinedRule::float_to_int});
  }
  EXPECT_TRUE(cast(floats(DType::float32, {2}, {-0.75, 255.5}), DType::uint8).undefined.empty());
  EXPECT_FALSE(cast(floats(DType::float32, {1}, {-1}), DType::uint8).undefined.empty());
  EXPECT_FALSE(cast(floats(DType::float64, {1}, {0x1p63}), DType::int64).undefined.empty());
  EXPECT_TRUE(cast(floats(DType::float64, {1}, {-0x1p63}), DType::int64).undefined.empty());
}

TEST(Astype, MakesEverythingButZeroTrue) {
  EXPECT_EQ(elements(cast(floats(DType::float32, {4}, {0.5, -0.0, NAN, 0}), DType::boolean).value),
            (V{1, 0, 1, 0}));
  EXPECT_EQ(elements(cast(ints(DType::int32, {3}, {256, 0, -1}), DType::boolean).value), (V{1, 0, 1}));
}

TEST(Astype, WrapsIntegersIntoNarrowerOnes) {
  const Tensor x = ints(DType::int32, {4}, {300, -300, 65520, -1});
  EXPECT_EQ(elements(cast(x, DType::int8).value), (V{44, -44, -16, -1}));
  EXPECT_EQ(elements(cast(x, DType::uint8).value), (V{44, 212, 240, 255}));
  EXPECT_EQ(elements(cast(ints(DType::uint8, {2}, {200, 255}), DType::int8).value), (V{-56, -1}));
}

TEST(Astype, KnowsIntegersOfLessThanAByte) {
  EXPECT_EQ(elements(cast(ints(DType::int32, {4}, {7, 8, -9, 255}), DType::int4).value), (V{7, -8, 7, -1}));
  EXPECT_EQ(elements(cast(ints(DType::int4, {2}, {-8, 7}), DType::uint2).value), (V{0, 3}));
  EXPECT_EQ(elements(cast(floats(DType::float32, {2}, {-8.9, 7.9}), DType::int4).value), (V{-8, 7}));
  EXPECT_EQ(cast(floats(DType::float32, {1}, {8}), DType::int4).undefined, Rules{UndefinedRule::float_to_int});
  EXPECT_EQ(elements(cast(ints(DType::uint4, {2}, {15, 3}), DType::float16).value), (V{15, 3}));
}

TEST(Astype, RoundsToFloatsOfAtMostEightBits) {
  const Tensor x = floats(DType::float32, {5}, {1e9, -1e9, 0.3, -0.0, 5});
  EXPECT_EQ(elements(cast(x, DType::float4_e2m1fn).value), (V{6, -6, 0.5, 0, 4}));
  EXPECT_EQ(elements(cast(x, DType::float6_e2m3fn).value), (V{7.5, -7.5, 0.25, 0, 5}));
  const V nuz = elements(cast(x, DType::float8_e4m3fnuz).value);
  EXPECT_TRUE(std::isnan(nuz[0]) && std::isnan(nuz[1]) && !std::signbit(nuz[3]));
  EXPECT_EQ(elements(cast(floats(DType::float32, {3}, {0.3, 1, 3}), DType::float8_e8m0fnu).value), (V{0.25, 1, 4}));
}

TEST(Astype, RoundsIntegersToFloatsOnce) {
  EXPECT_EQ(elements(cast(ints(DType::int32, {1}, {16777217}), DType::float32).value), (V{16777216}));
  // Through double this would be a tie, and go down to 2^62.
  EXPECT_EQ(elements(cast(ints(DType::int64, {1}, {(std::int64_t{1} << 62) + (std::int64_t{1} << 38) + 1}),
                          DType::float32)
                         .value),
            (V{0x1p62 + 0x1p39}));
  EXPECT_EQ(elements(cast(ints(DType::int32, {1}, {65520}), DType::float16).value),
            (V{std::numeric_limits<double>::infinity()}));
}

TEST(Astype, KeepsShapeAndVdevice) {
  EXPECT_TRUE(equal(*inferred("relax.astype", {tensor_type({2}, DType::int8, 1)}, {DType::float16}),
                    tensor_type({2}, DType::float16, 1)));
}

TEST(ToVdevice, ChangesTheTypeWhileAHintDoesNot) {
  const Type x = tensor_type({2}, DType::int8);
  EXPECT_TRUE(equal(*inferred("relax.to_vdevice", {x}, {VDeviceRef{1}}), tensor_type({2}, DType::int8, 1)));
  EXPECT_TRUE(equal(*inferred("relax.hint_on_device", {x}, {VDeviceRef{1}, std::string("global")}), x));
}

}  // namespace
}  // namespace passdiff
