#include "core/ops/window.h"

#include "core/ops/strided.h"

namespace passdiff {

WindowAxis draw_window(Choices& choices, std::int64_t size, bool any_stride) {
  WindowAxis w{.size = size, .kernel = choices.integer(1, 3)};
  if (choices.one_in(3) && any_stride) w.stride = choices.integer(1, 3);
  if (choices.one_in(4)) w.dilation = 2;
  if (choices.flip()) w.before = w.after = choices.integer(0, 2);
  if (choices.one_in(4)) w.after = choices.integer(0, 2);
  if ((w.kernel - 1) * w.dilation + 1 > w.padded_size()) w.kernel = 1;
  return w;
}

Window window_over(std::span<const WindowAxis> axes) {
  Window window{.rows = {0}, .taps = {0}};
  for (std::size_t i = axes.size(); i-- > 0;) {
    const WindowAxis& axis = axes[i];
    std::vector<std::int64_t> rows, taps;
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
      for (const std::int64_t tap : window.taps) taps.push_back(k * axis.dilation * window.image_size + tap);
    }
    window.taps = std::move(taps);
    if (i + 1 == axes.size()) {
      window.row_size = axis.places();
      window.step = axis.stride;
    } else {
      for (std::int64_t p = 0; p < axis.places(); ++p) {
        for (const std::int64_t row : window.rows) rows.push_back(p * axis.stride * window.image_size + row);
      }
      window.rows = std::move(rows);
    }
    window.image_size *= axis.padded_size();
  }
  return window;
}

bool are_affordable(std::span<const WindowAxis> axes, std::int64_t images) {
  std::vector<std::int64_t> sizes{images};
  std::vector<std::int64_t> kernels;
  for (const WindowAxis& axis : axes) {
    sizes.push_back(axis.padded_size());
    kernels.push_back(axis.kernel);
  }
  return is_affordable(sizes) && is_affordable(kernels);
}

std::vector<std::int64_t> padded_places(std::span<const WindowAxis> axes) {
  std::vector<std::int64_t> places{0};
  for (const WindowAxis& axis : axes) {
    std::vector<std::int64_t> next;
    next.reserve(places.size() * static_cast<std::size_t>(axis.size));
    for (const std::int64_t place : places) {
      for (std::int64_t i = 0; i < axis.size; ++i) {
        const std::int64_t at = i * axis.base_dilation + axis.before;
        const bool inside = place >= 0 && at >= 0 && at < axis.padded_size();
        next.push_back(inside ? place * axis.padded_size() + at : -1);
      }
    }
    places = std::move(next);
  }
  return places;
}

void complete_padding(std::vector<std::int64_t>& padding, std::size_t axes) {
  if (padding.size() == 1) padding.resize(axes, padding[0]);
  if (padding.size() != axes) return;
  padding.resize(2 * axes);
  for (std::size_t i = 0; i < axes; ++i) padding[axes + i] = padding[i];
}

void complete_axes(std::vector<std::int64_t>& numbers, std::size_t axes) {
  if (numbers.size() == 1) numbers.resize(axes, numbers[0]);
}

std::optional<Error> check_numbers(const char* name, std::span<const std::int64_t> numbers, std::size_t count,
                                   std::int64_t least) {
  constexpr std::int64_t kMost = 1 << 20;  // sizes computed from larger ones might leave int64
  if (numbers.size() != count) {
    return Error{"type.window", std::string(name) + ": " + std::to_string(numbers.size()) + " numbers, not " +
                                    std::to_string(count)};
  }
  for (const std::int64_t number : numbers) {
    if (number < least || number > kMost) {
      return Error{"type.window", std::string(name) + ": " + std::to_string(number) + " is out of range"};
    }
  }
  return std::nullopt;
}

Result<Dim> window_places(const Dim& size, std::int64_t constant, std::int64_t stride) {
  // TVM brings the constant part of a numerator into [0, stride).
  const Dim whole = Dim::binary(DimOp::floor_divide, constant, stride);
  const Dim rest = Dim(constant) - whole * Dim(stride);
  const Dim quotient = Dim::binary(DimOp::floor_divide, size + rest, stride);
  const std::int64_t more = whole.value() + 1;
  const Dim places = more < 0 ? quotient - Dim(-more) : quotient + Dim(more);
  if (places.is_static() && places.value() < 0) {
    return Error{"type.window", "a window is larger than the padded size " + to_string(size)};
  }
  return places;
}

}  // namespace passdiff
