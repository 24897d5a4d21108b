// Samples of images between their pixels: what resizing and sampling along a grid are made of.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/choices/choices.h"
#include "core/ir/dim.h"

namespace passdiff {

// A pixel's place along one axis, -1 for one outside, and its weight.
struct Tap {
  std::int64_t place;
  double weight;
};
using Taps = std::vector<Tap>;

// The sum over all ways to take one tap along each axis of an image with these sizes; pixels outside are 0.
inline double sampled(const double* image, std::span<const std::int64_t> sizes, std::span<const Taps> taps,
                      std::int64_t offset = 0, bool outside = false) {
  if (sizes.empty()) return outside ? 0 : image[offset];
  double sum = 0;
  for (const Tap& tap : taps.front()) {
    const bool beyond = outside || tap.place < 0;
    sum += tap.weight *
           sampled(image, sizes.subspan(1), taps.subspan(1), offset * sizes.front() + tap.place, beyond);
  }
  return sum;
}

// The known sizes of a small batch of images with so many spatial axes, in plain layout.
inline Shape draw_image_shape(Choices& choices, std::size_t axes) {
  Shape shape{choices.integer(1, 2), choices.integer(1, 3)};
  for (std::size_t i = 0; i < axes; ++i) shape.push_back(choices.integer(1, axes == 2 ? 5 : 3));
  return shape;
}

}  // namespace passdiff
