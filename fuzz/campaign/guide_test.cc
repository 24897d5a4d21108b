#include "fuzz/campaign/guide.h"

#include <filesystem>
#include <map>
#include <numeric>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "fuzz/cases/drawn_case.h"

namespace passdiff {
namespace {

class GuideTest : public testing::Test {
 protected:
  GuideTest()
      : folder_(std::filesystem::temp_directory_path() / ("passdiff-guide-" + std::to_string(getpid()))), corpus_(folder_, "test", 1) {}
  ~GuideTest() override { std::filesystem::remove_all(folder_); }

  void add(const std::string& pass, std::uint16_t feature) {
    const auto index = static_cast<std::int64_t>(corpus_.entries().size());
    CHECK(corpus_.add(fresh_input(5, static_cast<std::uint64_t>(index)), {{pass, {feature}}}, index).ok());
  }
  std::map<Source, int> sources(const Guide& guide, int cases) const {
    std::map<Source, int> counts;
    for (int i = 0; i < cases; ++i) ++counts[guide.plan(i, corpus_).source];
    return counts;
  }

  std::filesystem::path folder_;
  Corpus corpus_;
};

TEST_F(GuideTest, WithoutACorpusEveryCaseIsFreshAndHasTheModuleOfTheUnguidedCase) {
  const Guide guide(7);
  EXPECT_EQ(sources(guide, 50), (std::map<Source, int>{{Source::fresh, 50}}));
  InputMutator mutator;
  EXPECT_EQ(guide.input(guide.plan(3, corpus_), 3, corpus_, mutator), fresh_input(7, 3));
}

TEST_F(GuideTest, APlanIsAFunctionOfSeedIndexAndWhatWasLearnt) {
  for (std::uint16_t i = 0; i < 20; ++i) add(i % 2 == 0 ? "P" : "Q", i);
  Guide one(7), two(7);
  one.learn(Source::crossed, {{"P", {.checks = 10, .brought = 5}}});
  one.end_round();
  two.restore(one.counts());
  InputMutator used, fresh;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(one.input(one.plan(i, corpus_), i, corpus_, used), two.input(two.plan(i, corpus_), i, corpus_, fresh));
    EXPECT_EQ(one.runs("P", i, {}, corpus_), two.runs("P", i, {}, corpus_));
  }
}

TEST_F(GuideTest, TheSourceThatPaysGetsMostAndNoneGetsNothing) {
  add("P", 1);
  Guide guide(7);
  for (int round = 0; round < 10; ++round) {
    guide.learn(Source::fresh, {{"P", {.checks = 1000, .brought = 1}}});
    guide.learn(Source::mutated, {{"P", {.checks = 1000, .brought = 60}}});
    guide.learn(Source::crossed, {{"P", {.checks = 1000, .brought = 0}}});
    guide.end_round();
  }
  const auto shares = guide.source_shares();
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-9);
  EXPECT_GT(shares[1], 0.2);
  EXPECT_GE(shares[0], 0.7);
  EXPECT_GE(shares[2], 0.05);
  auto counts = sources(guide, 1000);
  EXPECT_GT(counts[Source::mutated], 3 * counts[Source::crossed]);
  // What pays changes: shares follow.
  for (int round = 0; round < 60; ++round) {
    guide.learn(Source::fresh, {{"P", {.checks = 1000, .brought = 10}}});
    guide.learn(Source::mutated, {{"P", {.checks = 1000, .brought = 0}}});
    guide.end_round();
  }
  EXPECT_LT(guide.source_shares()[1], 0.12);
}

TEST_F(GuideTest, APassThatShowsNothingNewRunsOnFewerCases) {
  Guide guide(7);
  EXPECT_EQ(guide.share_of("Idle"), 1);
  for (int round = 0; round < 10; ++round) {
    guide.learn(Source::fresh, {{"Idle", {.checks = 1000, .brought = 0}}, {"Busy", {.checks = 1000, .brought = 50}}});
    guide.end_round();
  }
  EXPECT_EQ(guide.share_of("Idle"), 0.15);
  EXPECT_EQ(guide.share_of("Busy"), 1);
  int idle = 0;
  for (int i = 0; i < 1000; ++i) {
    idle += guide.runs("Idle", i, {}, corpus_) ? 1 : 0;
    EXPECT_TRUE(guide.runs("Busy", i, {}, corpus_));
  }
  EXPECT_NEAR(idle, 150, 60);
}

TEST_F(GuideTest, WhatDidNothingToTheParentSeldomRunsAgain) {
  ASSERT_TRUE(corpus_.add(fresh_input(5, 0), {{"P", {1}}}, 0, {"P", "Active"}).ok());
  const Guide guide(7);
  const Guide::Plan plan{.source = Source::mutated, .parent = 0, .other = 0, .focus = "P"};
  int idle = 0;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(guide.runs("P", i, plan, corpus_));
    EXPECT_TRUE(guide.runs("Active", i, plan, corpus_));
    idle += guide.runs("Idle", i, plan, corpus_) ? 1 : 0;
  }
  EXPECT_NEAR(idle, 200, 60);
}

TEST_F(GuideTest, APassOfManyEntriesDoesNotOwnTheSearch) {
  for (std::uint16_t i = 0; i < 50; ++i) add("Many", i);
  add("One", 1);
  const Guide guide(7);
  std::map<std::string, int> focus;
  for (int i = 0; i < 1000; ++i) ++focus[guide.plan(i, corpus_).focus];
  EXPECT_NEAR(focus["Many"], focus["One"], 120);
}

TEST_F(GuideTest, PipelinesThatPayBecomeMore) {
  Guide guide(7);
  EXPECT_EQ(guide.pipelines_beside(50), 2U);
  for (int round = 0; round < 10; ++round) {
    guide.learn(Source::fresh, {{"P", {.checks = 1000, .brought = 1}}, {">P", {.checks = 100, .brought = 20}}});
    guide.end_round();
  }
  EXPECT_EQ(guide.pipelines_beside(50), 10U);
  EXPECT_EQ(guide.pipelines_beside(0), 0U);
}

}  // namespace
}  // namespace passdiff
