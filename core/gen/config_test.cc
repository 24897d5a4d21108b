#include "core/gen/config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/choices/choices.h"
#include "core/ops/op.h"
#include "core/ops/row.h"

namespace passdiff {
namespace {

constexpr std::uint64_t kConfigs = 4000;

// Of some ops, summed: how many cases may call one, and of how many one is a favourite.
struct Counts {
  double ops = 0;
  double called = 0;
  double favoured = 0;
};

// Of the ops that one case in so many may call.
Counts counts_of(unsigned one_in) {
  Counts counts;
  for (const OpDef& op : all_ops()) counts.ops += !op.pass_made && op.one_in == one_in ? 1 : 0;
  for (std::uint64_t i = 0; i < kConfigs; ++i) {
    const std::vector<std::uint8_t> bytes = campaign_bytes(20, i, 512);
    Choices choices(bytes);
    std::vector<unsigned> times(all_ops().size());
    for (const std::uint8_t op : draw_config(choices, {}).ops) ++times[op];
    for (std::size_t op = 0; op < times.size(); ++op) {
      if (all_ops()[op].one_in != one_in) continue;
      counts.called += times[op] > 0 ? 1 : 0;
      counts.favoured += times[op] > all_ops()[op].weight ? 1 : 0;
    }
  }
  return counts;
}

// A costly op is as seldom a favourite as it is drawn otherwise.
TEST(Config, LetsFewCasesCallCostlyOps) {
  const Counts usual = counts_of(1), costly = counts_of(kCostlyOneIn);
  ASSERT_GT(costly.ops, 0);
  EXPECT_NEAR(costly.called / costly.ops, usual.called / usual.ops / kCostlyOneIn, 0.02 * kConfigs);
  EXPECT_LT(costly.favoured / costly.ops, usual.favoured / usual.ops / 2);
  EXPECT_GT(costly.favoured, 0);
}

}  // namespace
}  // namespace passdiff
