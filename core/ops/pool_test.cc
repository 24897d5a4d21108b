#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;
using Ints = std::vector<std::int64_t>;
using Given = std::vector<std::pair<std::string_view, AttrValue>>;

V pooled(std::string_view op, const V& values, const Given& given) {
  const Tensor x = floats(DType::float32, {1, 1, static_cast<std::int64_t>(values.size())}, values);
  return elements(evaluated(op, {tensor_value(x)}, DType::float32, attrs_with(op, given)).value);
}

TEST(MaxPool, ForgetsANanBeforeAnotherElement) {
  const V y = pooled("relax.nn.max_pool1d", {NAN, 1, NAN}, {{"pool_size", Ints{2}}});
  EXPECT_EQ(y[0], 1);
  EXPECT_TRUE(std::isnan(y[1]));
}

TEST(MaxPool, RoundsUpButForNoWindowBehindTheOperand) {
  const Given given{{"pool_size", Ints{2}}, {"strides", Ints{3}}, {"ceil_mode", true}};
  EXPECT_EQ(pooled("relax.nn.max_pool1d", {1, 2, 3, 4}, given), (V{2, 4}));
  EXPECT_EQ(pooled("relax.nn.max_pool1d", {1, 2, 3}, given), (V{2}));
}

TEST(AvgPool, CountsPaddingIfAsked) {
  Given given{{"pool_size", Ints{2}}, {"padding", Ints{1}}, {"count_include_pad", false}};
  EXPECT_EQ(pooled("relax.nn.avg_pool1d", {2, 4}, given), (V{2, 3, 4}));
  given.back().second = true;
  EXPECT_EQ(pooled("relax.nn.avg_pool1d", {2, 4}, given), (V{1, 3, 2}));
}

TEST(AdaptiveAvgPool, SharesElementsBetweenWindows) {
  EXPECT_EQ(pooled("relax.nn.adaptive_avg_pool1d", {1, 2, 6}, {{"output_size", Ints{2}}}), (V{1.5, 4}));
}

TEST(PoolGradient, GoesToTheFirstMaximumOrToAllAlike) {
  const Tensor x = floats(DType::float32, {1, 1, 2, 2}, {1, 5, 5, 2});
  const Tensor grad = floats(DType::float32, {1, 1, 1, 1}, {8});
  const auto gradient = [&](std::string_view op) {
    const Attrs attrs = attrs_with(op, {{"pool_size", Ints{2, 2}}});
    return elements(evaluated(op, {tensor_value(grad), tensor_value(x)}, DType::float32, attrs).value);
  };
  EXPECT_EQ(gradient("relax.grad.max_pool2d_backward"), (V{0, 8, 0, 0}));
  EXPECT_EQ(gradient("relax.grad.avg_pool2d_backward"), (V{2, 2, 2, 2}));
}

// Both 5 are largest; which of them comes first is a matter of the layout.
TEST(PoolGradient, GoesToTheMaximumThatIsStoredFirst) {
  const std::string_view op = "relax.grad.max_pool2d_backward";
  const auto gradient = [&](std::string layout, std::vector<std::int64_t> shape) {
    const Tensor grad = floats(DType::float32, {1, 1, 1, 1}, {8});
    const Attrs attrs = attrs_with(op, {{"pool_size", Ints{2, 2}}, {"layout", layout}});
    return elements(evaluated(op, {tensor_value(grad), tensor_value(floats(DType::float32, std::move(shape), {1, 5, 5, 2}))}, DType::float32, attrs).value);
  };
  EXPECT_EQ(gradient("NHWC", {1, 2, 2, 1}), (V{0, 8, 0, 0}));
  EXPECT_EQ(gradient("NWHC", {1, 2, 2, 1}), (V{0, 8, 0, 0}));
}

}  // namespace
}  // namespace passdiff
