#include <gtest/gtest.h>

#include "core/ops/literal.h"
#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;
const AttrValue kNone = std::monostate();

template <class T>
Result<Type> arange(T start, T end, T step, DType dtype = DType::int64) {
  const std::vector<ExprPtr> args{make_prim(start), make_prim(end), make_prim(step)};
  return infer_call(*find_op("relax.arange"), args, {dtype});
}
Type vector_of(Dim size, DType dtype = DType::int64) {
  return tensor_type({std::move(size)}, dtype);
}

TEST(Arange, CountsIntegersByTvmsFormula) {
  using I = std::int64_t;
  EXPECT_TRUE(equal(*arange<I>(0, 10, 3), vector_of(4)));
  EXPECT_TRUE(equal(*arange<I>(10, 0, -3), vector_of(4)));
  // One too many: numpy has 3 elements, TVM's type says 4.
  EXPECT_TRUE(equal(*arange<I>(5, 0, -2), vector_of(4)));
  EXPECT_TRUE(equal(*arange<I>(5, 5, 1), vector_of(0)));
  EXPECT_EQ(error_code(arange<I>(0, 3, 0)), "type.value");
  EXPECT_EQ(error_code(arange<I>(5, 0, 1)), "type.value");
}

TEST(Arange, SimplifiesSymbolicCounts) {
  const SymVar n = make_sym_var("n");
  const SymVar m = make_sym_var("m");
  EXPECT_TRUE(equal(*arange<Dim>(0, n, 1), vector_of(n)));
  EXPECT_TRUE(equal(*arange<Dim>(n, m, 1), vector_of(Dim(m) - Dim(n))));
  EXPECT_TRUE(equal(*arange<Dim>(1, n, 2), vector_of(Dim::binary(DimOp::floor_divide, n, 2))));
}

TEST(Arange, CountsAndStepsFloats) {
  EXPECT_TRUE(equal(*arange(0.0, 1.0, 0.3, DType::float32), vector_of(4, DType::float32)));
  const Value start = ScalarValue{DType::float64, -0.5};
  const Value end = ScalarValue{DType::float64, 1.5};
  const Value step = ScalarValue{DType::float64, 0.5};
  EXPECT_EQ(elements(evaluated("relax.arange", {start, end, step}, DType::float16, {DType::float16}).value),
            (V{-0.5, 0, 0.5, 1}));
}

TEST(Arange, HasNoElementsIfItRunsTheWrongWay) {
  const auto prim = [](std::int64_t v) -> Value { return ScalarValue{DType::int64, v}; };
  EXPECT_EQ(
      elements(evaluated("relax.arange", {prim(5), prim(0), prim(1)}, DType::int64, {DType::int64}).value),
      V{});
  EXPECT_EQ(
      elements(evaluated("relax.arange", {prim(5), prim(0), prim(-2)}, DType::int64, {DType::int64}).value),
      (V{5, 3, 1}));
}

TEST(Full, TakesAScalarTensorAndItsDtypeUnlessGivenOne) {
  const ExprPtr shape = make_shape({2, 3});
  const auto full = [&](Type fill, AttrValue dtype) {
    const std::vector<ExprPtr> args{shape, var_expr(make_var("v", std::move(fill)))};
    return infer_call(*find_op("relax.full"), args, {std::move(dtype)});
  };
  EXPECT_TRUE(
      equal(*full(tensor_type({}, DType::float32, 1), kNone), tensor_type({2, 3}, DType::float32, 1)));
  EXPECT_TRUE(equal(*full(tensor_type({}, DType::float32), DType::int8), tensor_type({2, 3}, DType::int8)));
  EXPECT_EQ(error_code(full(tensor_type({1}, DType::float32), kNone)), "type.rank");
  EXPECT_EQ(error_code(full(tensor_type_of_rank(kUnknownRank, DType::float32), kNone)), "type.rank");
}

TEST(Full, CastsTheFillValue) {
  const Value shape = ShapeValue{{2}};
  const Value fill = tensor_value(floats(DType::float32, {}, {-1.75}));
  EXPECT_EQ(elements(evaluated("relax.full", {shape, fill}, DType::int8, {DType::int8}).value), (V{-1, -1}));
  EXPECT_EQ(elements(evaluated("relax.full", {shape, fill}, DType::boolean, {DType::boolean}).value),
            (V{1, 1}));
  EXPECT_EQ(evaluated("relax.full", {shape, fill}, DType::uint8, {DType::uint8}).undefined,
            std::vector<UndefinedRule>{UndefinedRule::float_to_int});
}

// The cosine of a rounded angle would give 0.2294921875.
TEST(HammingWindow, HasItsAnglesInFloat32) {
  const auto real = [](double value) -> Value { return ScalarValue{DType::float64, value}; };
  const Value size = ScalarValue{DType::int64, std::int64_t{7}};
  const Value periodic = ScalarValue{DType::boolean, std::int64_t{1}};
  const V window = elements(evaluated("relax.hamming_window", {size, periodic, real(0.54), real(0.5)},
                                      DType::float16, {DType::float16})
                                .value);
  EXPECT_EQ(window[6], 0.228271484375);
}

TEST(OnesLike, KeepsShapeAndVdeviceAndMayChangeTheDtype) {
  const Type x = tensor_type({2}, DType::float32, 1);
  EXPECT_TRUE(equal(*inferred("relax.ones_like", {x}, {kNone}), x));
  EXPECT_TRUE(
      equal(*inferred("relax.zeros_like", {x}, {DType::boolean}), tensor_type({2}, DType::boolean, 1)));
  EXPECT_EQ(error_code(inferred("relax.ones_like", {x}, {std::string("float32")})), "type.attribute");
}

}  // namespace
}  // namespace passdiff
