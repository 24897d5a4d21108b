// Activations and losses: values measured on TVM.
#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;

V activated(std::string_view op, DType dtype, const V& x, const Attrs& attrs = {}) {
  return elements(
      evaluated(op, {tensor_value(floats(dtype, {static_cast<std::int64_t>(x.size())}, x))}, dtype, attrs)
          .value);
}

TEST(Gelu, LosesItsDigitsWhereTheyCancel) {
  EXPECT_EQ(activated("relax.nn.gelu", DType::float32, {-2, -30, 1}),
            (V{-0.04550027847290039, 0, 0.8413447141647339}));
  EXPECT_EQ(activated("relax.nn.gelu_tanh", DType::float16, {-2, 1}), (V{-0.0458984375, 0.84130859375}));
  EXPECT_EQ(activated("relax.nn.gelu_tanh", DType::float32, {-2}), (V{-0.04540222883224487}));
  EXPECT_TRUE(std::isnan(activated("relax.nn.gelu", DType::float32, {-INFINITY})[0]));
}

TEST(Selu, HasItsConstantsInFloat32ForBfloat16) {
  EXPECT_EQ(activated("relax.nn.selu", DType::bfloat16, {100, -1, -INFINITY}),
            (V{105, -1.109375, -1.7578125}));
  EXPECT_EQ(activated("relax.nn.selu", DType::float32, {-1}), (V{-1.1113307476043701}));
}

TEST(Softplus, IsItsOperandAboveTheThreshold) {
  EXPECT_EQ(activated("relax.nn.softplus", DType::float32, {0, 1, 30, INFINITY, -INFINITY}, {2.0, 1.0}),
            (V{0.3465735912322998, 1, 30, INFINITY, 0}));
}

TEST(Prelu, TakesNoBfloat16ThoughItIsAFloat) {
  const Attrs axis{std::int64_t{-1}};
  const auto type = [&](DType dtype) {
    return inferred("relax.nn.prelu", {tensor_type({2, 3}, dtype), tensor_type({3}, dtype)}, axis);
  };
  EXPECT_EQ(error_code(type(DType::bfloat16)), "type.dtype");
  EXPECT_TRUE(type(DType::float16).ok());
  const Value x = tensor_value(floats(DType::float32, {2, 3}, {1, -2, 3, -1, 0, -5}));
  const Value alpha = tensor_value(floats(DType::float32, {3}, {.5, 2, .25}));
  EXPECT_EQ(elements(evaluated("relax.nn.prelu", {x, alpha}, DType::float32, axis).value),
            (V{1, -4, 3, -0.5, 0, -1.25}));
}

TEST(LogSoftmax, KeepsWhatFloat16Leaves) {
  const Value x = tensor_value(floats(DType::float16, {2, 3}, {1, -2, 3, -1, 0, -5}));
  const V along = elements(evaluated("relax.nn.log_softmax", {x}, DType::float16, {std::int64_t{0}}).value);
  EXPECT_EQ(along[2], 0);
  EXPECT_EQ(along[5], -8);
}

const Attrs kMean{std::string("mean"), std::int64_t{-100}};
const Value& predictions() {
  static const Value value = tensor_value(floats(DType::float32, {2, 3}, {1, -2, 3, -1, 0, -5}));
  return value;
}
const Value& targets() {
  static const Value value = tensor_value(ints(DType::int64, {2}, {2, 0}));
  return value;
}
const Value& weights() {
  static const Value value = tensor_value(floats(DType::float32, {3}, {1, 2, .5}));
  return value;
}

TEST(NllLoss, WeighsClassesAndIgnoresOne) {
  const auto loss = [](const char* reduction, std::int64_t ignored) {
    const Attrs attrs{std::string(reduction), ignored};
    return elements(
        evaluated("relax.nn.nll_loss", {predictions(), targets(), weights()}, DType::float32, attrs).value);
  };
  EXPECT_EQ(loss("none", -100), (V{-1.5, 1}));
  EXPECT_EQ(loss("sum", 0), (V{-1.5}));
  EXPECT_EQ(loss("mean", -100), (V{-0.3333333432674408}));
  EXPECT_EQ(loss("mean", 2), (V{1}));
}

