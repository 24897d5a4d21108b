#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;

V of_float(std::string_view op, DType dtype, const V& x) {
  return elements(
      evaluated(op, {tensor_value(floats(dtype, {static_cast<std::int64_t>(x.size())}, x))}, dtype).value);
}
Evaluated of_int(std::string_view op, DType dtype, const std::vector<std::int64_t>& x) {
  return evaluated(op, {tensor_value(ints(dtype, {static_cast<std::int64_t>(x.size())}, x))}, dtype);
}
V clip(const Tensor& x, const Value& low, const Value& high) {
  return elements(evaluated("relax.clip", {tensor_value(x), low, high}, x.dtype).value);
}
Value prim(std::int64_t value) {
  return ScalarValue{DType::int64, value};
}
Value prim(double value) {
  return ScalarValue{DType::float64, value};
}

TEST(Unary, DemandsFloatsWhereTvmDoes) {
  const Type i = tensor_type({2}, DType::int32);
  for (const char* op : {"relax.exp", "relax.log", "relax.sqrt", "relax.tanh", "relax.sigmoid"}) {
    EXPECT_EQ(error_code(inferred(op, {i})), "type.dtype") << op;
    EXPECT_EQ(error_code(inferred(op, {tensor_type({2}, DType::float8_e5m2)})), "type.dtype") << op;
  }
  for (const char* op : {"relax.abs", "relax.floor", "relax.round", "relax.sign", "relax.nn.relu"}) {
    EXPECT_TRUE(equal(*inferred(op, {i}), i)) << op;
  }
}

TEST(Round, TakesTiesToEven) {
  EXPECT_EQ(of_float("relax.round", DType::float32, {0.5, 1.5, 2.5, -0.5, -1.5}), (V{0, 2, 2, 0, -2}));
}

TEST(Sign, OfNaNIsZero) {
  EXPECT_EQ(of_float("relax.sign", DType::float32, {NAN, -0.0, -kInf, 0.25}), (V{0, 0, -1, 1}));
}

TEST(Relu, OfNaNAndMinusZeroIsZero) {
  const V values = of_float("relax.nn.relu", DType::float32, {NAN, -0.0, -3, kInf});
  EXPECT_EQ(values, (V{0, 0, 0, kInf}));
  EXPECT_FALSE(std::signbit(values[1]));
}

TEST(Unary, TakesTheUpperHalfOfUint64ForPositive) {
  // 2^63 and 2^64 - 1, which an int64 holds as negative numbers.
  const Tensor x = ints(DType::uint64, {3}, {int_min(DType::int64), -1, 5});
  const auto of = [&](std::string_view op) { return evaluated(op, {tensor_value(x)}, x.dtype).value.tensor(); };
  for (const char* op : {"relax.abs", "relax.nn.relu", "relax.round"})
    EXPECT_TRUE(bit_equal(of(op), x)) << op;
  EXPECT_TRUE(bit_equal(of("relax.sign"), ints(DType::uint64, {3}, {1, 1, 1})));
  EXPECT_EQ(clip(x, prim(std::int64_t{3}), prim(std::int64_t{7})), (V{7, 7, 5}));
  EXPECT_EQ(clip(x, prim(0.0), prim(0x1p63)), (V{0x1p63, 0x1p63, 5}));
  EXPECT_EQ(clip(x, prim(-1.0), prim(0x1p70)), (V{0x1p63, 0x1p64, 5}));
}

TEST(Abs, OfTheLeastValueWrapsAndIsReportedFrom32BitsOn) {
  EXPECT_EQ(elements(of_int("relax.abs", DType::int8, {-128, -3}).value), (V{-128, 3}));
  EXPECT_TRUE(of_int("relax.abs", DType::int8, {-128}).undefined.empty());
  const Evaluated wide = of_int("relax.negative", DType::int32, {int_min(DType::int32)});
  EXPECT_EQ(elements(wide.value), (V{-2147483648.0}));
  EXPECT_EQ(wide.undefined, std::vector<UndefinedRule>{UndefinedRule::signed_overflow});
}

