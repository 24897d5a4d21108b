#include "oracle/replay.h"

#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace passdiff {
namespace {

namespace fs = std::filesystem;

class JudgedCase : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("passdiff-judged-case-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    std::ofstream(folder_ / "source.py") << "@I.ir_module\nclass M:\n    @R.function\n    def main():\n        return R.tuple()\n";
  }
  void TearDown() override { fs::remove_all(folder_); }

  Result<CaseFolder> read(const std::string& expected) {
    std::ofstream(folder_ / "case.json") << R"({"entry": "main", "passes": [["NoSuchPass", {}]], "arguments": [], "expected": )" << expected << "}";
    return read_judged_case(folder_);
  }
  fs::path folder_;
};

TEST_F(JudgedCase, ExpectsSymptoms) {
  const auto content = read(R"({"tvm": "agree", "native": "ill-formed"})");
  ASSERT_TRUE(content.ok()) << content.error().message;
  EXPECT_EQ(content->expected.at("native"), "ill-formed");
  EXPECT_TRUE(read("{}").ok());
}

TEST_F(JudgedCase, AVerdictThatIsNoneCannotBeRead) {
  const auto content = read(R"({"native": "agree", "tvm 0.27": "bananas"})");
  ASSERT_FALSE(content.ok());
  EXPECT_EQ(content.error().code, "case.field");
  EXPECT_NE(content.error().message.find("case.json: expected.tvm 0.27 should be a symptom, not \"bananas\""), std::string::npos)
      << content.error().message;
}

}  // namespace
}  // namespace passdiff
