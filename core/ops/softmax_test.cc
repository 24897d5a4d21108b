#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/ops/test_values.h"

namespace passdiff {
namespace {


std::vector<double> softened(const std::vector<double>& values, DType dtype = DType::float32) {
  const Tensor x = floats(dtype, {static_cast<std::int64_t>(values.size())}, values);
  return elements(evaluated("relax.nn.softmax", {tensor_value(x)}, dtype, {std::int64_t{-1}}).value);
}

TEST(Softmax, OfEqualElementsIsUniform) {
  EXPECT_EQ(softened({3, 3, 3, 3}), (std::vector<double>{0.25, 0.25, 0.25, 0.25}));
  EXPECT_EQ(softened({1000, 1000}, DType::float16), (std::vector<double>{0.5, 0.5}));
}

TEST(Softmax, IsNanAllOverBesideNanOrInfinity) {
  for (const double odd : {kInf, std::nan("")}) {
    for (const double y : softened({odd, 1})) EXPECT_TRUE(std::isnan(y));
    for (const double y : softened({1, odd})) EXPECT_TRUE(std::isnan(y));
  }
  for (const double y : softened({-kInf, -kInf})) EXPECT_TRUE(std::isnan(y));
  EXPECT_EQ(softened({-kInf, 1}), (std::vector<double>{0, 1}));
}

TEST(Softmax, RunsAlongItsAxis) {
  const Tensor x = floats(DType::float32, {2, 2}, {0, 5, 0, 5});
  const Value y = evaluated("relax.nn.softmax", {tensor_value(x)}, DType::float32, {std::int64_t{0}}).value;
  EXPECT_EQ(elements(y), (std::vector<double>{0.5, 0.5, 0.5, 0.5}));
}

TEST(Softmax, WantsAFloatDtypeAndAnAxis) {
  const Attrs last{std::int64_t{-1}};
  EXPECT_EQ(error_code(inferred("relax.nn.softmax", {tensor_type({2}, DType::int32)}, last)), "type.dtype");
  EXPECT_EQ(error_code(inferred("relax.nn.softmax", {tensor_type({}, DType::float32)}, last)), "type.axis");
}

}  // namespace
}  // namespace passdiff
