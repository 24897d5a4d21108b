#include "fuzz/views/live_view.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

// Characters, not bytes.
int width_of(const std::string& line) {
  int width = 0;
  for (const char c : line) width += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
  return width;
}

struct Example {
  CheckCounts counts;
  Progress progress;

  Example() {
    for (int i = 0; i < 60; ++i) {
      counts.checks_by_pass["Pass" + std::to_string(i)] = 100 + i;
      counts.changed_by_pass["Pass" + std::to_string(i)] = i;
    }
    counts.seconds_in_passes = 30;
    counts.seconds_reducing = 12;
    progress = {.cases = 12, .checks = 600, .seconds = 60, .findings = 3, .known = 1, .doing = "fuzzing", .news = {}};
    progress.jobs = 2;
    progress.counts = &counts;
    progress.by_severity = {{Severity::wrong_result, 2}, {Severity::crash, 1}};
    progress.last_new = 18;
  }
};

TEST(LiveView, FitsTheTerminal) {
  const Example example;
  for (const TerminalSize size : {TerminalSize{80, 24}, TerminalSize{200, 60}, TerminalSize{40, 10}, TerminalSize{20, 3}}) {
    const std::vector<std::string> lines = live_view(example.progress, 900, size);
    for (const std::string& line : lines) EXPECT_LT(width_of(line), size.columns) << line;
    if (size.rows > 5) EXPECT_LT(static_cast<int>(lines.size()), size.rows);
  }
}

TEST(LiveView, SaysWhatWasFoundAndHowFast) {
  const Example example;
  const std::vector<std::string> lines = live_view(example.progress, 900, {100, 30});
  EXPECT_EQ(lines[0], "1:00 of 15:00: fuzzing");
  EXPECT_EQ(lines[1], "12 cases, 600 checks, 10/s, of the jobs' time 25 % inside passes, 10 % in reductions");
  EXPECT_EQ(lines[2], "3 new: 2 wrong-result, 1 crash, 0 ill-formed, 0 refused, 0 broken-promise");
  EXPECT_EQ(lines[3], "1 known; the last new one 0:42 ago");
  EXPECT_TRUE(lines[6].starts_with("Pass59")) << "the pass that changed most stands first";
}

}  // namespace
}  // namespace passdiff
