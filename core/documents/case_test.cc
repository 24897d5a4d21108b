#include "core/documents/case.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/ir/structural.h"
#include "core/text/text.h"
#include "core/form/well_formed.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;

class CaseFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  fs::path write(const std::string& manifest) const {
    const fs::path folder = root_ / "case";
    fs::create_directories(folder);
    std::ofstream(folder / "case.json") << manifest;
    std::ofstream(folder / "source.py") << kSource;
    return folder;
  }
  std::string code(const std::string& manifest) const {
    const auto result = read_case(write(manifest));
    return result.ok() ? "ok" : result.error().code;
  }

  static constexpr const char* kSource = R"(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.add(x, x)
        return y
)";
  fs::path root_;
};

TEST_F(CaseFolderTest, SurvivesWritingAndReading) {
  CaseFolder content;
  content.test.module = *parse_text(kSource);
  content.test.arguments = {std::string("text"), ShapeValue{{1, 2}}};
  content.passes = {{"LiftTransformParams", R"({"shared_transform":true})"}};
  content.expected = {{"tvm 0.26", "crash"}, {"native", "agree"}};
  content.origin = "seed 7, case 1234";
  content.readme = "What is wrong.\nWhere.\n";
  const fs::path folder = root_ / "a" / "b";
  const auto written = write_case(content, folder, {{"unreduced/case.json", "{}"}});
  ASSERT_TRUE(written.ok()) << written.error().message;
  std::ifstream manifest(folder / "case.json");
  EXPECT_EQ(nlohmann::json::parse(manifest)["format"], 1);
  const auto back = read_case(folder);
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_TRUE(structural_equal(back->test.module, content.test.module));
  EXPECT_EQ(back->test.arguments.size(), 2U);
  EXPECT_EQ(back->passes, content.passes);
  EXPECT_EQ(back->expected, content.expected);
  EXPECT_EQ(back->origin, content.origin);
  EXPECT_EQ(back->readme, content.readme);
  EXPECT_EQ(find_cases(root_), std::vector<fs::path>{folder});  // folders inside of a case are no cases
  EXPECT_EQ(write_case(content, folder).error().code, "case.write");
}

TEST_F(CaseFolderTest, FaultsNameTheField) {
  const std::string good = R"("entry": "main", "passes": [], "arguments": [], "expected": {})";
  EXPECT_EQ(code("{" + good + "}"), "ok");
  EXPECT_EQ(code("{" + good + R"(, "format": 1})"), "ok");
  EXPECT_EQ(code("{" + good + R"(, "format": 2})"), "case.field");
  const auto unknown = read_case(write("{" + good + R"(, "expectd": {}})"));
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, "case.field");
  EXPECT_NE(unknown.error().message.find("\"expectd\""), std::string::npos);
  EXPECT_EQ(code("{}"), "case.field");
  EXPECT_EQ(code("[]"), "case.field");
  EXPECT_EQ(code("{" + good + R"(, "passes": [["Lift"]]})"), "case.field");
  EXPECT_EQ(code(R"({"entry": "other", "passes": [], "arguments": [], "expected": {}})"), "case.field");
  EXPECT_EQ(code("{" + good + R"(, "module": {}})"), "json.field");
  EXPECT_EQ(code("{"), "json.syntax");
  EXPECT_EQ(read_case(root_ / "absent").error().code, "case.missing");
}

TEST_F(CaseFolderTest, MayLeaveArgumentsAndEntryToTheReplay) {
  const auto recorded = read_case(write(R"({"passes": [["Normalize", {}]], "expected": {}})"));
  ASSERT_TRUE(recorded.ok()) << recorded.error().message;
  EXPECT_FALSE(recorded->arguments_given);
  EXPECT_TRUE(recorded->test.entry.empty());
  EXPECT_EQ(code(R"({"entry": "main", "passes": [], "expected": {}})"), "ok");
  EXPECT_EQ(code(R"({"arguments": [], "passes": [], "expected": {}})"), "case.field");
  const fs::path copy = root_ / "copy";
  ASSERT_TRUE(write_case(*recorded, copy).ok());
  EXPECT_FALSE(read_case(copy)->arguments_given);
}

TEST_F(CaseFolderTest, MayBeAFunctionOfTensorIrAlone) {
  const fs::path folder = write(R"({"entry": "f", "passes": [], "arguments": [{"prim": "int32", "value": 1}], "expected": {}})");
  std::ofstream(folder / "source.py") << "@T.prim_func\ndef f(n: T.int32):\n    T.evaluate(n)\n";
  const auto content = read_case(folder);
  ASSERT_TRUE(content.ok()) << content.error().message;
  EXPECT_FALSE(well_formed(content->test.module));
  ASSERT_TRUE(write_case(*content, root_ / "copy").ok());
  EXPECT_TRUE(structural_equal(read_case(root_ / "copy")->test.module, content->test.module));
}

TEST_F(CaseFolderTest, IsNotFoundBeforeItIsWhole) {
  write(R"({"entry": "main", "passes": [], "arguments": [], "expected": {}})");
  fs::rename(root_ / "case", root_ / "case.partial");
  EXPECT_TRUE(find_cases(root_).empty());
}

TEST(Corpus, EverySeedReadsAsAWellFormedModule) {
  const auto cases = find_cases(fs::path(PASSDIFF_SOURCE_DIR) / "corpus" / "seeds");
  EXPECT_GE(cases.size(), 10U);
  for (const fs::path& folder : cases) {
    const auto content = read_case(folder);
    ASSERT_TRUE(content.ok()) << content.error().message;
    const auto fault = well_formed(content->test.module);
    EXPECT_FALSE(fault.has_value()) << folder << ": " << fault->message;
    EXPECT_FALSE(content->expected.empty()) << folder;
  }
}

}  // namespace
}  // namespace passdiff
