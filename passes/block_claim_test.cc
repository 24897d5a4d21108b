#include "passes/block_claim.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

TEST(BlockClaim, IsWhatADetailTells) {
  const auto region = block_claim("target: undeclared-access in f (binding y): block T_concat reads A_1[3, 0], which its regions do not declare");
  ASSERT_TRUE(region);
  EXPECT_EQ(region->function, "f");
  EXPECT_EQ(region->block, "T_concat");
  EXPECT_EQ(region->buffer, "A_1");
  const auto domain = block_claim("target: iteration-domain in g (binding lv1): block sum: v_ax2 is 1, outside of its domain from 1 of size 0");
  ASSERT_TRUE(domain);
  EXPECT_EQ(domain->function, "g");
  EXPECT_EQ(domain->block, "sum");
  EXPECT_EQ(domain->buffer, "");
  EXPECT_FALSE(block_claim("result element 0: 1 against 2"));
}

}  // namespace
}  // namespace passdiff
