#include "fuzz/views/replay_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace passdiff {
namespace {

std::vector<ReplayedCase> some() {
  return {{.folder = "corpus/a", .outcome = ReplayOutcome::as_expected, .entry = {}, .symptom = "agree", .text = "agree"},
          {.folder = "corpus/b", .outcome = ReplayOutcome::fixed, .entry = {}, .symptom = "agree", .text = "expected crash, and agrees with tvm 1"},
          {.folder = "corpus/c", .outcome = ReplayOutcome::finding, .entry = "f", .symptom = "mismatch", .text = "a < b & \"c\"\x01"},
          {.folder = "corpus/d", .outcome = ReplayOutcome::unsupported, .entry = {}, .symptom = {}, .text = "no such pass"}};
}

TEST(ReplayReport, SaysInOneLineWhatBecameOfACase) {
  EXPECT_EQ(replay_line(some()[1]), "FIXED        corpus/b: expected crash, and agrees with tvm 1");
  EXPECT_EQ(replay_line(some()[3]), "unsupported  corpus/d: no such pass");
}

TEST(ReplayReport, JUnitCountsAndEscapes) {
  const std::string text = junit_text(some(), "tvm 1", std::chrono::system_clock::time_point(std::chrono::hours(24)));
  EXPECT_NE(text.find("timestamp=\"1970-01-02T00:00:00\""), std::string::npos) << text;
  EXPECT_NE(text.find("tests=\"4\" failures=\"2\" errors=\"0\" skipped=\"1\""), std::string::npos) << text;
  EXPECT_NE(text.find("message=\"a &lt; b &amp; &quot;c&quot;?\""), std::string::npos) << text;
}

TEST(ReplayReport, JUnitTellsErrorsFromFailures) {
  auto replayed = some();
  replayed[0].outcome = ReplayOutcome::unreadable;
  const std::string text = junit_text(replayed, "tvm 1", {});
  EXPECT_NE(text.find("tests=\"4\" failures=\"2\" errors=\"1\" skipped=\"1\""), std::string::npos) << text;
  EXPECT_NE(text.find("name=\"a\" time=\"0.000\"><error type=\"unreadable\" message=\"agree\"/></testcase>"), std::string::npos) << text;
}

TEST(ReplayReport, JUnitHasTimesAndClassesOfAllCases) {
  auto replayed = some();
  replayed[0].seconds = 1.25;
  replayed[1].seconds = 2;
  replayed[1].folder = "b";
  const std::string text = junit_text(replayed, "tvm 1", {});
  EXPECT_NE(text.find("skipped=\"1\" time=\"3.250\""), std::string::npos) << text;
  EXPECT_NE(text.find("<testcase classname=\"corpus\" name=\"a\" time=\"1.250\"/>"), std::string::npos) << text;
  EXPECT_EQ(text.find("classname=\"\""), std::string::npos) << text;
}

TEST(ReplayReport, SarifNamesFilesByUris) {
  auto replayed = some();
  replayed[1].folder = "my cases/50%";
  replayed[2].folder = "/my cases/c";
  EXPECT_NE(sarif_text(replayed, "tvm 1").find("\"file:///my%20cases/c/source.py\""), std::string::npos);
  EXPECT_NE(sarif_text(replayed, "tvm 1").find("\"my%20cases/50%25/source.py\""), std::string::npos);
}

TEST(ReplayReport, SarifHasAResultForEachCaseToLookAt) {
  const auto document = nlohmann::json::parse(sarif_text(some(), "tvm 1"));
  const auto& run = document.at("runs").at(0);
  ASSERT_EQ(run.at("results").size(), 2U);
  EXPECT_EQ(run.at("results").at(0).at("level"), "note");
  EXPECT_EQ(run.at("results").at(1).at("ruleId"), "mismatch");
  EXPECT_EQ(run.at("results").at(1).at("locations").at(0).at("physicalLocation").at("artifactLocation").at("uri"), "corpus/c/source.py");
  EXPECT_EQ(run.at("tool").at("driver").at("rules").size(), 2U);
}

}  // namespace
}  // namespace passdiff