TEST(NllLoss, OfAClassThatIsNotThereIsUndefined) {
  const Value outside = tensor_value(ints(DType::int64, {2}, {3, 0}));
  const std::vector<UndefinedRule> bounds{UndefinedRule::index_out_of_bounds};
  EXPECT_EQ(evaluated("relax.nn.nll_loss", {predictions(), outside}, DType::float32, kMean).undefined,
            bounds);
  const Value ignored = tensor_value(ints(DType::int64, {2}, {-100, 0}));
  EXPECT_TRUE(
      evaluated("relax.nn.nll_loss", {predictions(), ignored}, DType::float32, kMean).undefined.empty());
  const Value grad = tensor_value(floats(DType::float32, {}, {2}));
  EXPECT_EQ(evaluated("relax.grad.nll_loss_backward", {grad, predictions(), ignored}, DType::float32, kMean)
                .undefined,
            bounds);
}

TEST(NllLossBackward, IsTheNegatedShareOfEachTarget) {
  const Value grad = tensor_value(floats(DType::float32, {}, {2}));
  EXPECT_EQ(elements(evaluated("relax.grad.nll_loss_backward", {grad, predictions(), targets(), weights()},
                               DType::float32, kMean)
                         .value),
            (V{0, 0, -0.6666666865348816, -1.3333333730697632, 0, 0}));
}

TEST(NllLoss, ChecksShapesAsFarAsTheyAreKnown) {
  const auto type = [](const Type& p, const Type& t) { return inferred("relax.nn.nll_loss", {p, t}, kMean); };
  const Type p = tensor_type({2, 3}, DType::float32);
  EXPECT_TRUE(equal(*type(p, tensor_type({2}, DType::int8)), tensor_type({}, DType::float32)));
  EXPECT_EQ(error_code(type(p, tensor_type({3}, DType::int8))), "type.shape");
  EXPECT_EQ(error_code(type(p, tensor_type({}, DType::int8))), "type.shape");
  EXPECT_EQ(error_code(type(p, tensor_type({2, 3}, DType::int8))), "type.rank");
  EXPECT_EQ(error_code(type(p, tensor_type({2}, DType::float32))), "type.dtype");
  EXPECT_TRUE(type(p, tensor_type_of_rank(1, DType::int8)).ok());
}

TEST(CrossEntropy, DividesByTheFirstSizeUnlessTheRankIsOne) {
  EXPECT_EQ(
      elements(evaluated("relax.nn.cross_entropy_with_logits", {predictions(), predictions()}, DType::float32)
                   .value),
      (V{-20}));
  const Value line = tensor_value(floats(DType::float32, {3}, {1, -2, 3}));
  EXPECT_EQ(elements(evaluated("relax.nn.cross_entropy_with_logits", {line, line}, DType::float32).value),
            (V{-14}));
}

TEST(Multinomial, TakesTheLastClassForSamplesBeyondAll) {
  const Value prob = tensor_value(floats(DType::float32, {2, 3}, {.2f, .3f, .5f, .3f, .4f, .3f}));
  const Value sample = tensor_value(floats(DType::float32, {4, 1}, {.4f, .9f, .2f, 1}));
  const Value rows = tensor_value(ints(DType::int32, {4, 1}, {0, 1, 1, 0}));
  const Attrs dtype{DType::int64};
  EXPECT_EQ(
      elements(evaluated("relax.multinomial_from_uniform", {prob, sample, rows}, DType::int64, dtype).value),
      (V{1, 2, 0, 2}));
}

}  // namespace
}  // namespace passdiff
