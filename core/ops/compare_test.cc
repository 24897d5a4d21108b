#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;

TEST(Comparisons, WithNaNAreFalseNotEqualIncluded) {
  for (const char* op : {"relax.equal", "relax.not_equal", "relax.less", "relax.less_equal", "relax.greater",
                         "relax.greater_equal"}) {
    EXPECT_EQ(of_floats(op, DType::float32, {NAN, 1, NAN}, {NAN, NAN, 1}), (V{0, 0, 0})) << op;
  }
  EXPECT_EQ(of_floats("relax.not_equal", DType::float32, {0.0, 1}, {-0.0, 2}), (V{0, 1}));
}

TEST(Comparisons, GiveBoolWhateverTheOperandsDtypes) {
  const Type f = tensor_type({2}, DType::float32);
  const Type i = tensor_type({2}, DType::int32);
  EXPECT_TRUE(equal(*inferred("relax.less", {f, i}), tensor_type({2}, DType::boolean)));
  const Value x = tensor_value(floats(DType::float32, {2}, {1.5, 2}));
  const Value y = tensor_value(ints(DType::int32, {2}, {1, 2}));
  EXPECT_EQ(elements(evaluated("relax.equal", {x, y}, DType::boolean).value), (V{0, 1}));
  EXPECT_EQ(elements(of_ints("relax.less", DType::uint8, {200}, {100}).value), (V{0}));
}

TEST(Comparisons, TakeScalarsAsTensorsOfOneElement) {
  const Type f = tensor_type({2, 3}, DType::float32);
  const Type scalar = prim_type(DType::float32);
  EXPECT_TRUE(equal(*inferred("relax.less", {f, scalar}), tensor_type({2, 3}, DType::boolean)));
  EXPECT_TRUE(equal(*inferred("relax.less", {tensor_type({}, DType::float32), scalar}),
                    tensor_type({1}, DType::boolean)));
  EXPECT_TRUE(equal(*inferred("relax.less", {scalar, scalar}), prim_type(DType::boolean)));
  const Value x = tensor_value(floats(DType::float32, {2}, {1.5, 2}));
  const Value two = ScalarValue{DType::float32, 2.0};
  EXPECT_EQ(elements(evaluated("relax.equal", {x, two}, DType::boolean).value), (V{0, 1}));
}

TEST(LogicalOps, KeepTheOperandsDtype) {
  const Type f = tensor_type({2}, DType::float32);
  EXPECT_TRUE(equal(*inferred("relax.logical_and", {f, f}), f));
  EXPECT_TRUE(equal(*inferred("relax.logical_not", {f}), f));
  EXPECT_EQ(elements(of_ints("relax.logical_and", DType::boolean, {0, 1, 0, 1}, {0, 0, 1, 1}).value),
            (V{0, 0, 0, 1}));
  EXPECT_EQ(elements(of_ints("relax.logical_or", DType::boolean, {0, 1, 0, 1}, {0, 0, 1, 1}).value),
            (V{0, 1, 1, 1}));
}

TEST(Where, BroadcastsAllThreeOperands) {
  const Value condition = tensor_value(ints(DType::boolean, {2, 1}, {1, 0}));
  const Value a = tensor_value(floats(DType::float32, {2}, {1, 2}));
  const Value b = tensor_value(floats(DType::float32, {}, {5}));
  EXPECT_EQ(elements(evaluated("relax.where", {condition, a, b}, DType::float32).value), (V{1, 2, 5, 5}));
}

TEST(Where, DemandsABoolConditionAndOneDtype) {
  const Type b = tensor_type({2}, DType::boolean);
  const Type f = tensor_type({2}, DType::float32);
  const Type i = tensor_type({2}, DType::int32);
  EXPECT_EQ(error_code(inferred("relax.where", {i, f, f})), "type.dtype");
  EXPECT_EQ(error_code(inferred("relax.where", {b, f, i})), "type.dtype");
  EXPECT_TRUE(equal(*inferred("relax.where", {b, b, i}), b));
}

TEST(Where, KeepsTheRankAloneUntilAllShapesAreKnown) {
  const SymVar n = make_sym_var("n");
  const SymVar m = make_sym_var("m");
  const Type condition = tensor_type({n, 3}, DType::boolean);
  const Type row = tensor_type({3}, DType::float32);
  EXPECT_TRUE(equal(*inferred("relax.where", {condition, tensor_type({m, 3}, DType::float32), row}),
                    tensor_type_of_rank(2, DType::float32)));
  const Type unknown = tensor_type_of_rank(1, DType::float32);
  EXPECT_TRUE(
      equal(*inferred("relax.where", {condition, unknown, row}), tensor_type_of_rank(2, DType::float32)));
}

TEST(Where, ForgetsTheVdeviceIfTwoDiffer) {
  const Type b = tensor_type({2}, DType::boolean);
  const Type zero = tensor_type({2}, DType::float32, 0);
  const Type one = tensor_type({2}, DType::float32, 1);
  EXPECT_TRUE(equal(*inferred("relax.where", {b, zero, one}), tensor_type({2}, DType::float32)));
  EXPECT_TRUE(equal(*inferred("relax.where", {b, zero, zero}), zero));
}

}  // namespace
}  // namespace passdiff
