#include "fuzz/campaign/campaign.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "core/documents/case.h"
#include "core/ops/op.h"
#include "fuzz/campaign/index.h"
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
  // The event log tells of its reduction.
  std::ifstream events(folder_ / "fault" / kEventsFile);
  bool told = false;
  for (std::string line; std::getline(events, line);) {
    const auto event = nlohmann::json::parse(line);
    if (event.value("became", "") != "finding" || event.at("folder") != bug.folder.string()) continue;
    told = true;
    EXPECT_GT(event.at("took"), 0.0);
  }
  EXPECT_TRUE(told);
  std::ifstream campaign(folder_ / "fault" / kCampaignFile);
  EXPECT_EQ(nlohmann::json::parse(campaign).at("jobs"), 1);
}

// A compiler of another version may lack an op.
TEST_F(CampaignTest, OpsThatTheSubjectRefusesAreNotDrawn) {
  const auto modules_with = [&](const std::string& op, std::vector<std::string> refused, const char* into) {
    std::atomic<int> seen = 0;
    CampaignOptions options;
    options.cases = 200;
    options.findings = folder_ / into;
    if (!refused.empty()) options.refused_ops = [refused](Subject&) { return refused; };
    const auto make = [&]() -> Result<std::unique_ptr<Subject>> {
      auto subject = std::make_unique<ScriptedSubject>();
      subject->add("looks", [&](const Module& module) {
        for (const GlobalFunction& function : module.functions) {
          for (const Block& block : function.function->body.blocks) {
            for (const Binding& binding : block.bindings) {
              const OpDef* called = called_op(binding.value);
              if (called != nullptr && called->name == op) ++seen;
            }
          }
        }
        return module;
      });
      return std::unique_ptr<Subject>(std::move(subject));
    };
    const std::atomic<bool> stop = false;
    const CampaignResult result = run_campaign(make, options, [](const Progress&) {}, stop).value();
    EXPECT_EQ(result.refused_ops, refused);
    return seen.load();
  };
  EXPECT_GT(modules_with("relax.image.affine_grid", {}, "all"), 0);
  EXPECT_EQ(modules_with("relax.image.affine_grid", {"relax.image.affine_grid"}, "some"), 0);
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

TEST_F(CampaignTest, ACaseWithoutAnAnswerIsJudgedAgain) {
  CampaignOptions options;
  options.cases = 8;
  options.findings = folder_ / "lost";
  options.check.sampling = Sampling();  // it counts runs
  int runs = 0;
  const auto make = [&]() -> Result<std::unique_ptr<Subject>> {
    auto scripted = std::make_unique<ScriptedSubject>();
    scripted->add(Pass{.name = "P"}, [&](const Module& module, const TransformOptions&) {
      TransformReply reply = ScriptedSubject::reply_of(module);
      if (++runs % 2 == 1) reply.result = CannotBuild{"subject.lost", "subject.lost", "it died"};
      return reply;
    });
    return std::unique_ptr<Subject>(std::move(scripted));
  };
  const std::atomic<bool> stop = false;
  const CampaignResult result = run_campaign(make, options, [](const Progress&) {}, stop).value();
  EXPECT_EQ(result.checks, 8);
  EXPECT_EQ(result.lost, 0);
  EXPECT_EQ(runs, 16);
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

// A round that is stopped in the middle is made again.
TEST_F(CampaignTest, GoesOnWhereItWasStoppedInTheMiddleOfARound) {
  const std::string fault = "lift-transform-params/output-dropped";
  const CampaignResult whole = run(fault, 1, 256, "whole");
  CampaignOptions options;
  options.cases = 256;
  options.findings = folder_ / "parts";
  const auto make = [&]() -> Result<std::unique_ptr<Subject>> { return make_native_subject(fault); };
  std::atomic<bool> stop = false;
  const auto stop_in_a_round = [&](const Progress& progress) { stop = stop || progress.doing == "checking cases"; };
  EXPECT_EQ(run_campaign(make, options, stop_in_a_round, stop).value().checks, 0);
  stop = false;
  const CampaignResult last = run_campaign(make, options, [](const Progress&) {}, stop).value();
  EXPECT_EQ(last.cases, whole.cases);
  EXPECT_EQ(last.checks, whole.checks);
}

// What is being reduced when a campaign is stopped is reduced by the one that goes on.
TEST_F(CampaignTest, ReducesWhatAStopHasInterrupted) {
  const std::string fault = "lift-transform-params/output-dropped";
  const CampaignResult whole = run(fault, 1, 512, "whole");
  CampaignOptions options;
  options.cases = 512;
  options.findings = folder_ / "parts";
  const auto make = [&]() -> Result<std::unique_ptr<Subject>> { return make_native_subject(fault); };
  const auto run_until = [&](const std::string& doing) {
    std::atomic<bool> stop = false;
    return run_campaign(make, options, [&](const Progress& progress) { stop = stop || progress.doing == doing; }, stop).value();
  };
  EXPECT_GT(run_until("fuzzing").not_reduced, 0);
  const CampaignResult interrupted = run_until("checking cases");  // in the round that reduces what the first has met
  EXPECT_TRUE(interrupted.signatures.empty());
  EXPECT_GT(interrupted.not_reduced, 0);
  const CampaignResult last = run_until("never");
  EXPECT_EQ(last.checks, whole.checks);
  EXPECT_EQ(last.not_reduced, whole.not_reduced);
  ASSERT_EQ(last.signatures.size(), whole.signatures.size());
  for (std::size_t i = 0; i < whole.signatures.size(); ++i) {
    EXPECT_EQ(last.signatures[i].name, whole.signatures[i].name);
    EXPECT_EQ(last.signatures[i].count, whole.signatures[i].count);
  }
}

// Stopped before it begins, a campaign leaves on disk what it has found there.
TEST_F(CampaignTest, LosesNothingWhereItIsStoppedBeforeItBegins) {
  const std::string fault = "lift-transform-params/output-dropped";
  CampaignOptions options;
  options.cases = 256;
  options.findings = folder_ / "parts";
  const auto make = [&]() -> Result<std::unique_ptr<Subject>> { return make_native_subject(fault); };
  const auto tell = [](const Progress&) {};
  std::atomic<bool> stop = false;
  const CampaignResult first = run_campaign(make, options, tell, stop).value();
  ASSERT_FALSE(first.signatures.empty());
  options.cases = 512;
  stop = true;
  EXPECT_EQ(run_campaign(make, options, tell, stop).value().cases, 0);
  stop = false;
  EXPECT_GE(run_campaign(make, options, tell, stop).value().signatures.size(), first.signatures.size());
}

constexpr const char* kFault = "lift-transform-params/output-dropped";

CampaignResult run_native(const CampaignOptions& options, const std::function<void(const Progress&, std::atomic<bool>&)>& tell) {
  const auto make = []() -> Result<std::unique_ptr<Subject>> { return make_native_subject(kFault); };
  std::atomic<bool> stop = false;
  return run_campaign(make, options, [&](const Progress& progress) { tell(progress, stop); }, stop).value();
}

CampaignOptions guided_options(const std::filesystem::path& findings, std::int64_t cases) {
  CampaignOptions options;
  options.guided = true;
  options.cases = cases;
  options.findings = findings;
  return options;
}

void go_on(const Progress&, std::atomic<bool>&) {}
void stop_after_a_round(const Progress& progress, std::atomic<bool>& stop) {
  if (progress.doing == "fuzzing") stop = true;
}

void expect_same(const CampaignResult& one, const CampaignResult& two) {
  EXPECT_EQ(one.cases, two.cases);
  EXPECT_EQ(one.checks_by_pass, two.checks_by_pass);
  EXPECT_EQ(one.keys, two.keys);
  EXPECT_EQ(one.corpus_entries, two.corpus_entries);
  EXPECT_EQ(one.features, two.features);
  ASSERT_EQ(one.signatures.size(), two.signatures.size());
  for (std::size_t i = 0; i < one.signatures.size(); ++i) {
    EXPECT_EQ(one.signatures[i].name, two.signatures[i].name);
    EXPECT_EQ(one.signatures[i].count, two.signatures[i].count);
  }
}

TEST_F(CampaignTest, AGuidedCampaignFindsAFaultAndKeepsACorpus) {
  const CampaignResult result = run_native(guided_options(folder_ / "guided", 256), go_on);
  ASSERT_FALSE(result.signatures.empty());
  EXPECT_EQ(result.signatures.front().pass, "LiftTransformParams");
  EXPECT_GT(result.corpus_entries, 20);
  EXPECT_GT(result.features, result.corpus_entries);
}

TEST_F(CampaignTest, TheNumberOfJobsChangesNothingInAGuidedCampaign) {
  CampaignOptions options = guided_options(folder_ / "one-job", 200);
  const CampaignResult one = run_native(options, go_on);
  options.findings = folder_ / "three-jobs";
  options.jobs = 3;
  expect_same(one, run_native(options, go_on));
}

TEST_F(CampaignTest, AGuidedCampaignGoesOnWhereItWasStopped) {
  const CampaignResult whole = run_native(guided_options(folder_ / "guided-whole", 200), go_on);
  const CampaignOptions options = guided_options(folder_ / "guided-parts", 200);
  CampaignResult last;
  int starts = 0;
  for (; last.cases < 200; ++starts) last = run_native(options, stop_after_a_round);
  EXPECT_EQ(starts, 7);
  expect_same(whole, last);
}

// Killed after it added to the corpus and before it wrote its state, a campaign draws the same cases again.
TEST_F(CampaignTest, WhatARoundThatWasLostAddedToTheCorpusIsForgotten) {
  const CampaignResult whole = run_native(guided_options(folder_ / "guided-whole", 96), go_on);
  const CampaignOptions options = guided_options(folder_ / "guided-killed", 96);
  run_native(options, stop_after_a_round);
  const auto before = folder_ / "before";
  std::filesystem::create_directory(before);
  std::filesystem::copy_file(options.findings / "state.json", before / "state.json");
  std::filesystem::copy(options.findings / kWaitingFolder, before / kWaitingFolder, std::filesystem::copy_options::recursive);
  run_native(options, stop_after_a_round);
  // What waited is removed only when the state says that it does not wait.
  std::filesystem::copy(before, options.findings, std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
  expect_same(whole, run_native(options, go_on));
}

TEST_F(CampaignTest, AnotherCampaignDoesNotTakeThePlaceOfOneThatWasStopped) {
  CampaignOptions options;
  options.cases = 256;
  options.findings = folder_ / "places";
  const CampaignResult whole = run_native(CampaignOptions{.cases = 256, .findings = folder_ / "alone"}, go_on);
  run_native(options, stop_after_a_round);
  options.seed = 2;
  const CampaignResult other = run_native(options, go_on);
  EXPECT_EQ(other.cases, 256);
  EXPECT_TRUE(std::filesystem::exists(options.findings / "state-2.json"));
  options.seed = 1;
  const CampaignResult rest = run_native(options, go_on);
  EXPECT_EQ(rest.cases, 256);
  EXPECT_EQ(rest.checks, whole.checks);
}

// What a campaign finds is never written twice, also where two that do the same share a folder.
TEST_F(CampaignTest, TwoCampaignsMayShareAFolder) {
  CampaignOptions options = guided_options(folder_ / "shared", 128);
  CampaignResult second;
  const auto start_second = [&](const Progress& progress, std::atomic<bool>&) {
    if (second.cases == 0 && progress.doing == "fuzzing") second = run_native(options, go_on);
  };
  const CampaignResult first = run_native(options, start_second);
  EXPECT_EQ(first.cases, 128);
  EXPECT_EQ(second.cases, 128);
  EXPECT_TRUE(std::filesystem::exists(options.findings / "campaign.json"));
  EXPECT_TRUE(std::filesystem::exists(options.findings / "campaign-2.json"));
  std::set<std::string> names;
  for (const DistinctBug& bug : first.signatures) names.insert(bug.name);
  for (const DistinctBug& bug : second.signatures) names.insert(bug.name);
  std::size_t written = 0;
  for (const auto& folder : find_cases(options.findings)) written += folder.parent_path() == options.findings ? 1 : 0;
  EXPECT_EQ(written, names.size());
}

TEST_F(CampaignTest, ABoundOnChecksIsKeptToACase) {
  for (const bool guided : {false, true}) {
    const CampaignOptions options{.checks = 2000, .guided = guided, .findings = folder_ / (guided ? "bound-guided" : "bound")};
    const CampaignResult result = run_native(options, go_on);
    EXPECT_GE(result.checks, 2000);
    EXPECT_LT(result.checks, 2000 + 60);
  }
}

TEST_F(CampaignTest, AFolderThatCannotBeWrittenIsAnError) {
  std::ofstream(folder_.string()) << "a file";
  CampaignOptions options;
  options.cases = 1;
  options.findings = folder_ / "findings";
  const auto make = []() -> Result<std::unique_ptr<Subject>> { return make_native_subject(); };
  const std::atomic<bool> stop = false;
  const auto result = run_campaign(make, options, [](const Progress&) {}, stop);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "case.write");
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
