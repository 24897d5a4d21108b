// README.md repeats tables and code of this folder: they must not drift apart.
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "oracle/symptom.h"

namespace passdiff {
namespace {

std::string content(const std::string& file) {
  std::ifstream in(std::string(PASSDIFF_SOURCE_DIR) + "/oracle/" + file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(Readme, ListsTheSymptomsOfEachSeverity) {
  std::map<std::string_view, std::string> rows;
  for (const SymptomInfo& symptom : all_symptoms()) {
    std::string& row = rows[severity_name(symptom.symptom)];
    row += fmt::format("{}`{}`", row.empty() ? "" : ", ", symptom.name);
  }
  for (const auto& [severity, symptoms] : rows) {
    const std::string row = fmt::format("| `{}` | {} |", severity, symptoms);
    EXPECT_NE(content("README.md").find(row), std::string::npos) << row;
  }
}

TEST(Readme, ShowsACheckAndItsCanaries) {
  const std::string readme = content("README.md");
  EXPECT_NE(readme.find("```cpp\n" + content("checks/repeatable.cc") + "```"), std::string::npos);
  const std::string mark = "      {.check = \"repeatable\",";
  const std::size_t row = readme.find(mark);
  ASSERT_NE(row, std::string::npos);
  const std::string canaries = readme.substr(row, readme.find("```", row) - row);
  EXPECT_NE(content("canaries_test.cc").find(canaries), std::string::npos) << canaries;
}

}  // namespace
}  // namespace passdiff
