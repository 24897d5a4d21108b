#include "oracle/finite_differences.h"

#include <cmath>

#include <gtest/gtest.h>

namespace passdiff {
namespace {

TEST(FiniteDifferences, FindTheSlopeOfSmoothFunctions) {
  const auto slope = slope_at_zero([](double step) { return std::exp(2 + step); }, 2);
  ASSERT_TRUE(slope);
  EXPECT_NEAR(slope->value, std::exp(2.0), 1e-9);
  EXPECT_LT(slope->error, 1e-4);
  const auto flat = slope_at_zero([](double) { return 3.0; }, 1);
  ASSERT_TRUE(flat);
  EXPECT_EQ(flat->value, 0);
}

TEST(FiniteDifferences, FindTheSlopeAtAMinimum) {
  const auto slope = slope_at_zero([](double step) { return 1 + step * step; }, 1);
  ASSERT_TRUE(slope);
  EXPECT_NEAR(slope->value, 0, 1e-12);
}

TEST(FiniteDifferences, FindNoneAtKinksAndJumps) {
  EXPECT_FALSE(slope_at_zero([](double step) { return std::fabs(step); }, 1));
  EXPECT_FALSE(slope_at_zero([](double step) { return std::fmax(0, step); }, 1));
  EXPECT_FALSE(slope_at_zero([](double step) { return step < 0 ? 0.0 : 1.0; }, 1));
}

TEST(FiniteDifferences, FindNoneWhereTheFunctionIsNotFinite) {
  EXPECT_FALSE(slope_at_zero([](double step) { return std::log(step); }, 1));
  EXPECT_FALSE(slope_at_zero([](double) { return std::nullopt; }, 1));
}

// A cosine of a large number: it goes through several periods in one step.
TEST(FiniteDifferences, FindNoneWhereTheFunctionSwingsFasterThanTheSteps) {
  const auto swings = [](double step) { return std::cos((-161.4805 + step) * -92.274574); };
  EXPECT_FALSE(slope_at_zero(swings, 161.4805));
  const auto slope = slope_at_zero(swings, 0.01);
  ASSERT_TRUE(slope);
  EXPECT_NEAR(slope->value, 92.274574 * std::sin(161.4805 * 92.274574), 0.01);
}

TEST(FiniteDifferences, KnowHowFarTheyMayBeOffNextToAKink) {
  // The kink lies between the two steps.
  const auto slope = slope_at_zero([](double step) { return std::fabs(step - 0.0015); }, 1);
  if (slope) EXPECT_LE(std::fabs(slope->value + 1), 4 * slope->error);
}

}  // namespace
}  // namespace passdiff
