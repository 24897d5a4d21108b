#include "fuzz/views/html_chart.h"
#include "fuzz/views/test_text.h"

#include <cmath>

#include <gtest/gtest.h>

namespace passdiff {
namespace {

TEST(HtmlChart, NeedsTwoPoints) {
  EXPECT_EQ(svg_chart({"checks", {}}), "");
  EXPECT_EQ(svg_chart({"checks", {{1, 2}}}), "");
  EXPECT_EQ(svg_chart({"checks", {{0, 2}, {0, 3}}}), "");
}

TEST(HtmlChart, PutsPointsWhereTheAxesSay) {
  // Values up to 4 in steps of 1: the plot is 140 high, from 26 to 166; times up to 10 s: 380 wide, from 46 to 426.
  const std::string svg = svg_chart({"checks", {{0, 0}, {5, 2}, {10, 4}}});
  EXPECT_TRUE(holds(svg, "d=\"M46.0 166.0L236.0 96.0L426.0 26.0\"")) << svg;
  EXPECT_TRUE(holds(svg, ">5 s<")) << svg;
  EXPECT_TRUE(holds(svg, "checks over time: 4 after 10 s")) << svg;
}

TEST(HtmlChart, CountsRiseInSteps) {
  EXPECT_TRUE(
      holds(svg_chart({"causes", {{0, 0}, {10, 4}}, true}), "d=\"M46.0 166.0L426.0 166.0L426.0 26.0\""));
}

TEST(HtmlChart, DrawsAPartOnTheAxesOfTheWhole) {
  const std::string svg = svg_chart({"causes met", {{0, 0}, {10, 4}}, false, "new", {{0, 0}, {10, 1}}});
  EXPECT_TRUE(holds(svg, "<path class=\"line\" d=\"M46.0 166.0L426.0 26.0\"/>\n<path class=\"line part\" d=\"M46.0 166.0L426.0 131.0\"/>")) << svg;
  EXPECT_TRUE(holds(svg, "causes met: 4, 1 new<")) << svg;
}

TEST(HtmlChart, LeavesOutWhatIsNoPoint) {
  const double none = std::nan("");
  const std::string svg =
      svg_chart({"<b>", {{0, 0}, {none, 1}, {5, none}, {3, -1}, {6, 1}, {4, 9}, {10, 4}}});
  EXPECT_TRUE(holds(svg, "d=\"M46.0 166.0L274.0 131.0L426.0 26.0\"")) << svg;
  EXPECT_TRUE(holds(svg, "&lt;b&gt;")) << svg;
}

TEST(HtmlChart, ThinsLongSeriesAndKeepsTheLastPoint) {
  Chart chart{"checks", {}};
  for (int i = 0; i <= 100'000; ++i) chart.points.push_back({i * 1.0, i * 1.0});
  const std::string svg = svg_chart(chart);
  EXPECT_LT(svg.size(), 20'000U);
  EXPECT_TRUE(holds(svg, "L426.0 26.0\"")) << svg;
  EXPECT_TRUE(holds(svg, "checks: 100,000")) << svg;
}

TEST(HtmlChart, WritesNumbersForPeople) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(-1234567), "-1,234,567");
  EXPECT_EQ(duration(45.4), "45 s");
  EXPECT_EQ(duration(725), "12 min");
  EXPECT_EQ(duration(7200), "2 h");
  EXPECT_EQ(duration(12000), "3 h 20 min");
}

}  // namespace
}  // namespace passdiff
