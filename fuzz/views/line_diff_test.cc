#include "fuzz/views/line_diff.h"

#include <string>

#include <gtest/gtest.h>

namespace passdiff {
namespace {

// The steps as text: " a" kept, "-a" removed, "+a" added.
std::string steps_of(std::string_view before, std::string_view after) {
  const auto a = lines_of(before);
  const auto b = lines_of(after);
  std::string text;
  for (const DiffStep& step : difference(a, b)) {
    const char mark = step.kind == DiffKind::kept ? ' ' : step.kind == DiffKind::removed ? '-' : '+';
    text.append(1, mark).append(step.kind == DiffKind::added ? b[step.after] : a[step.before]);
  }
  return text;
}

TEST(LineDiff, KeepsWhatIsCommon) {
  EXPECT_EQ(steps_of("a\nb\nc\n", "a\nx\nc\nd\n"), " a-b+x c+d");
  EXPECT_EQ(steps_of("", "a\n"), "+a");
  EXPECT_EQ(steps_of("a", ""), "-a");
  EXPECT_EQ(steps_of("a\na\n", "a\n"), " a-a");
  EXPECT_EQ(steps_of("a\nb\nc\nd\n", "b\nd\na\n"), "-a b-c d+a");
}

TEST(LineDiff, LinesNeedNotEnd) {
  EXPECT_EQ(lines_of("a\n\nb"), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_TRUE(lines_of("").empty());
}

TEST(LineDiff, ReplacesWhatIsTooLongToCompare) {
  std::string before = "first\n";
  std::string after = before;
  for (int i = 0; i < 3000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  const auto a = lines_of(before);
  const auto b = lines_of(after);
  const auto steps = difference(a, b);
  ASSERT_EQ(steps.size(), 6001U);
  EXPECT_EQ(steps[0].kind, DiffKind::kept);
  EXPECT_EQ(steps[3000].kind, DiffKind::removed);
  EXPECT_EQ(steps[3001].kind, DiffKind::added);
  EXPECT_EQ(steps[6000].after, 3000U);
}

}  // namespace
}  // namespace passdiff
