#include "fuzz/recording.h"

#include <fstream>

#include <gtest/gtest.h>

namespace passdiff {
namespace {

namespace fs = std::filesystem;

TEST(Recording, CountsApplicationsAndWhyTheyCannotBeRead) {
  const fs::path root = fs::path(testing::TempDir()) / "recording";
  fs::remove_all(root);
  const auto write = [&](const char* name, const char* text) {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
  };
  const char* const readable = "@R.function\ndef main(x: R.Tensor((2,), \"float32\")):\n    return x\n";
  const char* const unreadable =
      "@R.function\ndef main(x: R.Tensor((2,), \"float32\")):\n    return R.nothing_such(x)\n";
  write("A/1/source.py", readable);
  write("A/1/target.py", readable);
  write("A/2/source.py", readable);
  write("A/2/target.py", unreadable);
  write("B/3/source.py", readable);
  write("applications.jsonl",
        "{\"folder\": \"A/1\", \"pass\": \"A\"}\n{\"folder\": \"A/1\", \"pass\": \"A\"}\n"
        "{\"folder\": \"A/2\", \"pass\": \"A\"}\n{\"left_out\": \"tirx.Simplify\"}\n"
        "{\"folder\": \"B/3\", \"pass\": \"B\"}\n{\"folder\": \"B");
  EXPECT_EQ(recorded_applications(root), 4);
  const auto summary = summarise_recording(root);
  ASSERT_TRUE(summary.ok()) << summary.error().message;
  EXPECT_EQ(summary->applications, 4);
  EXPECT_EQ(summary->distinct, 3);
  EXPECT_EQ(summary->readable, 2);
  EXPECT_EQ(summary->applications_readable, 3);
  EXPECT_EQ(summary->failed, 1);
  EXPECT_EQ(summary->left_out, 1);
  EXPECT_EQ(summary->by_pass.at("A"), 2);
  ASSERT_EQ(summary->unreadable.size(), 1u);
  EXPECT_EQ(summary->unreadable.begin()->first, "parse.unknown-op: R.nothing_such is not supported");
  EXPECT_EQ(summary->examples.begin()->second, "A/2");
  fs::remove_all(root);
}

// It may be what the pass has done wrong.
TEST(Recording, TakesATargetThatUsesWhatNothingDefines) {
  const fs::path root = fs::path(testing::TempDir()) / "recording-undefined";
  fs::remove_all(root);
  fs::create_directories(root / "A" / "1");
  std::ofstream(root / "A" / "1" / "source.py") << "@R.function\ndef main(x: R.Tensor((2,), \"float32\")):\n    return x\n";
  std::ofstream(root / "A" / "1" / "target.py") << "@R.function\ndef main(x: R.Tensor((2,), \"float32\")):\n    return y\n";
  std::ofstream(root / "applications.jsonl") << "{\"folder\": \"A/1\", \"pass\": \"A\"}\n";
  const auto summary = summarise_recording(root);
  ASSERT_TRUE(summary.ok()) << summary.error().message;
  EXPECT_EQ(summary->readable, 1);
  EXPECT_EQ(summary->undefined, 1);
  EXPECT_TRUE(summary->unreadable.empty());
  EXPECT_NE(table(*summary).find("1 whose target uses what nothing defines"), std::string::npos);
  fs::remove_all(root);
}

TEST(Recording, SaysThatItsCountsAreOfAllRuns) {
  RecordingSummary summary;
  summary.applications = 5;
  EXPECT_EQ(table(summary).find("all runs"), std::string::npos);
  summary.earlier = 4;
  EXPECT_NE(table(summary).find("4 of the applications were there before, 1 is new"), std::string::npos) << table(summary);
}

TEST(Recording, OfNothingIsAnError) {
  EXPECT_EQ(recorded_applications(fs::path(testing::TempDir()) / "absent"), 0);
  const auto summary = summarise_recording(fs::path(testing::TempDir()) / "absent");
  ASSERT_FALSE(summary.ok());
  EXPECT_EQ(summary.error().code, "record.folder");
}

}  // namespace
}  // namespace passdiff
