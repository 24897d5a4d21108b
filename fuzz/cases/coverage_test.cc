#include "fuzz/cases/coverage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/text/text.h"

namespace passdiff {
namespace {

Module parse(const std::string& body) {
  auto module = parse_text(R"(
@R.function
def main(x: R.Tensor((2, 2), "float32"), y: R.Tensor((2, 2), "float32")) -> R.Tensor((2, 2), "float32"):
)" + body);
  CHECK(module.ok()) << module.error().message;
  return *std::move(module);
}

const char* const kMatmulOfSum = "    s = R.add(x, y)\n    z = R.matmul(s, y)\n    return z\n";
const char* const kSumOfMatmuls =
    "    a = R.matmul(x, y)\n    b = R.matmul(y, y)\n    z = R.add(a, b)\n    return z\n";

Checked to(const Module& target) {
  Checked checked;
  checked.target = target;
  return checked;
}

std::vector<std::uint8_t> counters_of(const std::string& pass, const Module& source, const Checked& checked) {
  std::vector<std::uint8_t> counters(4096);
  count_behaviour({{pass}}, source, checked, counters);
  return counters;
}

TEST(Coverage, RewritesPairWhatVanishedWithWhatAppeared) {
  std::set<Rewrite> rewrites;
  collect_rewrites({{"Expand"}}, parse(kMatmulOfSum), to(parse(kSumOfMatmuls)), rewrites);
  EXPECT_TRUE(rewrites.contains({"Expand", {"relax.add", "relax.matmul"}, {"relax.matmul", "relax.add"}}));
  rewrites.clear();
  collect_rewrites({{"Expand"}}, parse(kMatmulOfSum), to(parse(kMatmulOfSum)), rewrites);
  EXPECT_TRUE(rewrites.empty());
}

TEST(Coverage, CountersTellPassesVerdictsAndChangesApart) {
  const Module source = parse(kMatmulOfSum);
  const auto changed = counters_of("A", source, to(parse(kSumOfMatmuls)));
  EXPECT_GT(std::count_if(changed.begin(), changed.end(), [](std::uint8_t c) { return c > 0; }), 5);
  EXPECT_EQ(changed, counters_of("A", source, to(parse(kSumOfMatmuls))));
  EXPECT_NE(changed, counters_of("B", source, to(parse(kSumOfMatmuls))));
  EXPECT_NE(changed, counters_of("A", source, to(source)));
  Checked failed;
  failed.verdict = {.symptom = Symptom::internal_error, .site = "InternalError@a.cc:f"};
  Checked elsewhere = failed;
  elsewhere.verdict.site = "InternalError@b.cc:g";
  EXPECT_NE(counters_of("A", source, failed), counters_of("A", source, elsewhere));
}

TEST(Coverage, FeaturesAreFewNumbersForEachPass) {
  const Module source = parse(kMatmulOfSum);
  const Features changed = features_of(source, to(parse(kSumOfMatmuls)));
  EXPECT_GT(changed.size(), 5u);
  EXPECT_LT(changed.back(), kFeaturesOfAPass);
  EXPECT_EQ(features_of(source, to(source)).size(), 1u);  // that nothing changed
}

}  // namespace
}  // namespace passdiff
