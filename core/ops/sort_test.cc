// sort, argsort, topk, median, unique, nonzero, bucketize: values measured on TVM.
#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/literal.h"
#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;

const Tensor& matrix() {
  static const Tensor tensor = floats(DType::float32, {3, 4}, {3, 1, 2, 2, 5, 5, 0, 7, 1, 2, 3, 9});
  return tensor;
}
Value of(std::string_view op, const Tensor& x, const Attrs& attrs) {
  return evaluated(op, {tensor_value(x)}, x.dtype, attrs).value;
}
Attrs axis_and(std::int64_t axis, bool descending) {
  return {axis, descending};
}
Attrs axes(std::vector<std::int64_t> axes, bool keepdims = false) {
  return {std::move(axes), keepdims};
}

TEST(Sort, OrdersEachLineAlongTheAxis) {
  EXPECT_EQ(elements(of("relax.sort", matrix(), axis_and(-1, false))),
            (V{1, 2, 2, 3, 0, 5, 5, 7, 1, 2, 3, 9}));
  EXPECT_EQ(elements(of("relax.sort", matrix(), axis_and(0, true))), (V{5, 5, 3, 9, 3, 2, 2, 7, 1, 1, 0, 2}));
}

TEST(Argsort, KeepsEqualsInTheirOrderWhicheverWayItGoes) {
  Attrs attrs = axis_and(0, true);
  attrs.push_back(DType::int64);
  EXPECT_EQ(elements(of("relax.argsort", matrix(), attrs)), (V{1, 1, 2, 2, 0, 2, 0, 1, 2, 0, 1, 0}));
  const Result<Type> type = inferred("relax.argsort", {tensor_type({3, 4}, DType::float32, 1)}, attrs);
  EXPECT_TRUE(equal(*type, tensor_type({3, 4}, DType::int64, 1)));
}

TEST(Topk, TakesAllIfAskedForNone) {
  const Attrs some{std::int64_t{2}, std::int64_t{0}, std::string("both"), false, DType::int32};
  const Value both = of("relax.topk", matrix(), some);
  EXPECT_EQ(elements(both.tuple().fields[0]), (V{1, 1, 0, 2, 3, 2, 2, 7}));
  EXPECT_EQ(elements(both.tuple().fields[1]), (V{2, 0, 1, 0, 0, 2, 0, 1}));
  const Attrs all{std::int64_t{0}, std::int64_t{-1}, std::string("indices"), true, DType::int32};
  EXPECT_EQ(of("relax.topk", matrix(), all).tensor().shape(), (Dims{3, 4}));
  EXPECT_TRUE(equal(*inferred("relax.topk", {tensor_type({3, 4}, DType::float32)}, all),
                    tensor_type({3, 4}, DType::int32)));
}

TEST(Median, IsTheLowerOneOfTwoInTheMiddle) {
  const Type type = *inferred("relax.median", {tensor_type({3, 4}, DType::float32)}, axes({1}));
  EXPECT_TRUE(equal(type, tuple_type({tensor_type({3}, DType::float32), tensor_type({3}, DType::int64)})));
  EvalContext context;
  const Value values[] = {tensor_value(matrix())};
  const Value median = find_op("relax.median")->eval(values, axes({1}), type, context);
  EXPECT_EQ(elements(median.tuple().fields[0]), (V{2, 5, 2}));
  EXPECT_EQ(elements(median.tuple().fields[1]), (V{2, 0, 1}));
}

