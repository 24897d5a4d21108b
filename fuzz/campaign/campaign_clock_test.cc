#include "fuzz/campaign/campaign_clock.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

// Times are those of earlier campaigns, so that nothing here hangs on how fast the test runs.
CampaignClock clock_at(std::optional<double> bound, double seconds) {
  CampaignClock clock(bound);
  clock.go_on_from(seconds);
  return clock;
}

TEST(CampaignClock, CountsWhatEarlierRunsTook) {
  CampaignClock clock = clock_at(std::nullopt, 1000);
  EXPECT_FALSE(clock.has_started());
  EXPECT_EQ(clock.elapsed(), 1000);
  clock.start();
  EXPECT_TRUE(clock.has_started());
  EXPECT_GE(clock.elapsed(), 1000);
}

TEST(CampaignClock, ABoundEndsCasesAndLaterReductions) {
  EXPECT_FALSE(clock_at(100, 99).is_over());
  EXPECT_TRUE(clock_at(100, 100).is_over());
  EXPECT_FALSE(clock_at(100, 149).is_late());
  EXPECT_TRUE(clock_at(100, 150).is_late());
}

TEST(CampaignClock, WithoutABoundNothingIsOver) {
  const CampaignClock clock = clock_at(std::nullopt, 1e9);
  EXPECT_FALSE(clock.is_over());
  EXPECT_FALSE(clock.is_late());
  EXPECT_FALSE(clock.reduction_from_now({}).out_of_time);
}

TEST(CampaignClock, WaitsForPassesThatHangInATenthOfTheTime) {
  EXPECT_EQ(clock_at(1000, 59).waits_left(2), 0U);
  CampaignClock first = clock_at(1000, 60);
  EXPECT_EQ(first.waits_left(2), 1U) << "the first is early";
  first.waited(1);
  EXPECT_EQ(first.waits_left(2), 0U);
  CampaignClock clock = clock_at(1000, 600);
  EXPECT_EQ(clock.waits_left(1), 1U);
  EXPECT_EQ(clock.waits_left(2), 2U);
  clock.waited(61);
  EXPECT_EQ(clock.waits_left(2), 0U);
  clock.waited(1000);
  EXPECT_EQ(clock.waits_left(2), 0U);
  EXPECT_GT(clock_at(std::nullopt, 0).waits_left(1), 1000U) << "without a bound all that waits is reduced";
}

TEST(CampaignClock, AReductionEndsAfterHalfAMinuteOrWhenItIsLate) {
  CampaignClock early = clock_at(1000, 10);
  const ReduceOptions reduction = early.reduction_from_now({});
  EXPECT_FALSE(reduction.out_of_time());
  early.go_on_from(39);
  EXPECT_FALSE(reduction.out_of_time());
  early.go_on_from(40);
  EXPECT_TRUE(reduction.out_of_time());
  CampaignClock late = clock_at(1000, 1499);
  const ReduceOptions last = late.reduction_from_now({});
  EXPECT_FALSE(last.out_of_time());
  late.go_on_from(1500);
  EXPECT_TRUE(last.out_of_time());
}

}  // namespace
}  // namespace passdiff
