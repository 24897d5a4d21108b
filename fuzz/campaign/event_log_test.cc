#include "fuzz/campaign/event_log.h"

#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include <nlohmann/json.hpp>

namespace passdiff {
namespace {

using nlohmann::json;

class EventLogTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(file_); }
  void TearDown() override { std::filesystem::remove(file_); }

  std::vector<json> lines() const {
    std::vector<json> read;
    std::ifstream stream(file_);
    for (std::string line; std::getline(stream, line);) read.push_back(json::parse(line));
    return read;
  }

  const std::filesystem::path file_ = std::filesystem::path(testing::TempDir()) / "passdiff-event-log.jsonl";
  EventLog log_{file_};
};

TEST_F(EventLogTest, TellsARound) {
  CampaignResult counts;
  counts.cases = 3;
  counts.checks = 40;
  counts.seconds_in_passes = 0.26;
  ASSERT_FALSE(log_.round(counts, {.seconds = 1.23, .findings = 1, .known = 2, .waiting = 5, .features = 70, .restarts = 1}));
  const json line = lines().at(0);
  EXPECT_EQ(line.at("seconds"), 1.2);
  EXPECT_EQ(line.at("cases"), 3);
  EXPECT_EQ(line.at("checks"), 40);
  EXPECT_EQ(line.at("seconds_in_passes"), 0.3);
  EXPECT_EQ(line.at("findings"), 1);
  EXPECT_EQ(line.at("known"), 2);
  EXPECT_EQ(line.at("waiting"), 5);
  EXPECT_EQ(line.at("features"), 70);
  EXPECT_EQ(line.at("restarts"), 1);
}

TEST_F(EventLogTest, TellsTheChecksOfEachPassSeldomAndAtTheEnd) {
  CampaignResult counts;
  counts.checks_by_pass = {{"FoldConstant", 4}};
  for (const double seconds : {1.0, 300.0, 600.9, 601.0, 900.0}) ASSERT_FALSE(log_.round(counts, {.seconds = seconds}));
  ASSERT_FALSE(log_.round(counts, {.seconds = 901.0, .ends = true}));
  std::vector<bool> told;
  for (const json& line : lines()) told.push_back(line.contains("checks_by_pass"));
  EXPECT_EQ(told, (std::vector<bool>{true, false, false, true, false, true}));
  EXPECT_EQ(lines().back().at("checks_by_pass").at("FoldConstant"), 4);
}

TEST_F(EventLogTest, TellsReductionsWhateverTheirKeysHold) {
  ASSERT_FALSE(log_.reduction(2, {.key = "a|\"b\"|\xFF", .took = 0.1234, .became = "met", .folder = "corpus/known/x"}));
  ASSERT_FALSE(log_.reduction(3, {.key = "c", .took = 1, .became = "unconfirmed", .folder = {}}));
  const std::vector<json> read = lines();
  EXPECT_EQ(read.at(0).at("reduced"), "a|\"b\"|\uFFFD");
  EXPECT_EQ(read.at(0).at("took"), 0.123);
  EXPECT_EQ(read.at(0).at("became"), "met");
  EXPECT_EQ(read.at(0).at("folder"), "corpus/known/x");
  EXPECT_FALSE(read.at(1).contains("folder"));
}

TEST_F(EventLogTest, SaysWhereItCannotWrite) {
  EventLog nowhere("/proc/passdiff/events.jsonl");
  const auto error = nowhere.round({}, {});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, "case.write");
}

}  // namespace
}  // namespace passdiff