TEST(Median, IsAPairOverOneAxisAlone) {
  const auto is_pair = [](const Type& operand, const Attrs& attrs) {
    return inferred("relax.median", {operand}, attrs)->as_tuple() != nullptr;
  };
  EXPECT_FALSE(is_pair(tensor_type({3, 4}, DType::float32), {AttrValue(), false}));
  EXPECT_FALSE(is_pair(tensor_type({3, 4}, DType::float32), axes({0, 1})));
  EXPECT_TRUE(is_pair(tensor_type({3, 4}, DType::float32), axes({1}, true)));
  const Type line = tensor_type_of_rank(1, DType::float32);
  EXPECT_TRUE(equal(*inferred("relax.median", {line}, axes({0})),
                    tuple_type({tensor_type(Shape(), DType::float32), tensor_type(Shape(), DType::int64)})));
  EXPECT_TRUE(equal(*inferred("relax.median", {tensor_type_of_rank(3, DType::float32)}, axes({0, 1})),
                    tensor_type_of_rank(1, DType::float32)));
}

Value flag(bool value) {
  return ScalarValue{DType::int64, std::int64_t{value}};
}

TEST(Unique, SortsOrKeepsTheOrderOfFirstOccurrences) {
  const Value x = tensor_value(floats(DType::float32, {3, 4}, {3, 1, 2, 3, 1, 0, 3, 1, 3, 1, 2, 3}));
  const Value sorted =
      evaluated("relax.unique", {x, flag(true), flag(true), flag(false), flag(true)}, DType::float32).value;
  EXPECT_EQ(elements(sorted.tuple().fields[0]), (V{0, 1, 2, 3}));
  EXPECT_EQ(elements(sorted.tuple().fields[1]), (V{5, 1, 2, 0}));
  EXPECT_EQ(elements(sorted.tuple().fields[2]), (V{1, 4, 2, 5}));
  const Value axis = ScalarValue{DType::int64, std::int64_t{-1}};
  const Value along =
      evaluated("relax.unique", {x, flag(false), flag(true), flag(true), flag(true), axis}, DType::float32)
          .value;
  EXPECT_EQ(elements(along.tuple().fields[0]), (V{3, 1, 2, 1, 0, 3, 3, 1, 2}));
  EXPECT_EQ(elements(along.tuple().fields[2]), (V{0, 1, 2, 0}));
  EXPECT_EQ(elements(along.tuple().fields[3]), (V{2, 1, 1}));
}

TEST(Unique, TakesNanForEqual) {
  const Value x = tensor_value(floats(DType::float32, {6}, {NAN, 1, NAN, -0.0, 0.0, INFINITY}));
  const Value all =
      evaluated("relax.unique", {x, flag(true), flag(true), flag(true), flag(true)}, DType::float32).value;
  EXPECT_EQ(elements(all.tuple().fields[1]), (V{3, 1, 5, 0}));
  EXPECT_EQ(elements(all.tuple().fields[2]), (V{3, 1, 3, 0, 0, 2}));
}

TEST(Nonzero, CountsNanAndARankOfNone) {
  EXPECT_EQ(elements(of("relax.nonzero", floats(DType::float32, {2, 2}, {NAN, 0, -0.0, 2}), {})),
            (V{0, 1, 0, 1}));
  EXPECT_EQ(of("relax.nonzero", floats(DType::float32, {}, {3}), {}).tensor().shape(), (Dims{1, 1}));
  EXPECT_EQ(of("relax.nonzero", floats(DType::float32, {2, 0}, {}), {}).tensor().shape(), (Dims{2, 0}));
}

TEST(Bucketize, PutsWhatEqualsABoundaryLeftOrRightOfIt) {
  const Value x = tensor_value(floats(DType::float32, {5}, {NAN, INFINITY, -INFINITY, 0, 2}));
  const Value boundaries = tensor_value(floats(DType::float32, {3}, {-1, 0, 2}));
  EXPECT_EQ(elements(evaluated("relax.bucketize", {x, boundaries}, DType::int64, {false, false}).value),
            (V{0, 3, 0, 1, 2}));
  EXPECT_EQ(elements(evaluated("relax.bucketize", {x, boundaries}, DType::int32, {true, true}).value),
            (V{0, 3, 0, 2, 3}));
}

}  // namespace
}  // namespace passdiff
