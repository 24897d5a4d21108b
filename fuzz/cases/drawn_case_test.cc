#include "fuzz/cases/drawn_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

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

// Passes that are about distributed tensors are given these alone, the others all else.
TEST(DrawnCase, HasDistributedTensorsForThePassesThatAreAboutThem) {
  const Pass whole{.name = "Whole"};
  const Pass spread{.name = "Spread", .over_distributed = true};
  const std::vector<const Pass*> both = {&whole, &spread};
  int distributed = 0;
  for (std::uint64_t i = 0; i < 640; ++i) {
    const DrawnCase drawn = draw_case(1, i, both, {.generate = {}, .builds = kBuilds});
    const bool has_meshes = !drawn.test.module.meshes.empty();
    distributed += has_meshes ? 1 : 0;
    for (const Pipeline& pipeline : drawn.pipelines) ASSERT_EQ(pipeline[0].name == "Spread", has_meshes) << i;
    ASSERT_FALSE(drawn.pipelines.empty());
  }
  EXPECT_GT(distributed, 8);
  EXPECT_LT(distributed, 40);
  const std::vector<const Pass*> alone = {&spread};
  EXPECT_FALSE(draw_case(1, 0, alone, {}).test.module.meshes.empty());
}

// A pass that applies rules is given one of them on one case in two, and seldom one of little weight.
TEST(DrawnCase, RunsOneOfTheRulesOfAPass) {
  const Pass plain{.name = "Plain"};
  const Pass often{.name = "Often", .rule_of = "Apply", .weight = 8};
  const Pass seldom{.name = "Seldom", .rule_of = "Apply"};
  const Pass never{.name = "Never", .applies = [](const Module&) { return false; }, .rule_of = "Apply", .weight = 100};
  const std::vector<const Pass*> passes = {&often, &plain, &seldom, &never};
  std::map<std::string, int> runs;
  for (std::uint64_t i = 0; i < 900; ++i) {
    const DrawnCase drawn = draw_case(1, i, passes, {});
    for (const Pipeline& pipeline : drawn.pipelines) ++runs[pipeline.back().name];
  }
  EXPECT_EQ(runs["Plain"], 900);
  EXPECT_EQ(runs["Never"], 0);
  EXPECT_NEAR(runs["Often"] + runs["Seldom"], 450, 70);
  EXPECT_NEAR(runs["Seldom"], 50, 25);
  const std::vector<const Pass*> rules = {&often, &seldom};
  for (std::uint64_t i = 0; i < 16; ++i) EXPECT_EQ(draw_case(1, i, rules, {}).pipelines.size(), 1u) << i;
  const std::vector<const Pass*> wanted = passes_of_input(passes, fresh_input(1, 0), {}, "Seldom");
  EXPECT_EQ(wanted, (std::vector<const Pass*>{&plain, &seldom}));
}

Result<std::vector<std::string>> select(std::vector<std::string> names) {
  return select_passes(*make_native_subject(), names);
}

TEST(SelectPasses, APassNamedTwiceIsNamedOnce) {
  const auto selected = select({"FoldConstant", "RealizeVDevice", "FoldConstant"});
  ASSERT_TRUE(selected.ok());
  EXPECT_EQ(*selected, (std::vector<std::string>{"FoldConstant", "RealizeVDevice"}));
}

TEST(SelectPasses, AllBesideNamesIsAll) {
  const auto all = select({});
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(*select({"all"}), *all);
  EXPECT_EQ(*select({"FoldConstant", "all"}), *all);
  EXPECT_FALSE(select({"all", "NoSuchPass"}).ok());
}

TEST(SelectPasses, SaysWhatIsWrongWithAName) {
  const auto message = [](const std::string& name) { return select({name}).error().message; };
  EXPECT_EQ(message("NoSuchPass"), "NoSuchPass: the subject native has no such pass; see `passdiff list passes --subject native`");
  EXPECT_EQ(message("LegalizeOps"), "LegalizeOps: the subject native has no such pass; --subject tvm has it");
  EXPECT_EQ(message(""), "an empty name of a pass; write A,B");
  EXPECT_NE(message(R"(LiftTransformParams:{"shared_transform": true})").find("`passdiff run CASE --passes` takes options"), std::string::npos);
}

}  // namespace
}  // namespace passdiff
