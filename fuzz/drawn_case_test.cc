#include "fuzz/drawn_case.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace passdiff {
namespace {

const std::vector<BuildPipeline> kBuilds = {{"build", {"RealizeVDevice", "DeadCodeElimination", "FoldConstant", "EliminateCommonSubexpr"}}};

std::vector<const Pass*> passes_of(const Subject& subject, std::vector<std::string_view> names) {
  std::vector<const Pass*> passes;
  for (const std::string_view name : names) passes.push_back(find_pass(subject, name));
  return passes;
}

TEST(DrawnCase, RunsTheBeginningsOfABuildPipelineNowAndThen) {
  const auto subject = make_native_subject();
  const auto passes = passes_of(*subject, {"DeadCodeElimination", "EliminateCommonSubexpr"});
  int cases_with = 0;
  for (std::uint64_t i = 0; i < 320; ++i) {
    const DrawnCase plain = draw_case(1, i, passes, {});
    const DrawnCase drawn = draw_case(1, i, passes, {.generate = {}, .builds = kBuilds});
    ASSERT_TRUE(std::equal(plain.pipelines.begin(), plain.pipelines.end(), drawn.pipelines.begin()));
    if (drawn.pipelines.size() == plain.pipelines.size()) continue;
    ++cases_with;
    ASSERT_EQ(drawn.pipelines.size(), plain.pipelines.size() + 2);
    const Pipeline first = {{"RealizeVDevice"}, {"DeadCodeElimination"}};
    const Pipeline whole = {{"RealizeVDevice"}, {"DeadCodeElimination"}, {"FoldConstant"}, {"EliminateCommonSubexpr"}};
    EXPECT_EQ(drawn.pipelines[plain.pipelines.size()], first);
    EXPECT_EQ(drawn.pipelines.back(), whole);
  }
  EXPECT_GT(cases_with, 8);
  EXPECT_LT(cases_with, 40);
}

TEST(DrawnCase, LeavesBeginningsOfOnePassToThatPass) {
  const auto subject = make_native_subject();
  const auto passes = passes_of(*subject, {"RealizeVDevice"});
  for (std::uint64_t i = 0; i < 64; ++i) EXPECT_LE(draw_case(1, i, passes, {.generate = {}, .builds = kBuilds}).pipelines.size(), 1u);
}

}  // namespace
}  // namespace passdiff
