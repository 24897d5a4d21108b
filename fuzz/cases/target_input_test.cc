#include "fuzz/cases/target_input.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "core/gen/generate.h"

namespace passdiff {
namespace {

TEST(TargetInput, EveryTargetWithACorpusIsKnownAndTheOtherWayRound) {
  std::set<std::string> with_corpus;
  for (const auto& entry : std::filesystem::directory_iterator(PASSDIFF_SOURCE_DIR "/corpus/fuzz"))
    with_corpus.insert(entry.path().filename().string());
  const std::vector<std::string> names = target_names();
  EXPECT_EQ(with_corpus, std::set<std::string>(names.begin(), names.end()));
  for (const std::string& name : names) EXPECT_NE(reads_documents(name), rule_of_target(name).has_value()) << name;
  EXPECT_FALSE(rule_of_target("LiftTransformParams"));
  EXPECT_FALSE(rule_of_target("fuzz_"));
}

TEST(TargetInput, APassTargetRunsItsPassLast) {
  const auto subject = make_native_subject("");
  const auto rule = rule_of_target("fuzz_LiftTransformParams");
  const CaseFolder content = case_of_input(*rule, *subject, campaign_bytes(7, 0, 700));
  ASSERT_FALSE(content.passes.empty());
  EXPECT_EQ(content.passes.back().name, "LiftTransformParams");
  EXPECT_FALSE(content.test.module.functions.empty());
}

TEST(TargetInput, ThePipelineTargetRunsSeveralAndTheFirstBytesChooseThem) {
  const auto subject = make_native_subject("");
  const auto rule = rule_of_target("fuzz_native_pipeline");
  std::set<std::size_t> lengths;
  for (std::uint8_t first = 0; first < 20; ++first) {
    auto input = campaign_bytes(7, 0, 700);
    input[0] = first;
    const CaseFolder content = case_of_input(*rule, *subject, input);
      lengths.insert(content.passes.size());
  }
  EXPECT_GT(lengths.size(), 1u);
  EXPECT_GE(*lengths.begin(), 2u);
}

TEST(TargetInput, ATargetThatNamesNoPassRunsThoseOfAllLevels) {
  const auto subject = make_native_subject("");
  std::set<std::string> names;
  for (const Pass* pass : passes_of(*rule_of_target("fuzz_tvm"), *subject)) names.insert(pass->name);
  EXPECT_TRUE(names.contains("LiftTransformParams"));
  EXPECT_TRUE(names.contains("TirSimplify"));
}

}  // namespace
}  // namespace passdiff
