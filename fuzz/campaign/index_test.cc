#include "fuzz/campaign/index.h"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/documents/files.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;

class IndexTest : public testing::Test {
 protected:
  IndexTest() : root_(fs::temp_directory_path() / ("passdiff-index-" + std::to_string(getpid()))) {}
  ~IndexTest() override { fs::remove_all(root_); }

  void finding(const std::string& name, const std::string& symptom, const std::string& bindings) {
    ASSERT_FALSE(write_whole(root_ / name / "case.json", "{}"));
    ASSERT_FALSE(write_whole(root_ / name / "verdict.json",
                             R"({"evidence": {"kind": "wrong-values", "symptom": ")" + symptom +
                                 R"(", "passes": ["P"], "site": "", "edit": [], "features": []}, "explanation": "a | b", "bindings": )" +
                                 bindings + "}"));
  }

  fs::path root_;
};

TEST_F(IndexTest, ListsFindingsByRankAndEscapes) {
  finding("refused-first-by-name", "internal-error", "1");
  finding("wrong", "mismatch", "2");
  ASSERT_FALSE(write_index(root_));
  std::ifstream stream(root_ / "index.md");
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  EXPECT_LT(text.find("[wrong]"), text.find("[refused-first-by-name]"));
  EXPECT_NE(text.find("a \\| b"), std::string::npos);
}

TEST_F(IndexTest, LeavesOutWhatItCannotRead) {
  finding("odd", "mismatch", "\"x\"");
  finding("good", "mismatch", "1");
  ASSERT_FALSE(write_whole(root_ / "half" / "case.json", "{}"));
  ASSERT_FALSE(write_whole(root_ / kWaitingFolder / "one" / "case.json", "{}"));
  std::vector<fs::path> unreadable;
  const auto found = read_findings(root_, unreadable);
  ASSERT_EQ(unreadable, std::vector<fs::path>{root_ / "odd"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].folder.filename(), "good");
  EXPECT_EQ(finding_folders(root_).size(), 3U);
  ASSERT_FALSE(write_index(root_));
  std::ifstream stream(root_ / "index.md");
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  EXPECT_NE(text.find("[odd](odd)"), std::string::npos) << "what is damaged is told";
  EXPECT_EQ(text.find("half"), std::string::npos);
}

TEST_F(IndexTest, WhatWaitsIsNoCaseToJudge) {
  finding("good", "mismatch", "1");
  ASSERT_FALSE(write_whole(root_ / kWaitingFolder / "one" / "case.json", "{}"));
  ASSERT_FALSE(write_whole(root_ / kUnconfirmedFolder / "two" / "case.json", "{}"));
  EXPECT_EQ(cases_to_judge(root_), std::vector<fs::path>{root_ / "good"});
  EXPECT_EQ(cases_to_judge(root_ / kWaitingFolder), std::vector<fs::path>{root_ / kWaitingFolder / "one"});
}

TEST_F(IndexTest, NoFolderHasNoFindings) {
  std::vector<fs::path> unreadable;
  EXPECT_TRUE(read_findings(root_, unreadable).empty());
  EXPECT_FALSE(write_index(root_));
}

}  // namespace
}  // namespace passdiff
