#include "fuzz/campaign.h"

#include <filesystem>
#include <functional>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/documents/case.h"
#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

class CampaignTest : public testing::Test {
 protected:
  CampaignTest()
      : folder_(std::filesystem::temp_directory_path() / ("passdiff-campaign-" + std::to_string(getpid()))) {}
  ~CampaignTest() override { std::filesystem::remove_all(folder_); }

  CampaignResult run(std::string fault, int jobs, std::int64_t cases, const char* into) {
    CampaignOptions options;
    options.cases = cases;
    options.jobs = jobs;
    options.findings = folder_ / into;
    const auto make = [&]() -> Result<std::unique_ptr<Subject>> { return make_native_subject(fault); };
    const std::atomic<bool> stop = false;
    return run_campaign(make, options, [](const Progress&) {}, stop).value();
  }

  std::filesystem::path folder_;
};

TEST_F(CampaignTest, SoundPassesReportNothing) {
  EXPECT_TRUE(run({}, 2, 1500, "sound").signatures.empty());
}

TEST_F(CampaignTest, AFaultIsFoundReducedAndWrittenAsAWholeCaseFolder) {
  const CampaignResult result = run("lift-transform-params/output-dropped", 1, 512, "fault");
  ASSERT_FALSE(result.signatures.empty());
  const DistinctBug& bug = result.signatures.front();
  EXPECT_EQ(bug.pass, "LiftTransformParams");
  EXPECT_LE(bug.bindings, 3);
  const Result<CaseFolder> content = read_case(bug.folder);
  ASSERT_TRUE(content.ok());
  EXPECT_EQ(content->expected.at("native"), symptom_name(bug.symptom));
}

TEST_F(CampaignTest, TheNumberOfJobsChangesNothing) {
  const CampaignResult one = run("lift-transform-params/output-dropped", 1, 256, "one");
  const CampaignResult two = run("lift-transform-params/output-dropped", 2, 256, "two");
  EXPECT_EQ(one.checks, two.checks);
  EXPECT_EQ(one.discarded, two.discarded);
  ASSERT_EQ(one.signatures.size(), two.signatures.size());
  for (std::size_t i = 0; i < one.signatures.size(); ++i) {
    EXPECT_EQ(one.signatures[i].signature, two.signatures[i].signature);
    EXPECT_EQ(one.signatures[i].count, two.signatures[i].count);
  }
}

// The target is one that our IR cannot hold, and the subject has no machine to judge it.
TEST_F(CampaignTest, TheFirstUnconfirmedCaseOfEachKeyIsKept) {
  CampaignOptions options;
  options.cases = 256;
  options.findings = folder_ / "unconfirmed-case";
  options.check.sampling = Sampling::every_case();
  const auto make = []() -> Result<std::unique_ptr<Subject>> {
    auto scripted = std::make_unique<ScriptedSubject>();
    scripted->add(Pass{.name = "P"}, [](const Module&, const TransformOptions&) {
      TransformReply reply;
      reply.result = Transformed{std::nullopt, false, "op test.unknown"};
      return reply;
    });
    return std::unique_ptr<Subject>(std::move(scripted));
  };
  const std::atomic<bool> stop = false;
  const auto result = run_campaign(make, options, [](const Progress&) {}, stop);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->signatures.empty());
  ASSERT_EQ(result->unconfirmed.size(), 1U);
  const auto folders = find_cases(options.findings / "unconfirmed");
  ASSERT_EQ(folders.size(), 1U);
  const Result<CaseFolder> content = read_case(folders[0]);
  ASSERT_TRUE(content.ok()) << content.error().message;
  EXPECT_EQ(content->expected.at("scripted"), "unconfirmed");
}

// A campaign of one case over forty passes that all throw, each where `site_of` says.
CampaignResult forty_throw(const std::filesystem::path& findings, const std::function<std::string(int)>& site_of) {
  CampaignOptions options;
  options.cases = 1;
  options.findings = findings;
  const auto make = [&]() -> Result<std::unique_ptr<Subject>> {
    auto scripted = std::make_unique<ScriptedSubject>();
    for (int i = 0; i < 40; ++i) {
      scripted->add(Pass{.name = "P" + std::to_string(i)}, [site = site_of(i)](const Module&, const TransformOptions&) {
        TransformReply reply;
        reply.result = Refused{"TypeError", site, "no"};
        return reply;
      });
    }
    return std::unique_ptr<Subject>(std::move(scripted));
  };
  const std::atomic<bool> stop = false;
  return run_campaign(make, options, [](const Progress&) {}, stop).value();
}

TEST_F(CampaignTest, EveryPassThatFailsIsReportedHoweverManyDo) {
  const auto own_place = [](int i) { return "TypeError@pass" + std::to_string(i) + ".cc:Run"; };
  EXPECT_EQ(forty_throw(folder_ / "many", own_place).signatures.size(), 40U);
}

TEST_F(CampaignTest, PassesThatFailAlikeAreOneReportThatListsThem) {
  const auto result = forty_throw(folder_ / "alike", [](int) { return "TypeError@shared.cc:Normalize"; });
  ASSERT_EQ(result.signatures.size(), 1U);
  EXPECT_EQ(result.signatures.front().cause.passes.size(), 40U);
}

TEST_F(CampaignTest, ASecondCampaignWithTheSameFolderWritesNoCauseTwice) {
  const CampaignResult first = run("lift-transform-params/output-dropped", 1, 128, "again");
  const auto folders = find_cases(folder_ / "again");
  const CampaignResult second = run("lift-transform-params/output-dropped", 1, 128, "again");
  EXPECT_EQ(find_cases(folder_ / "again"), folders);
  ASSERT_EQ(first.signatures.size(), second.signatures.size());
  for (std::size_t i = 0; i < first.signatures.size(); ++i) EXPECT_EQ(first.signatures[i].folder, second.signatures[i].folder);
}

// Stopped after each round and started again, a campaign ends with what one says that was not stopped.
TEST_F(CampaignTest, GoesOnWhereItWasStopped) {
  const std::string fault = "lift-transform-params/output-dropped";
  const CampaignResult whole = run(fault, 1, 1024, "whole");
  CampaignOptions options;
  options.cases = 1024;
  options.findings = folder_ / "parts";
  const auto make = [&]() -> Result<std::unique_ptr<Subject>> { return make_native_subject(fault); };
  CampaignResult last;
  int starts = 0;
  do {
    std::atomic<bool> stop = false;
    const auto stop_soon = [&](const Progress& progress) { stop = progress.doing == "fuzzing"; };
    last = run_campaign(make, options, stop_soon, stop).value();
    ++starts;
  } while (last.cases < 1024);
  EXPECT_EQ(starts, 8);
  EXPECT_EQ(last.checks, whole.checks);
  ASSERT_EQ(last.signatures.size(), whole.signatures.size());
  for (std::size_t i = 0; i < whole.signatures.size(); ++i) {
    EXPECT_EQ(last.signatures[i].name, whole.signatures[i].name);
    EXPECT_EQ(last.signatures[i].count, whole.signatures[i].count);
  }
}

TEST_F(CampaignTest, AnUnknownPassIsAnError) {
  CampaignOptions options;
  options.passes = {"Nope"};
  options.cases = 1;
  const auto make = []() -> Result<std::unique_ptr<Subject>> { return make_native_subject(); };
  const std::atomic<bool> stop = false;
  const auto result = run_campaign(make, options, [](const Progress&) {}, stop);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "campaign.pass");
}

}  // namespace
}  // namespace passdiff
