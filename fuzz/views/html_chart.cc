#include "fuzz/views/html_chart.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "fuzz/views/html_text.h"

namespace passdiff {
namespace {

// In units of the view box. What is left of the plot holds the labels of values, what is below it those of time.
constexpr double kWidth = 440;
constexpr double kHeight = 190;
constexpr double kLeft = 46;
constexpr double kRight = 14;
constexpr double kTop = 26;
constexpr double kBottom = 24;
constexpr std::size_t kMostPoints = 400;  // more than a screen can tell apart

// A step of 1, 2 or 5 times a power of ten, so that about four of them reach `most`.
double tick_step(double most, double least_step) {
  const double rough = most / 4;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return std::max(factor * power, least_step);
  }
  return std::max(10 * power, least_step);
}

struct TimeUnit {
  double seconds = 1;
  const char* name = "s";
};
TimeUnit unit_of(double seconds) {
  if (seconds <= 180) return {1, "s"};
  if (seconds <= 3 * 3600.0) return {60, "min"};
  return {3600, "h"};
}

std::string short_number(double value) {
  if (value >= 1e6) return fmt::format("{:g}M", value / 1e6);
  if (value >= 1e4) return fmt::format("{:g}k", value / 1e3);
  return fmt::format("{:g}", value);
}

// The points in the order of time, at most so many, the last one among them. What is no number or negative is left out.
std::vector<ChartPoint> plotted(const std::vector<ChartPoint>& points) {
  std::vector<ChartPoint> good;
  for (const ChartPoint& point : points) {
    const bool fits = std::isfinite(point.seconds) && std::isfinite(point.value) && point.seconds >= 0 &&
                      point.value >= 0 && point.value < 1e15;
    if (fits && (good.empty() || point.seconds >= good.back().seconds)) good.push_back(point);
  }
  if (good.size() <= kMostPoints) return good;
  std::vector<ChartPoint> thinned;
  for (std::size_t i = 0; i < kMostPoints; ++i)
    thinned.push_back(good[i * (good.size() - 1) / (kMostPoints - 1)]);
  return thinned;
}

class Axes {
 public:
  Axes(double seconds, double value)
      : unit_(unit_of(seconds)),
        time_step_(tick_step(seconds / unit_.seconds, 0) * unit_.seconds),
        value_step_(tick_step(value, 1)),
        seconds_(seconds),
        top_(std::ceil(value / value_step_) * value_step_) {}

  double x(double seconds) const { return kLeft + seconds / seconds_ * (kWidth - kLeft - kRight); }
  double y(double value) const { return kHeight - kBottom - value / top_ * (kHeight - kTop - kBottom); }

  std::string grid() const {
    std::string svg;
    for (int i = 0; i * value_step_ <= top_ * 1.001; ++i) {
      const double at = y(i * value_step_);
      svg += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>",
                         kLeft, at, kWidth - kRight, at);
      svg += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                         kLeft - 6, at + 4, short_number(i * value_step_));
    }
    for (int i = 0; i * time_step_ <= seconds_ * 1.001; ++i) {
      svg +=
          fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:g}{}</text>\n",
                      x(i * time_step_), kHeight - 7, i * time_step_ / unit_.seconds,
                      i == 0 ? "" : fmt::format(" {}", unit_.name));
    }
    return svg;
  }

 private:
  TimeUnit unit_;
  double time_step_;
  double value_step_;
  double seconds_;
  double top_;
};

std::string path_of(const std::vector<ChartPoint>& points, const Axes& axes, bool steps) {
  std::string path;
  double last = axes.y(0);
  for (const ChartPoint& point : points) {
    const double x = axes.x(point.seconds);
    const double y = axes.y(point.value);
    if (path.empty()) {
      path = fmt::format("M{:.1f} {:.1f}", x, y);
    } else {
      if (steps && y != last) path += fmt::format("L{:.1f} {:.1f}", x, last);
      path += fmt::format("L{:.1f} {:.1f}", x, y);
    }
    last = y;
  }
  return path;
}

std::string line(std::string_view classes, const std::vector<ChartPoint>& points, const Axes& axes, bool steps) {
  return fmt::format("<path class=\"{}\" d=\"{}\"/>\n", classes, path_of(points, axes, steps));
}

}  // namespace

std::string svg_chart(const Chart& chart) {
  const std::vector<ChartPoint> points = plotted(chart.points);
  if (points.size() < 2 || points.back().seconds <= 0) return {};
  double most = 1;
  for (const ChartPoint& point : points) most = std::max(most, point.value);
  const Axes axes(points.back().seconds, most);
  const std::string title = html_escape(chart.title);
  std::string total = grouped(std::llround(points.back().value));
  std::string lines = line("line", points, axes, chart.steps);
  if (const std::vector<ChartPoint> part = plotted(chart.part); part.size() > 1) {
    total += fmt::format(", {} {}", grouped(std::llround(part.back().value)), html_escape(chart.part_title));
    lines += line("line part", part, axes, chart.steps);
  }
  return fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {:g} {:g}\" role=\"img\" aria-label=\"{} over time: {} after "
      "{}\">\n"
      "<text class=\"caption\" x=\"{:g}\" y=\"14\">{}: {}</text>\n{}{}</svg>\n",
      kWidth, kHeight, title, total, duration(points.back().seconds), 2.0, title, total, axes.grid(), lines);
}

std::string grouped(std::int64_t number) {
  std::string digits = fmt::format("{}", number);
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  const auto minutes = std::llround(seconds / 60);
  if (minutes < 120) return fmt::format("{} min", minutes);
  return minutes % 60 == 0 ? fmt::format("{} h", minutes / 60)
                           : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace passdiff
