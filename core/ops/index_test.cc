#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/literal.h"
#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;
using Ints = std::vector<std::int64_t>;
using Rules = std::vector<UndefinedRule>;
constexpr std::int64_t kZero = 0;
const Rules kOutside{UndefinedRule::index_out_of_bounds};

Value index_row(const Ints& values) {
  return tensor_value(ints(DType::int64, {static_cast<std::int64_t>(values.size())}, values));
}
Evaluated taken(const Value& x, const Value& indices, const AttrValue& axis, const std::string& mode) {
  return evaluated("relax.take", {x, indices}, DType::float32, {axis, mode});
}

TEST(Take, ClipsNegativeIndicesToTheFirst) {
  const Evaluated x = taken(counted({5}), index_row({-1, -5, 0, 4, 5, 12}), kZero, "clip");
  EXPECT_EQ(elements(x.value), (V{0, 0, 0, 4, 4, 4}));
  EXPECT_EQ(x.undefined, Rules{});
}

TEST(Take, WrapsNegativeIndicesInModeWrap) {
  const Evaluated x = taken(counted({5}), index_row({-1, -5, -6, -11, 5, 9, 12}), kZero, "wrap");
  EXPECT_EQ(elements(x.value), (V{4, 0, 4, 4, 0, 4, 2}));
}

TEST(Take, FillsWithNanOnBothSidesInModeNan) {
  const V x = elements(taken(counted({5}), index_row({-1, 0, 5}), kZero, "nan").value);
  EXPECT_TRUE(std::isnan(x[0]));
  EXPECT_EQ(x[1], 0);
  EXPECT_TRUE(std::isnan(x[2]));
}

TEST(Take, ReportsIndicesOutsideTheAxisInModeFastNegativeOnesToo) {
  EXPECT_EQ(taken(counted({5}), index_row({4}), kZero, "fast").undefined, Rules{});
  EXPECT_EQ(taken(counted({5}), index_row({-1}), kZero, "fast").undefined, kOutside);
  EvalContext context;
  const std::vector<Value> args{counted({16}), index_row({63})};
  find_op("relax.take")->eval(args, {kZero, std::string("fast")}, Type(), context);
  EXPECT_EQ(context.log.records().at(0).detail, "index 63 is outside axis 0 of size 16");
}

TEST(Take, PutsTheShapeOfTheIndicesInPlaceOfTheAxis) {
  const Value indices = tensor_value(ints(DType::int32, {2, 1}, {2, 0}));
  const Value x = taken(counted({2, 3}), indices, std::int64_t{-1}, "fast").value;
  EXPECT_EQ(x.tensor().shape(), (Dims{2, 2, 1}));
  EXPECT_EQ(elements(x), (V{2, 0, 5, 3}));
  const Value scalar = tensor_value(ints(DType::int32, {}, {2}));
  EXPECT_EQ(taken(counted({5}), scalar, AttrValue(), "fast").value.tensor().rank(), 0u);
  EXPECT_EQ(elements(taken(counted({2, 3}), ScalarValue{DType::int64, kZero}, kZero, "fast").value),
            (V{0, 1, 2}));
}

TEST(Take, InfersAsTvmDoes) {
  const SymVar n = make_sym_var("n");
  const Type x = tensor_type({n, 3}, DType::float32);
  const auto type = [&](const Type& data, const Type& indices, const AttrValue& axis) {
    return inferred("relax.take", {data, indices}, {axis, std::string("fast")});
  };
  const Type indices = tensor_type({2}, DType::int32);
  EXPECT_TRUE(equal(*type(x, indices, std::int64_t{-1}), tensor_type({n, 2}, DType::float32)));
  EXPECT_TRUE(equal(*type(x, prim_type(DType::int64), kZero), tensor_type({3}, DType::float32)));
  EXPECT_EQ(error_code(type(x, indices, AttrValue())), "type.rank");
  EXPECT_EQ(error_code(type(x, tensor_type({2}, DType::float32), kZero)), "type.dtype");
  EXPECT_EQ(error_code(type(x, indices, std::int64_t{2})), "type.axis");
}

TEST(GatherElements, PicksAlongItsAxis) {
  const Value indices = tensor_value(ints(DType::int64, {1, 4}, {2, 2, 1, 0}));
  const Evaluated x =
      evaluated("relax.gather_elements", {counted({2, 3}), indices}, DType::float32, {std::int64_t{-1}});
  EXPECT_EQ(elements(x.value), (V{2, 2, 1, 0}));
  EXPECT_EQ(x.undefined, Rules{});
}

