#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;
using Rules = std::vector<UndefinedRule>;

TEST(Broadcast, TakesTheLargerOfEachPairOfStaticSizes) {
  const Type a = tensor_type({2, 1, 3}, DType::float32);
  const Type b = tensor_type({4, 1}, DType::float32);
  EXPECT_TRUE(equal(*inferred("relax.add", {a, b}), tensor_type({2, 4, 3}, DType::float32)));
  EXPECT_EQ(error_code(inferred("relax.add", {a, tensor_type({2}, DType::float32)})), "type.broadcast");
  const Type empty = tensor_type({0, 3}, DType::float32);
  EXPECT_TRUE(equal(*inferred("relax.add", {empty, tensor_type({1, 3}, DType::float32)}), empty));
}

TEST(Broadcast, KeepsOnlyTheRankWhereSymbolicSizesAreNotShownEqual) {
  const SymVar n = make_sym_var("n");
  const SymVar m = make_sym_var("m");
  const Type a = tensor_type({n, 3}, DType::float32);
  EXPECT_TRUE(equal(*inferred("relax.add", {a, tensor_type({n, 1}, DType::float32)}), a));
  const Type unknown = tensor_type_of_rank(2, DType::float32);
  EXPECT_TRUE(equal(*inferred("relax.add", {a, tensor_type({m, 1}, DType::float32)}), unknown));
  EXPECT_TRUE(equal(*inferred("relax.add", {a, tensor_type({2, 1}, DType::float32)}), unknown));
  // TVM compares from the last axis on: the 3 against 4 is met before n against m gives up.
  EXPECT_EQ(error_code(inferred("relax.add", {a, tensor_type({m, 4}, DType::float32)})), "type.broadcast");
}

TEST(BinaryArithmetic, RefusesDifferentDtypesUnlessOneIsBool) {
  const Type f = tensor_type({2}, DType::float32);
  const Type b = tensor_type({2}, DType::boolean);
  EXPECT_EQ(error_code(inferred("relax.add", {f, tensor_type({2}, DType::int32)})), "type.dtype");
  EXPECT_TRUE(equal(*inferred("relax.add", {b, f}), b));
  EXPECT_FALSE((*inferred("relax.add", {tensor_type_of_rank(1, std::nullopt), f})).as_tensor()->dtype);
  EXPECT_EQ(error_code(inferred("relax.add", {f, shape_type({2})})), "type.operand");
}

TEST(BinaryArithmetic, IsEvaluatedWhereItsResultIsDeclaredAnObject) {
  const std::vector<Value> args = {make_tensor(floats(DType::float32, {2}, {1, 2})), make_tensor(floats(DType::float32, {}, {3}))};
  EvalContext context;
  EXPECT_EQ(elements(find_op("relax.add")->eval(args, {}, object_type(), context)), (V{4, 5}));
  EXPECT_EQ(elements(find_op("relax.atan2")->eval(args, {}, object_type(), context)).size(), 2u);
}

TEST(BinaryArithmetic, TakesTheVdeviceThatIsKnownAndRefusesTwo) {
  const Type plain = tensor_type({2}, DType::float32);
  const Type zero = tensor_type({2}, DType::float32, 0);
  EXPECT_TRUE(equal(*inferred("relax.add", {plain, zero}), zero));
  EXPECT_EQ(error_code(inferred("relax.add", {zero, tensor_type({2}, DType::float32, 1)})), "type.vdevice");
}

TEST(Add, BroadcastsValuesOfEveryRank) {
  const Value a = tensor_value(floats(DType::float32, {2, 1}, {1, 2}));
  const Value b = tensor_value(floats(DType::float32, {3}, {10, 20, 30}));
  EXPECT_EQ(elements(evaluated("relax.add", {a, b}, DType::float32).value), (V{11, 21, 31, 12, 22, 32}));
  const Value scalar = tensor_value(floats(DType::float32, {}, {5}));
  EXPECT_EQ(elements(evaluated("relax.add", {scalar, a}, DType::float32).value), (V{6, 7}));
  const Value one = tensor_value(floats(DType::float32, {1, 1, 1}, {7}));
  EXPECT_EQ(evaluated("relax.add", {scalar, one}, DType::float32).value.tensor().rank(), 3u);
  EXPECT_EQ(
      evaluated("relax.add", {a, tensor_value(floats(DType::float32, {3, 1}, {1, 2, 3}))}, DType::float32)
          .undefined,
      Rules{UndefinedRule::index_out_of_bounds});
}

TEST(Add, RoundsToTheDtypeAndOverflowsToInfinity) {
  EXPECT_EQ(of_floats("relax.add", DType::float16, {2048, 60000}, {1, 60000}), (V{2048, kInf}));
  EXPECT_EQ(of_floats("relax.add", DType::bfloat16, {256}, {1}), (V{256}));
  EXPECT_EQ(of_floats("relax.add", DType::float32, {16777216}, {1}), (V{16777216}));
}

