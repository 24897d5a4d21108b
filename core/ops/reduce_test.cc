#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;
using Ints = std::vector<std::int64_t>;
using Rules = std::vector<UndefinedRule>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
const Attrs kAll{AttrValue(), false};

Value row(const V& values, DType dtype = DType::float32) {
  return tensor_value(floats(dtype, {static_cast<std::int64_t>(values.size())}, values));
}
Value int_row(const Ints& values, DType dtype) {
  return tensor_value(ints(dtype, {static_cast<std::int64_t>(values.size())}, values));
}
double folded(std::string_view op, const V& values) {
  return elements(evaluated(op, {row(values)}, DType::float32, kAll).value).at(0);
}

TEST(Sum, ReducesTheAxesItIsGivenInAnyOrderAndFromTheEnd) {
  const Value x = tensor_value(floats(DType::float32, {2, 1, 3}, {1, 2, 3, 4, 5, 6}));
  const auto sum = [&](const AttrValue& axes, bool keepdims) {
    return evaluated("relax.sum", {x}, DType::float32, {axes, keepdims}).value;
  };
  EXPECT_EQ(elements(sum(Ints{-1}, false)), (V{6, 15}));
  EXPECT_EQ(elements(sum(Ints{0}, false)), (V{5, 7, 9}));
  EXPECT_EQ(sum(Ints{-1, 0}, true).tensor().shape(), (Dims{1, 1, 1}));
  EXPECT_EQ(elements(sum(AttrValue(), false)), V{21});
  EXPECT_EQ(elements(sum(Ints{}, false)), elements(x));
}

TEST(Sum, KeepsTheDtypeSoThatInt8WrapsAndBoolIsAnyOf) {
  EXPECT_EQ(
      elements(evaluated("relax.sum", {int_row({100, 100, 100, -7}, DType::int8)}, DType::int8, kAll).value),
      V{37});
  EXPECT_EQ(elements(evaluated("relax.sum", {int_row({1, 1}, DType::boolean)}, DType::boolean, kAll).value),
            V{1});
  EXPECT_EQ(elements(evaluated("relax.prod", {int_row({1, 0}, DType::boolean)}, DType::boolean, kAll).value),
            V{0});
}

TEST(Sum, OverNothingIsZeroAndTheProductIsOne) {
  const Value empty = tensor_value(floats(DType::float32, {2, 0}, {}));
  EXPECT_EQ(elements(evaluated("relax.sum", {empty}, DType::float32, {Ints{1}, false}).value), (V{0, 0}));
  EXPECT_EQ(elements(evaluated("relax.prod", {empty}, DType::float32, {Ints{1}, false}).value), (V{1, 1}));
}

TEST(Sum, ReportsOverflowOfTheExactResultOnly) {
  const std::int64_t half = std::int64_t{1} << 30;
  EXPECT_EQ(evaluated("relax.sum", {int_row({half, half}, DType::int32)}, DType::int32, kAll).undefined,
            Rules{UndefinedRule::signed_overflow});
  EXPECT_EQ(evaluated("relax.sum", {int_row({half, half, -1}, DType::int32)}, DType::int32, kAll).undefined,
            Rules{});
  EXPECT_EQ(
      evaluated("relax.prod", {int_row({half, half, half, half, half, 0}, DType::int64)}, DType::int64, kAll)
          .undefined,
      Rules{});
}

TEST(Sum, OfFloatsMayOverflowOnTheWay) {
  const auto of = [](const char* op, std::initializer_list<double> numbers, DType dtype) {
    return elements(evaluated(op, {row(numbers, dtype)}, dtype, kAll).value);
  };
  EXPECT_EQ(of("relax.prod", {300, 300, 0.5}, DType::float16), V{kInf});
  EXPECT_TRUE(std::isnan(of("relax.prod", {300, 300, 0}, DType::float16).at(0)));
  EXPECT_EQ(of("relax.sum", {60000, 60000, -60000}, DType::float16), V{kInf});
  EXPECT_EQ(of("relax.mean", {60000, 60000, -60000}, DType::float16), V{kInf});
  EXPECT_EQ(of("relax.prod", {65504, 1.0001, 1}, DType::float16), V{65504}) << "rounds to the largest number";
  EXPECT_EQ(of("relax.prod", {300, 300, 0.5}, DType::float32), V{45000});
}

TEST(Mean, RoundsTheSumToTheDtypeFirst) {
  const Value large = row({60000, 60000}, DType::float16);
  EXPECT_EQ(elements(evaluated("relax.mean", {large}, DType::float16, kAll).value), V{kInf});
  EXPECT_EQ(folded("relax.mean", {1, 2, 4}), static_cast<double>(7.0f / 3.0f));
  EXPECT_EQ(elements(evaluated("relax.mean", {int_row({-3, 0}, DType::int32)}, DType::int32, kAll).value),
            V{-1});
}

// Measured on TVM 0.27: a NaN is forgotten by the next element.
TEST(MaxAndMin, RememberANanOnlyIfItIsTheLastElement) {
  EXPECT_EQ(folded("relax.max", {1, kNan, 3, 3, 2}), 3);
  EXPECT_EQ(folded("relax.max", {kNan, 1, 2}), 2);
  EXPECT_TRUE(std::isnan(folded("relax.max", {1, 2, kNan})));
  EXPECT_EQ(folded("relax.min", {1, kNan, 3, 3, 2}), 2);
  EXPECT_TRUE(std::signbit(folded("relax.max", {0.0, -0.0})));
  EXPECT_EQ(folded("relax.max", {-kInf, -kInf}), -kInf);
}

