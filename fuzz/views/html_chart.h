// Line charts over time, as inline SVG.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace passdiff {

struct ChartPoint {
  double seconds = 0;
  double value = 0;
};

struct Chart {
  std::string title;               // what is counted: "causes"
  std::vector<ChartPoint> points;  // in the order of time
  bool steps = false;              // the value jumps at a point, instead of growing up to it
  // A second line, of what is counted apart among it: "new". None if there are fewer than two points.
  std::string part_title = {};
  std::vector<ChartPoint> part = {};
};

// Empty if there are fewer than two points. Colours come from the page: classes `grid`, `tick`, `line` and `part`.
std::string svg_chart(const Chart& chart);

// "9,871"
std::string grouped(std::int64_t number);
// "45 s", "12 min", "3 h 20 min"
std::string duration(double seconds);

}  // namespace passdiff
