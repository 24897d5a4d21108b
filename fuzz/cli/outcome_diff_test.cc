#include "fuzz/cli/outcome_diff.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

Value floats(const std::vector<std::int64_t>& shape, const std::vector<double>& elements) {
  Tensor tensor = zeros(DType::float32, shape);
  std::copy(elements.begin(), elements.end(), std::get<Tensor::Floats>(tensor.values).begin());
  return make_tensor(std::move(tensor));
}

Outcome returned(Value value) {
  return Returned{std::move(value), {}};
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(OutcomeDiff, IsBriefWhereNothingChanges) {
  EXPECT_EQ(outcome_diff(returned(floats({2}, {1, kNaN})), returned(floats({2}, {1, kNaN}))), "same result");
  EXPECT_EQ(outcome_diff(Trapped{"trap.shape", "no"}, Trapped{"trap.shape", "no"}), "same result");
}

TEST(OutcomeDiff, NamesElementsByTheirIndices) {
  EXPECT_EQ(outcome_diff(returned(floats({2, 2}, {1, 2, 3, 0})), returned(floats({2, 2}, {1, 2.5, 3, -0.0}))),
            "result (float32[2, 2]): 2 of 4 elements differ\n    [0, 1]: 2 -> 2.5\n    [1, 1]: 0 -> -0");
}

TEST(OutcomeDiff, NamesOnlyTheFieldsOfTuplesThatDiffer) {
  const Value scalar = floats({}, {1});
  EXPECT_EQ(outcome_diff(returned(TupleValue{{scalar, scalar}}), returned(TupleValue{{scalar, floats({}, {kNaN})}})),
            "result[1] (float32[]): 1 of 1 elements differ\n    []: 1 -> nan");
}

TEST(OutcomeDiff, CountsWhatItLeavesOut) {
  const auto twenty = [](double value) { return returned(floats({20}, std::vector<double>(20, value))); };
  const std::string text = outcome_diff(twenty(1), twenty(2));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 9) << text;
  EXPECT_TRUE(text.ends_with("[7]: 1 -> 2\n    ... and 12 more")) << text;
}

TEST(OutcomeDiff, TellsAnotherFormAndAnotherEnd) {
  EXPECT_EQ(outcome_diff(returned(floats({1}, {1})), returned(floats({2}, {1, 1}))), "result: float32[1] against float32[2]");
  EXPECT_EQ(outcome_diff(returned(floats({1}, {1})), Trapped{"trap.shape", "no"}), "trapped: trap.shape: no");
  EXPECT_EQ(outcome_diff(Trapped{"trap.shape", "no"}, returned(floats({1}, {1}))), "returned: float32[1] [1]");
}

}  // namespace
}  // namespace passdiff
