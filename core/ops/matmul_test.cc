#include <gtest/gtest.h>

#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;
using Rules = std::vector<UndefinedRule>;
const Attrs kNoDtype{AttrValue()};


Evaluated product(const Value& a, const Value& b, DType dtype = DType::float32,
                  const Attrs& attrs = kNoDtype) {
  return evaluated("relax.matmul", {a, b}, dtype, attrs);
}

Type product_type(const Type& a, const Type& b) {
  return *inferred("relax.matmul", {a, b}, kNoDtype);
}

TEST(Matmul, DropsTheAxisThatARankOneOperandLacks) {
  const Value row = tensor_value(floats(DType::float32, {2}, {1, 2}));
  EXPECT_EQ(elements(product(row, counted({2, 3})).value), (V{6, 9, 12}));
  EXPECT_EQ(elements(product(counted({3, 2}), row).value), (V{2, 8, 14}));
  const Value dot = product(row, row).value;
  EXPECT_EQ(dot.tensor().rank(), 0u);
  EXPECT_EQ(elements(dot), V{5});
}

TEST(Matmul, BroadcastsBatchAxesOfBothOperands) {
  const Value a = counted({2, 1, 1, 2});
  const Value b = counted({3, 2, 1});
  const Value c = product(a, b).value;
  EXPECT_EQ(c.tensor().shape(), (Dims{2, 3, 1, 1}));
  EXPECT_EQ(elements(c), (V{1, 3, 5, 3, 13, 23}));
}

TEST(Matmul, IsZeroWhereNothingIsSummed) {
  EXPECT_EQ(elements(product(counted({2, 0}), counted({0, 1})).value), (V{0, 0}));
  EXPECT_EQ(elements(product(counted({0}), counted({0})).value), V{0});
}

TEST(Matmul, CastsOperandsToOutDtypeBeforeMultiplying) {
  const Value a = tensor_value(floats(DType::float32, {2}, {2049, 0}));
  const Value b = tensor_value(floats(DType::float32, {2}, {1, 1}));
  EXPECT_EQ(elements(product(a, b, DType::float16, {DType::float16}).value), V{2048});
  const Value c = tensor_value(floats(DType::float32, {2}, {1.6, -1.6}));
  EXPECT_EQ(elements(product(c, c, DType::int32, {DType::int32}).value), V{2});
  const Value d = tensor_value(ints(DType::int8, {2}, {100, 101}));
  const Value e = tensor_value(ints(DType::int8, {2}, {3, 3}));
  EXPECT_EQ(elements(product(d, e, DType::int32, {DType::int32}).value), V{603});
  EXPECT_EQ(elements(product(d, e, DType::int8).value), V{91});
}

TEST(Matmul, ReportsOverflowOfInt32AndInt64ButNotOfInt8) {
  const auto square = [](DType dtype, std::int64_t x) {
    const Value v = tensor_value(ints(dtype, {2}, {x, x}));
    return product(v, v, dtype).undefined;
  };
  EXPECT_EQ(square(DType::int32, 1 << 16), Rules{UndefinedRule::signed_overflow});
  EXPECT_EQ(square(DType::int32, 1 << 14), Rules{});
  EXPECT_EQ(square(DType::int64, std::int64_t{1} << 62), Rules{UndefinedRule::signed_overflow});
  EXPECT_EQ(square(DType::int8, 100), Rules{});
}

TEST(Matmul, SumsBeyondTheRangeThatComeBackDoNotOverflow) {
  const Value a = tensor_value(ints(DType::int32, {3}, {1 << 30, 1 << 30, -(1 << 30)}));
  const Value b = tensor_value(ints(DType::int32, {3}, {1, 1, 1}));
  const Evaluated sum = product(a, b, DType::int32);
  EXPECT_EQ(sum.undefined, Rules{});
  EXPECT_EQ(elements(sum.value), V{1 << 30});
}

TEST(Matmul, InfersSymbolicShapesAsTvmDoes) {
  const SymVar n = make_sym_var("n");
  const SymVar m = make_sym_var("m");
  const DType f = DType::float32;
  EXPECT_TRUE(equal(product_type(tensor_type({n, m}, f), tensor_type({m, 3}, f)), tensor_type({n, 3}, f)));
  EXPECT_TRUE(
      equal(product_type(tensor_type({n, 2, 2}, f), tensor_type({1, 2, 2}, f)), tensor_type({n, 2, 2}, f)));
  // The batch is in doubt: the reduced sizes are then not even compared.
  EXPECT_TRUE(
      equal(product_type(tensor_type({n, 2, 2}, f), tensor_type({m, 3, 2}, f)), tensor_type_of_rank(3, f)));
  EXPECT_TRUE(
      equal(product_type(tensor_type_of_rank(1, f), tensor_type({2, 2}, f)), tensor_type_of_rank(1, f)));
}

TEST(Matmul, RejectsRankZeroAndDifferentReducedSizesAndDtypes) {
  const auto code = [](const Type& a, const Type& b) {
    return error_code(inferred("relax.matmul", {a, b}, kNoDtype));
  };
  const Type square = tensor_type({2, 2}, DType::float32);
  EXPECT_EQ(code(tensor_type({}, DType::float32), square), "type.rank");
  EXPECT_EQ(code(square, tensor_type({3, 2}, DType::float32)), "type.matmul");
  EXPECT_EQ(code(square, tensor_type({2, 2}, DType::float16)), "type.dtype");
  EXPECT_EQ(code(tensor_type({2, 2, 2}, DType::float32), tensor_type({3, 2, 2}, DType::float32)),
            "type.broadcast");
}

}  // namespace
}  // namespace passdiff
