// Boxes, given by two opposite corners: first the places of the one along both axes, then those of the other.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/tensor/rounding.h"

namespace passdiff {

// Intersection over union; 0 if the union is empty. Each step is rounded to the dtype
// (calculate_overlap in topi/vision/nms_util.py).
inline double overlap(const double* a, const double* b, DType dtype, Rounding& rounding) {
  const auto rounded = [&](double value) { return round_float(dtype, value, rounding); };
  double common = 1, one = 1, other = 1;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto [a_low, a_high] = std::minmax(a[axis], a[axis + 2]);
    const auto [b_low, b_high] = std::minmax(b[axis], b[axis + 2]);
    common = rounded(common * std::max(0.0, rounded(std::min(a_high, b_high) - std::max(a_low, b_low))));
    one = rounded(one * rounded(a_high - a_low));
    other = rounded(other * rounded(b_high - b_low));
  }
  const double both = rounded(rounded(one + other) - common);
  return both <= 0 ? 0 : rounded(common / both);
}

}  // namespace passdiff
