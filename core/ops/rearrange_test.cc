// reverse_sequence, meshgrid, view, layout_transform, quantize, einsum: values measured on TVM.
#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/literal.h"
#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;

Value floats32(const Dims& shape, const V& values) {
  return tensor_value(floats(DType::float32, shape, values));
}
Value int64s(const std::vector<std::int64_t>& values) {
  return tensor_value(ints(DType::int64, {static_cast<std::int64_t>(values.size())}, values));
}

TEST(ReverseSequence, LeavesShortLinesAndClampsLongOnes) {
  const Value x = floats32({3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const auto reversed = [&](const Value& lengths, std::int64_t along, std::int64_t batch) {
    return elements(evaluated("relax.reverse_sequence", {x, lengths}, DType::float32, {along, batch}).value);
  };
  EXPECT_EQ(reversed(int64s({0, 2, 9}), 1, 0), (V{0, 1, 2, 3, 5, 4, 6, 7, 11, 10, 9, 8}));
  EXPECT_EQ(reversed(int64s({0, 2, 3, -1}), 0, 1), (V{0, 5, 10, 3, 4, 1, 6, 7, 8, 9, 2, 11}));
}

TEST(Meshgrid, ExchangesTheFirstTwoAxesForXy) {
  TupleValue vectors;
  vectors.fields = {floats32({2}, {0, 1}), floats32({3}, {0, 1, 2})};
  const Value ij = evaluated("relax.meshgrid", {vectors}, DType::float32, {std::string("ij")}).value;
  EXPECT_EQ(elements(ij.tuple().fields[0]), (V{0, 0, 0, 1, 1, 1}));
  const Value xy = evaluated("relax.meshgrid", {vectors}, DType::float32, {std::string("xy")}).value;
  EXPECT_EQ(xy.tuple().fields[0].tensor().shape(), (Dims{3, 2}));
  EXPECT_EQ(elements(xy.tuple().fields[0]), (V{0, 1, 0, 1, 0, 1}));
}

TEST(View, ReadsTheBytesFromItsOffsetOn) {
  const Value x = floats32({2, 3}, {0, 1, 2, 3, 4, 5});
  const Value none = TupleValue{};
  const auto viewed = [&](const Value& shape, const Value& dtype, const Value& offset) {
    return evaluated("relax.memory.view", {x, shape, dtype, offset}, DType::float32);
  };
  EXPECT_EQ(elements(viewed(ShapeValue{{2}}, none, ScalarValue{DType::int64, std::int64_t{4}}).value),
            (V{1, 2}));
  EXPECT_EQ(elements(viewed(ShapeValue{{1}}, DType::int64, none).value), (V{0x3f80000000000000}));
  EXPECT_EQ(viewed(ShapeValue{{2}}, none, ScalarValue{DType::int64, std::int64_t{20}}).undefined,
            std::vector{UndefinedRule::index_out_of_bounds});
}

TEST(LayoutTransform, PadsTheLastPartOfASplitAxis) {
  const SymVar i = make_sym_var("i");
  const IndexMap split{
      {i}, {Dim::binary(DimOp::floor_divide, Dim(i), 4), Dim::binary(DimOp::floor_mod, Dim(i), 4)}};
  const Value x = floats32({6}, {0, 1, 2, 3, 4, 5});
  const Value y = evaluated("relax.layout_transform", {x}, DType::float32, {split, 2.5}).value;
  EXPECT_EQ(y.tensor().shape(), (Dims{2, 4}));
  EXPECT_EQ(elements(y), (V{0, 1, 2, 3, 4, 5, 2.5, 2.5}));
  const Result<Type> small =
      inferred("relax.layout_transform", {tensor_type({3}, DType::int8)}, {split, AttrValue()});
  EXPECT_TRUE(equal(*small, tensor_type({1, 4}, DType::int8)));
  // A pad value is of the operand's dtype.
  EXPECT_EQ(error_code(inferred("relax.layout_transform", {tensor_type({3}, DType::int8)}, {split, 2.5})),
            "type.dtype");
  EXPECT_EQ(error_code(inferred("relax.layout_transform", {tensor_type({3}, DType::boolean)},
                                {split, std::int64_t{3}})),
            "type.value");
}

TEST(LayoutTransform, IsAsLongAsTheLargestSumOfIndices) {
  const SymVar i = make_sym_var("i"), j = make_sym_var("j");
  const auto extent = [&](const Shape& sizes, const Dim& index) {
    const IndexMap map{{i, j}, {index}};
    const auto type = inferred("relax.layout_transform", {tensor_type(sizes, DType::int8)}, {map, AttrValue()});
    return (*type->as_tensor()->shape)[0];
  };
  EXPECT_EQ(extent({4, 3}, Dim(i) * 3 + Dim(j)).value(), 12);
  EXPECT_EQ(extent({4, 2}, Dim(i) * 3 + Dim(j)).value(), 11);
  EXPECT_EQ(extent({2, 5}, Dim(i) * 4 + Dim(j)).value(), 9);
  EXPECT_EQ(extent({3, 2}, Dim(i) + Dim(j) * 4).value(), 7);
  const Dim n(make_sym_var("n"));
  EXPECT_TRUE(proven_equal(extent({n, 3}, Dim(i) * 3 + Dim(j)), n * 3));
  EXPECT_TRUE(proven_equal(extent({3, n}, Dim(i) * 3 + Dim(j)), n + Dim(6)));
}

TEST(Quantize, RoundsToEvenClipsAndTakesNanForTheUpperBound) {
  const Value x = floats32({10}, {NAN, INFINITY, -INFINITY, -0.0, 0.5, 1.5, 2.5, -2.5, 1000, -1000});
  const Value scale = floats32({}, {1});
  const Value zero_point = tensor_value(ints(DType::int8, {}, {3}));
  const auto quantized = [&](DType dtype) {
    return elements(
        evaluated("relax.quantize", {x, scale, zero_point}, dtype, {std::int64_t{0}, dtype}).value);
  };
  EXPECT_EQ(quantized(DType::int8), (V{127, 127, -128, 3, 3, 5, 5, 1, 127, -128}));
  EXPECT_EQ(quantized(DType::uint8), (V{255, 255, 0, 3, 3, 5, 5, 1, 255, 0}));
}

TEST(Dequantize, SubtractsBeforeItScales) {
  const Value x = tensor_value(ints(DType::int8, {1, 3}, {-128, 127, 5}));
  const Value zero_point = tensor_value(ints(DType::int8, {}, {3}));
  const auto dequantized = [&](const V& scale, DType dtype) {
    return elements(
        evaluated("relax.dequantize", {x, floats32({3}, scale), zero_point}, dtype, {std::int64_t{-1}, dtype})
            .value);
  };
  EXPECT_EQ(dequantized({1, 2, .5}, DType::float32), (V{-131, 248, 1}));
  EXPECT_EQ(dequantized({1000, 2, .5}, DType::float16), (V{-65504, 248, 1}));
  // From floats a float32 is subtracted.
  const Value large = tensor_value(ints(DType::int32, {}, {(1 << 25) + 3}));
  EXPECT_EQ(elements(evaluated("relax.dequantize", {floats32({1}, {3}), floats32({}, {1}), large}, DType::float32,
                               {std::int64_t{0}, DType::float32})
                         .value),
            (V{-0x1p25}));
}

TEST(Einsum, ReadsDiagonalsEllipsesAndImplicitResults) {
  const Value square = floats32({2, 2}, {1, 2, 3, 4});
  const auto sum = [](const std::vector<Value>& operands, const std::string& subscripts) {
    TupleValue tuple;
    tuple.fields = operands;
    return evaluated("relax.einsum", {tuple}, DType::float32, {subscripts}).value;
  };
  EXPECT_EQ(elements(sum({square}, "ii->i")), (V{1, 4}));
  EXPECT_EQ(elements(sum({square}, "ii")), (V{5}));
  EXPECT_EQ(elements(sum({square}, "ba")), (V{1, 3, 2, 4}));
  EXPECT_EQ(elements(sum({square}, "a b -> ")), (V{10}));
  EXPECT_EQ(elements(sum({floats32({2}, {1, 2})}, "i->ii")), (V{1, 1, 2, 2}));
  EXPECT_EQ(elements(sum({square, square}, "...ij,...jk->...ik")), (V{7, 10, 15, 22}));
  EXPECT_EQ(elements(sum({square, floats32({1, 2}, {10, 20})}, "ij,ij->j")), (V{40, 120}));
}

}  // namespace
}  // namespace passdiff
