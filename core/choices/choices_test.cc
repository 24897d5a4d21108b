#include "core/choices/choices.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace passdiff {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(Choices, MakeTheFirstChoiceOnceTheBytesRunOut) {
  Choices choices({});
  const unsigned weights[] = {0, 3, 1};
  EXPECT_EQ(choices.index(10), 0U);
  EXPECT_EQ(choices.integer(-5, 5), -5);
  EXPECT_FALSE(choices.one_in(2));
  EXPECT_FALSE(choices.flip());
  EXPECT_EQ(choices.weighted(weights), 1U);
}

TEST(Choices, ReadAsFewBytesAsTheRangeNeeds) {
  const Bytes bytes(16, 1);
  Choices choices(bytes);
  choices.index(1);
  EXPECT_EQ(choices.consumed(), 0U);
  choices.index(256);
  EXPECT_EQ(choices.consumed(), 1U);
  choices.index(257);
  EXPECT_EQ(choices.consumed(), 3U);
}

TEST(Choices, IntegersCoverTheirWholeRange) {
  const std::int64_t min = std::numeric_limits<std::int64_t>::min();
  const std::int64_t max = std::numeric_limits<std::int64_t>::max();
  const Bytes ones(8, 0xFF);
  EXPECT_EQ(Choices(ones).integer(min, max), max);
  EXPECT_EQ(Choices({}).integer(min, max), min);
  std::set<std::int64_t> seen;
  for (int byte = 0; byte < 256; ++byte) {
    const Bytes bytes = {static_cast<std::uint8_t>(byte)};
    seen.insert(Choices(bytes).integer(-1, 2));
  }
  EXPECT_EQ(seen, (std::set<std::int64_t>{-1, 0, 1, 2}));
}

TEST(Choices, WeightsAreSharesOfTheBytes) {
  const unsigned weights[] = {1, 0, 3};
  int counts[3] = {};
  for (int byte = 0; byte < 256; ++byte) {
    const Bytes bytes = {static_cast<std::uint8_t>(byte)};
    ++counts[Choices(bytes).weighted(weights)];
  }
  EXPECT_EQ(counts[0], 64);
  EXPECT_EQ(counts[1], 0);
  EXPECT_EQ(counts[2], 192);
}

TEST(CampaignBytes, DependOnSeedAndIndexAlone) {
  EXPECT_EQ(campaign_bytes(1, 2, 100), campaign_bytes(1, 2, 100));
  const Bytes longer = campaign_bytes(1, 2, 200);
  EXPECT_EQ(campaign_bytes(1, 2, 100), Bytes(longer.begin(), longer.begin() + 100));
  std::set<Bytes> seen;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (std::uint64_t index = 0; index < 30; ++index) seen.insert(campaign_bytes(seed, index, 8));
  }
  EXPECT_EQ(seen.size(), 900U);
}

}  // namespace
}  // namespace passdiff
