// Windows that slide over the spatial axes of images: what convolutions and pools are made of. Images lie one after the other,
// each row-major; they are padded first, so that a window meets padding like any other element, as in TVM's kernels.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/choices/choices.h"
#include "core/ops/infer.h"

namespace passdiff {

// One spatial axis. The operand's elements lie `base_dilation` apart, with padding between, behind `before` more and in front of `after`
// more; negative numbers crop. Place p of the window reads p * stride + k * dilation for each k below `kernel`.
struct WindowAxis {
  std::int64_t size;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t before = 0;
  std::int64_t after = 0;
  std::int64_t base_dilation = 1;

  std::int64_t padded_size() const { return (size - 1) * base_dilation + 1 + before + after; }
  // None if the window is larger than the padded axis.
  std::int64_t places() const {
    const std::int64_t room = padded_size() - dilation * (kernel - 1) - 1;
    return room < 0 ? 0 : room / stride + 1;
  }
};

// A window of small sizes over an axis of a call's operand. It fits into the padded axis, whose size must be positive. Its stride
// is 1 unless `any_stride`.
WindowAxis draw_window(Choices& choices, std::int64_t size, bool any_stride);

// A window in elements of a padded image.
struct Window {
  std::vector<std::int64_t> rows;  // where the first place of each row of places begins
  std::vector<std::int64_t> taps;  // how far what a place reads lies from where it begins, row-major
  std::int64_t row_size = 1;       // places in a row
  std::int64_t step = 1;           // how far they lie apart
  std::int64_t image_size = 1;     // elements of a padded image

  std::int64_t places() const { return static_cast<std::int64_t>(rows.size()) * row_size; }
};
Window window_over(std::span<const WindowAxis> axes);

// Whether so many padded images, and the window, have few enough elements (is_affordable of strided.h): padding and dilation make
// images and windows of any size from small operands.
bool are_affordable(std::span<const WindowAxis> axes, std::int64_t images);

// Where each element of an image lies in the padded image; -1 if it is cropped.
std::vector<std::int64_t> padded_places(std::span<const WindowAxis> axes);
// The images, padded with `padding`.
template <class T>
std::vector<T> padded(std::span<const T> images, std::span<const WindowAxis> axes, T padding) {
  const std::vector<std::int64_t> places = padded_places(axes);
  std::int64_t image_size = 1;
  for (const WindowAxis& axis : axes) image_size *= axis.padded_size();
  const std::size_t count = places.empty() ? 0 : images.size() / places.size();
  std::vector<T> result(count * static_cast<std::size_t>(image_size), padding);
  for (std::size_t i = 0; i < count; ++i) {
    T* to = result.data() + i * static_cast<std::size_t>(image_size);
    const T* from = images.data() + i * places.size();
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (places[k] >= 0) to[places[k]] = from[k];
    }
  }
  return result;
}

// Calls f(out[p], element) for each place p, with the element of the padded image that the tap reads there.
template <class Out, class In, class F>
void slide(const Window& window, In* image, std::int64_t tap, Out* out, F f) {
  for (const std::int64_t row : window.rows) {
    In* in = image + row + tap;
    if (window.step == 1) {
      for (std::int64_t i = 0; i < window.row_size; ++i) f(out[i], in[i]);
    } else {
      for (std::int64_t i = 0; i < window.row_size; ++i) f(out[i], in[i * window.step]);
    }
    out += window.row_size;
  }
}

// Padding in TVM's order (before each axis, then after each) from its short forms: one number for all, or one an axis.
void complete_padding(std::vector<std::int64_t>& padding, std::size_t axes);
// One number an axis from one for all.
void complete_axes(std::vector<std::int64_t>& numbers, std::size_t axes);
// Are there `count` numbers, each at least `least`? Fails with type.window.
std::optional<Error> check_numbers(const char* name, std::span<const std::int64_t> numbers, std::size_t count,
                                   std::int64_t least);
// floor(numerator / stride) + 1 as TVM simplifies it. Fails with type.window if it is known to be negative.
Result<Dim> window_places(const Dim& size, std::int64_t constant, std::int64_t stride);

}  // namespace passdiff
