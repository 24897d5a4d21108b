#include "fuzz/cli/rates.h"

#include <gtest/gtest.h>

#include "oracle/check_row.h"

namespace passdiff {
namespace {

TEST(Rates, AreSetForTheCheckNamed) {
  Sampling sampling = Sampling::of_campaigns();
  const Check& sequential = *find_check("sequential");
  const Check& idempotent = *find_check("idempotent");
  ASSERT_FALSE(set_rate(sampling, "sequential=1/8").has_value());
  EXPECT_EQ(sampling.one_in(sequential), 8u);
  ASSERT_FALSE(set_rate(sampling, "sequential=1").has_value());
  EXPECT_EQ(sampling.one_in(sequential), 1u);
  ASSERT_FALSE(set_rate(sampling, "sequential=0").has_value());
  EXPECT_EQ(sampling.one_in(sequential), 0u);
  EXPECT_EQ(sampling.one_in(idempotent), idempotent.one_in) << "others stay as they were";
}

TEST(Rates, ThatSayNothingAreErrors) {
  Sampling sampling;
  for (const char* text : {"", "nope=1", "well-formed=1/2", "sequential", "sequential=", "sequential=2",
                           "sequential=1/0", "sequential=1/-1", "sequential=1/8x"}) {
    const auto error = set_rate(sampling, text);
    ASSERT_TRUE(error.has_value()) << text;
    EXPECT_EQ(error->code, "usage.check") << text;
  }
}

TEST(Rates, ACheckThatCompilesNeedsASubjectThatDoes) {
  Sampling sampling;
  EXPECT_EQ(set_rate(sampling, "vm-agrees=1", false)->code, "usage.check");
  EXPECT_FALSE(set_rate(sampling, "vm-agrees=0", false).has_value());
  EXPECT_FALSE(set_rate(sampling, "idempotent=1", false).has_value());
}

}  // namespace
}  // namespace passdiff
