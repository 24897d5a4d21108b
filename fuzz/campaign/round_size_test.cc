#include "fuzz/campaign/round_size.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

TEST(RoundSize, EndsAtTheBoundOnCases) {
  CampaignResult so_far;
  so_far.cases = 990;
  EXPECT_EQ(cases_of_round({.cases = 1000}, so_far, 10), 10);
  EXPECT_EQ(cases_of_round({.seconds = 60}, so_far, 10), 128);
  EXPECT_EQ(cases_of_round({.seconds = 60, .guided = true}, so_far, 10), 32);
}

// Eight reductions for the checks of 128 cases with ten passes each.
TEST(RoundSize, AGuidedRoundReducesByItsChecksAndByTheKeysThatWait) {
  const CampaignOptions guided{.guided = true};
  EXPECT_EQ(reductions_of_round(guided, 0, 1280, 10, 0), 8U);
  EXPECT_EQ(reductions_of_round(guided, 1280, 1280 + 159, 10, 0), 0U);
  EXPECT_EQ(reductions_of_round(guided, 1280, 1280 + 160, 10, 0), 1U);
  EXPECT_EQ(reductions_of_round(guided, 1280, 1280 + 160, 10, 11), 1U);
  EXPECT_EQ(reductions_of_round(guided, 1280, 1280 + 160, 10, 36), 4U);
  EXPECT_EQ(reductions_of_round({}, 0, 0, 10, 36), 8U);
}

}  // namespace
}  // namespace passdiff