TEST(GatherElements, ReportsNegativeIndicesAndMoreRowsThanThereAre) {
  const auto rules = [](const Dims& shape, const Ints& values) {
    const Value indices = tensor_value(ints(DType::int64, shape, values));
    return evaluated("relax.gather_elements", {counted({2, 3}), indices}, DType::float32, {std::int64_t{1}})
        .undefined;
  };
  EXPECT_EQ(rules({1, 1}, {-1}), kOutside);
  EXPECT_EQ(rules({1, 1}, {3}), kOutside);
  EXPECT_EQ(rules({3, 1}, {0, 0, 0}), kOutside);
}

ExprPtr tuple_of(const std::vector<Dim>& values) {
  std::vector<ExprPtr> fields;
  std::vector<Type> types;
  for (const Dim& value : values) {
    fields.push_back(make_prim(value));
    types.push_back(prim_type(DType::int64));
  }
  return make_expr(Tuple{fields}, tuple_type(types));
}
Result<Type> slice_type(Shape shape, const Dim& begin, const Dim& end, std::int64_t stride,
                        bool inbound = false) {
  const std::vector<ExprPtr> args{var_expr(make_var("x", tensor_type(std::move(shape), DType::float32))),
                                  tuple_of({0}), tuple_of({begin}), tuple_of({end}), tuple_of({stride})};
  return infer_call(*find_op("relax.strided_slice"), args, {inbound});
}
Value scalars(const Ints& values) {
  TupleValue tuple;
  for (const std::int64_t value : values) tuple.fields.emplace_back(ScalarValue{DType::int64, value});
  return tuple;
}
Evaluated sliced(const Value& x, std::int64_t begin, std::int64_t end, std::int64_t stride,
                 bool inbound = false) {
  return evaluated("relax.strided_slice",
                   {x, scalars({0}), scalars({begin}), scalars({end}), scalars({stride})}, DType::float32,
                   {inbound});
}

TEST(StridedSlice, CountsFromTheEndAndClampsAsPythonDoes) {
  const Value x = counted({5});
  EXPECT_EQ(elements(sliced(x, -3, -1, 1).value), (V{2, 3}));
  EXPECT_EQ(elements(sliced(x, -10, 10, 1).value), elements(x));
  EXPECT_EQ(elements(sliced(x, 4, -6, -1).value), (V{4, 3, 2, 1, 0}));
  EXPECT_EQ(elements(sliced(x, 10, -10, -2).value), (V{4, 2, 0}));
  EXPECT_EQ(elements(sliced(x, 0, 5, 2).value), (V{0, 2, 4}));
  EXPECT_EQ(sliced(x, 7, 9, 1).value.tensor().size(), 0u);
}

TEST(StridedSlice, InfersTheLengthThatIsEvaluated) {
  const auto length = [](std::int64_t begin, std::int64_t end, std::int64_t stride) {
    return (*slice_type({5}, begin, end, stride)).as_tensor()->shape->at(0).value();
  };
  EXPECT_EQ(length(-10, 10, 1), 5);
  EXPECT_EQ(length(10, -10, -2), 3);
  EXPECT_EQ(length(0, INT64_MAX, 1), 5);
  EXPECT_EQ(error_code(slice_type({5}, 3, 1, 1)), "type.slice");
  EXPECT_EQ(error_code(slice_type({5}, 1, 4, 0)), "type.slice");
  EXPECT_EQ(error_code(slice_type({5}, 0, 9, 1, true)), "type.not-inbound");
  EXPECT_TRUE(equal(*slice_type({5}, -3, -1, 1, true), tensor_type({2}, DType::float32)));
}

TEST(StridedSlice, TrustsAssumeInboundOnASymbolicAxisUntilRunTime) {
  const SymVar n = make_sym_var("n");
  EXPECT_TRUE(equal(*slice_type({n}, 1, n, 1, true), tensor_type({Dim(n) - Dim(1)}, DType::float32)));
  EXPECT_TRUE(equal(*slice_type({n}, 1, 3, 1, true), tensor_type({2}, DType::float32)));
  EXPECT_TRUE(equal(*slice_type({n}, 0, n, 1), tensor_type({n}, DType::float32)));
  EXPECT_EQ(sliced(counted({2}), 1, 3, 1, true).undefined, kOutside);
  EXPECT_EQ(sliced(counted({3}), 1, 3, 1, true).undefined, Rules{});
}

TEST(StridedSlice, TakesSeveralAxesAndTheirStridesByDefaultOne) {
  const std::vector<Value> args{counted({2, 3}), scalars({-1, 0}), scalars({0, 1}), scalars({2, 2})};
  EXPECT_EQ(elements(evaluated("relax.strided_slice", args, DType::float32, {false}).value), (V{3, 4}));
}

}  // namespace
}  // namespace passdiff