TEST(Exp, RoundsToTheDtype) {
  EXPECT_EQ(of_float("relax.exp", DType::float16, {0, 1, 12}), (V{1, 2.71875, kInf}));
  EXPECT_EQ(of_float("relax.exp", DType::bfloat16, {1}), (V{2.71875}));
  EXPECT_EQ(of_float("relax.sigmoid", DType::float32, {0, -kInf, kInf}), (V{0.5, 0, 1}));
  EXPECT_EQ(of_float("relax.log", DType::float32, {1, 0}), (V{0, -kInf}));
}

TEST(Clip, SendsNaNToTheUpperBound) {
  EXPECT_EQ(
      clip(floats(DType::float32, {4}, {NAN, -5, 0.5, kInf}), prim(std::int64_t{-1}), prim(std::int64_t{2})),
      (V{2, -1, 0.5, 2}));
}

TEST(Clip, LetsTheLowerBoundWinIfBoundsAreReversed) {
  EXPECT_EQ(clip(ints(DType::int32, {3}, {-3, 0, 5}), prim(std::int64_t{2}), prim(std::int64_t{-1})),
            (V{2, 2, 2}));
}

TEST(Clip, TruncatesFractionalBoundsOfIntegers) {
  EXPECT_EQ(clip(ints(DType::int8, {4}, {-3, 0, 1, 2}), prim(-0.5), prim(1.7)), (V{0, 0, 1, 1}));
}

TEST(Clip, RoundsItsBoundsToTheDtype) {
  EXPECT_EQ(clip(floats(DType::float16, {1}, {1}), prim(std::int64_t{0}), prim(0.3)), (V{0.300048828125}));
}

TEST(Unary, LosesTheDigitsThatTvmLosesInItsSteps) {
  EXPECT_EQ(of_float("relax.tanh", DType::float32, {1e-3f, -0.0, 1e-40f}), (V{0.0010000026086345315, 0, 0}));
  EXPECT_EQ(of_float("relax.atanh", DType::float32, {1e-3f}), (V{0.0010000171605497599}));
  EXPECT_EQ(of_float("relax.atanh", DType::float16, {0.0010004043579101562, 1}), (V{0.0009765625, kInf}));
}

TEST(Square, WrapsAndIsReportedFrom32BitsOn) {
  EXPECT_EQ(elements(of_int("relax.square", DType::int8, {100, -128}).value), (V{16, 0}));
  EXPECT_EQ(elements(of_int("relax.square", DType::uint8, {100, 255}).value), (V{16, 1}));
  EXPECT_EQ(of_int("relax.square", DType::int32, {65536}).undefined,
            std::vector<UndefinedRule>{UndefinedRule::signed_overflow});
}

TEST(Unary, TellsWhatFloatsAreAsBools) {
  const V x{NAN, -kInf, -0.0, 65504};
  EXPECT_EQ(of_float("relax.isnan", DType::float16, x), (V{1, 0, 0, 0}));
  EXPECT_EQ(of_float("relax.isinf", DType::float32, x), (V{0, 1, 0, 0}));
  EXPECT_EQ(of_float("relax.isfinite", DType::float64, x), (V{0, 0, 1, 1}));
  EXPECT_EQ(elements(of_int("relax.isfinite", DType::int64, {int_min(DType::int64)}).value), (V{1}));
  EXPECT_TRUE(equal(*inferred("relax.isinf", {tensor_type({2}, DType::int32, 1)}),
                    tensor_type({2}, DType::boolean, 1)));
}

TEST(BitwiseNot, OfBoolsIsLogical) {
  EXPECT_EQ(elements(of_int("relax.bitwise_not", DType::boolean, {0, 1}).value), (V{1, 0}));
  EXPECT_EQ(elements(of_int("relax.bitwise_not", DType::uint8, {0, 200}).value), (V{255, 55}));
  EXPECT_EQ(elements(of_int("relax.bitwise_not", DType::int8, {127, -1}).value), (V{-128, 0}));
}

}  // namespace
}  // namespace passdiff