TEST(Add, WrapsNarrowIntegersSilentlyAndReportsWideOnes) {
  const Evaluated narrow = of_ints("relax.add", DType::int8, {127, 100}, {1, 100});
  EXPECT_EQ(elements(narrow.value), (V{-128, -56}));
  EXPECT_TRUE(narrow.undefined.empty());
  EXPECT_EQ(elements(of_ints("relax.subtract", DType::uint8, {0, 1}, {1, 255}).value), (V{255, 2}));
  const Evaluated wide = of_ints("relax.add", DType::int32, {2147483647}, {1});
  EXPECT_EQ(elements(wide.value), (V{-2147483648.0}));
  EXPECT_EQ(wide.undefined, Rules{UndefinedRule::signed_overflow});
  EXPECT_EQ(of_ints("relax.multiply", DType::int64, {std::int64_t{1} << 62}, {2}).undefined,
            Rules{UndefinedRule::signed_overflow});
}

TEST(Divide, TruncatesIntegersWhileFloorDivideFloors) {
  const std::vector<std::int64_t> a{7, -7, 7, -7};
  const std::vector<std::int64_t> b{2, 2, -2, -2};
  EXPECT_EQ(elements(of_ints("relax.divide", DType::int32, a, b).value), (V{3, -3, -3, 3}));
  EXPECT_EQ(elements(of_ints("relax.floor_divide", DType::int32, a, b).value), (V{3, -4, -4, 3}));
  EXPECT_EQ(elements(of_ints("relax.mod", DType::int32, a, b).value), (V{1, -1, 1, -1}));
  EXPECT_EQ(elements(of_ints("relax.floor_mod", DType::int32, a, b).value), (V{1, 1, -1, -1}));
}

TEST(Divide, NeverTrapsOnIntegers) {
  for (const char* op : {"relax.divide", "relax.floor_divide", "relax.mod", "relax.floor_mod"}) {
    for (const DType dtype : {DType::int8, DType::int32, DType::int64}) {
      EXPECT_EQ(of_ints(op, dtype, {1}, {0}).undefined, Rules{UndefinedRule::division_by_zero}) << op;
      EXPECT_EQ(of_ints(op, dtype, {int_min(dtype)}, {-1}).undefined, Rules{UndefinedRule::division_overflow})
          << op;
    }
    EXPECT_EQ(of_ints(op, DType::uint8, {1}, {0}).undefined, Rules{UndefinedRule::division_by_zero}) << op;
  }
}

TEST(FloorMod, OfFloatsIsWhatTheQuotientLeaves) {
  const V values =
      of_floats("relax.floor_mod", DType::float32, {7.5, -7.5, 7.5, -7.5, 5}, {2, 2, -2, -2, kInf});
  EXPECT_EQ(V(values.begin(), values.end() - 1), (V{1.5, 0.5, -0.5, -1.5}));
  EXPECT_TRUE(std::isnan(values.back()));
  EXPECT_EQ(of_floats("relax.mod", DType::float32, {-7.5, 5}, {2, kInf}), (V{-1.5, 5}));
}

TEST(Maximum, TakesTheRightOperandBesideNaN) {
  const V values = of_floats("relax.maximum", DType::float32, {NAN, 1, -0.0}, {1, NAN, 0.0});
  EXPECT_EQ(values[0], 1);
  EXPECT_TRUE(std::isnan(values[1]));
  EXPECT_FALSE(std::signbit(values[2]));
}

TEST(Bits, OfIntegersAreThoseOfTwosComplement) {
  EXPECT_EQ(elements(of_ints("relax.bitwise_and", DType::int8, {100, -100}, {7, 3}).value),
            (std::vector<double>{4, 0}));
  EXPECT_EQ(elements(of_ints("relax.bitwise_or", DType::int8, {100, -100}, {7, 3}).value),
            (std::vector<double>{103, -97}));
  EXPECT_EQ(elements(of_ints("relax.bitwise_xor", DType::boolean, {1, 1}, {0, 1}).value),
            (std::vector<double>{1, 0}));
}

TEST(LogicalXor, OfIntegersIsBitwise) {
  EXPECT_EQ(elements(of_ints("relax.logical_xor", DType::int32, {100, 7}, {1, 2}).value),
            (std::vector<double>{101, 5}));
}

TEST(Shift, KeepsTheSignAndLosesHighBits) {
  EXPECT_EQ(elements(of_ints("relax.left_shift", DType::int8, {100, -100}, {1, 3}).value),
            (std::vector<double>{-56, -32}));
  EXPECT_EQ(elements(of_ints("relax.right_shift", DType::int8, {100, -100}, {1, 3}).value),
            (std::vector<double>{50, -13}));
  EXPECT_EQ(elements(of_ints("relax.right_shift", DType::uint8, {200}, {3}).value),
            (std::vector<double>{25}));
}

TEST(Shift, ByTheWidthOrLessThanNothingIsUndefined) {
  const std::vector<UndefinedRule> amount{UndefinedRule::shift_amount};
  EXPECT_EQ(of_ints("relax.left_shift", DType::int8, {1}, {8}).undefined, amount);
  EXPECT_EQ(of_ints("relax.right_shift", DType::int32, {1}, {-1}).undefined, amount);
  EXPECT_TRUE(of_ints("relax.right_shift", DType::int32, {1}, {31}).undefined.empty());
}

TEST(LogAddExp, IsInfiniteWhereAnExponentialIs) {
  const std::vector<double> values = of_floats("relax.log_add_exp", DType::float32, {100, 0}, {0, 0});
  EXPECT_EQ(values, (std::vector<double>{INFINITY, 0.6931471824645996}));
}

}  // namespace
}  // namespace passdiff
