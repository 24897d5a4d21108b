#include "oracle/finite_differences.h"

#include <algorithm>
#include <cmath>

namespace passdiff {

std::optional<Slope> slope_at_zero(const std::function<std::optional<double>(double step)>& function, double scale) {
  // A power of two, so that the steps are exact.
  const double step = std::exp2(std::floor(std::log2(scale)) - 10);
  double values[5];  // at -2, -1, 0, 1 and 2 steps
  double largest = 0;
  for (int i = 0; i < 5; ++i) {
    const std::optional<double> value = function(step * (i - 2));
    if (!value || !std::isfinite(*value)) return std::nullopt;
    values[i] = *value;
    largest = std::max(largest, std::fabs(*value));
  }
  // What rounding in double precision makes of values of this size, some hundred operations after another.
  const double noise = std::ldexp(largest, -44) / step;
  const double narrow = (values[3] - values[1]) / (2 * step);
  const double wide = (values[4] - values[0]) / (4 * step);
  // The difference between the slopes to both sides halves with the step if the function is smooth, and stays at a kink.
  const double narrow_bend = std::fabs((values[3] - values[2]) - (values[2] - values[1])) / step;
  const double wide_bend = std::fabs((values[4] - values[2]) - (values[2] - values[0])) / (2 * step);
  if (narrow_bend > 0.75 * wide_bend + 2 * noise) return std::nullopt;
  // A function that swings faster than these steps may look smooth at their few places, but not at steps far shorter, too.
  constexpr double kShorter = 64;
  const std::optional<double> before = function(-step / kShorter);
  const std::optional<double> after = function(step / kShorter);
  if (!before || !after) return std::nullopt;
  const double shortest = (*after - *before) / (2 * step / kShorter);
  if (!(std::fabs(shortest - narrow) <= std::fabs(narrow - wide) + kShorter * noise)) return std::nullopt;
  return Slope{narrow + (narrow - wide) / 3, std::fabs(narrow - wide) + noise, values[2]};
}

}  // namespace passdiff