TEST(ArgmaxAndArgmin, TakeTheFirstOfEqualsAndSkipPastNan) {
  EXPECT_EQ(folded("relax.argmax", {3, 1, 3, 1}), 0);
  EXPECT_EQ(folded("relax.argmin", {3, 1, 3, 1}), 1);
  EXPECT_EQ(folded("relax.argmax", {1, kNan, 3, 3, 2}), 2);
  EXPECT_EQ(folded("relax.argmin", {1, kNan, 3, 3, 2}), 4);
  EXPECT_EQ(folded("relax.argmax", {kNan, 1, 2}), 2);
  EXPECT_EQ(folded("relax.argmax", {kNan, kNan}), 1);
  const Value x = tensor_value(floats(DType::float32, {2, 2}, {1, 5, 5, 2}));
  EXPECT_EQ(elements(evaluated("relax.argmax", {x}, DType::int64, {std::int64_t{-1}, true}).value),
            (V{1, 0}));
  EXPECT_EQ(elements(evaluated("relax.argmax", {x}, DType::int64, kAll).value), V{1});
}

TEST(Extremes, OverNothingReadUninitialisedMemory) {
  const Value empty = tensor_value(floats(DType::float32, {2, 0}, {}));
  const Rules uninitialised{UndefinedRule::uninitialised_read};
  EXPECT_EQ(evaluated("relax.max", {empty}, DType::float32, {Ints{1}, false}).undefined, uninitialised);
  EXPECT_EQ(evaluated("relax.argmin", {empty}, DType::int64, {std::int64_t{1}, false}).undefined,
            uninitialised);
  EXPECT_EQ(evaluated("relax.max", {empty}, DType::float32, {Ints{0}, false}).undefined, Rules{});
}

TEST(Cumsum, RoundsEveryPrefixToTheDtype) {
  const auto sum = [](const Value& x, const Attrs& attrs, DType dtype) {
    return elements(evaluated("relax.cumsum", {x}, dtype, attrs).value);
  };
  const std::int64_t axis = 0;
  EXPECT_EQ(sum(row({2048, 1, 1, 1}, DType::float16), {axis, AttrValue(), false}, DType::float16),
            (V{2048, 2048, 2048, 2048}));
  EXPECT_EQ(sum(row({2048, 1.3, 1, 1, 70000}), {axis, DType::float16, false}, DType::float16),
            (V{2048, 2050, 2052, 2052, kInf}));
  EXPECT_EQ(sum(row({1.6, 1.6, -1.7}), {axis, DType::int32, false}, DType::int32), (V{1, 2, 1}));
  EXPECT_EQ(sum(int_row({300, 1, 127}, DType::int32), {axis, DType::int8, false}, DType::int8),
            (V{44, 45, -84}));
  EXPECT_EQ(sum(int_row({200, 200, 1}, DType::uint8), {axis, AttrValue(), true}, DType::uint8),
            (V{0, 200, 144}));
}

TEST(Cumsum, FlattensWithoutAnAxis) {
  const Value x = tensor_value(floats(DType::float32, {2, 2}, {1, 2, 3, 4}));
  const Attrs flat{AttrValue(), AttrValue(), false};
  EXPECT_EQ(elements(evaluated("relax.cumsum", {x}, DType::float32, flat).value), (V{1, 3, 6, 10}));
  const Attrs columns{std::int64_t{-2}, AttrValue(), true};
  EXPECT_EQ(elements(evaluated("relax.cumsum", {x}, DType::float32, columns).value), (V{0, 0, 1, 2}));
  const SymVar n = make_sym_var("n");
  const V zeros = elements(evaluated("relax.cumsum", {row({-0.0, 1})}, DType::float32, {std::monostate{}, std::monostate{}, true}).value);
  EXPECT_FALSE(std::signbit(zeros.at(1))) << "0 and -0 are 0";
  const Type type = *inferred("relax.cumsum", {tensor_type({n, 3}, DType::float32)}, flat);
  EXPECT_TRUE(equal(type, tensor_type({Dim(n) * Dim(3)}, DType::float32)));
}

TEST(Reductions, InferUnknownShapesAsTvmDoes) {
  const Type unknown = tensor_type_of_rank(2, DType::float32);
  const auto type = [&](const Type& x, const AttrValue& axes, bool keep) {
    return *inferred("relax.sum", {x}, {axes, keep});
  };
  EXPECT_TRUE(equal(type(unknown, AttrValue(), true), tensor_type({1, 1}, DType::float32)));
  EXPECT_TRUE(equal(type(unknown, Ints{0, 1}, false), tensor_type({}, DType::float32)));
  EXPECT_TRUE(equal(type(unknown, Ints{0}, true), unknown));
  const Type ranks = tensor_type_of_rank(kUnknownRank, DType::float32);
  EXPECT_TRUE(equal(type(ranks, Ints{9, 9}, false), ranks));
  EXPECT_TRUE(equal(type(ranks, AttrValue(), false), tensor_type({}, DType::float32)));
  EXPECT_EQ(error_code(inferred("relax.sum", {unknown}, {Ints{0, -2}, false})), "type.repeated-axis");
  EXPECT_EQ(error_code(inferred("relax.argmax", {unknown}, {std::int64_t{2}, false})), "type.axis");
}

}  // namespace
}  // namespace passdiff
