#include "fuzz/conform/odd_values.h"

#include <cmath>
#include <limits>

namespace passdiff {
namespace {

// splitmix64, seeded by one choice for a whole tensor.
class Stream {
 public:
  explicit Stream(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // in [0, 1)

 private:
  std::uint64_t state_;
};

double special_float(DType dtype, Stream& stream) {
  const DTypeRow& row = row_of(dtype);
  const double epsilon = std::ldexp(1.0, -row.mantissa);
  const double smallest = std::ldexp(1.0, row.min_exponent);
  const double largest = std::ldexp(2.0 - epsilon, 1 - row.min_exponent);
  const double specials[] = {NAN,      INFINITY,           0.0, 1.0,           1.0 + epsilon, 0.5,
                             smallest, smallest * epsilon, 2.5, 1.0 / epsilon, largest,       3.0};
  const double value = specials[stream.below(std::size(specials))];
  return stream.below(2) == 0 ? value : -value;
}

double plain_float(DType dtype, Stream& stream, Reach reach) {
  const DTypeRow& row = row_of(dtype);
  // In most tensors of extreme reach most numbers are of no extreme magnitude, so that results are numbers
  // too.
  const int exponent = reach == Reach::extreme && stream.below(2) == 0
                           ? row.min_exponent - row.mantissa +
                                 static_cast<int>(stream.below(
                                     static_cast<std::uint64_t>(2 * -row.min_exponent + row.mantissa + 2)))
                           : static_cast<int>(stream.below(7)) - 3;
  const double value = std::ldexp(1.0 + stream.unit(), exponent);
  return stream.below(2) == 0 ? value : -value;
}

Tensor odd_floats(DType dtype, std::span<const std::int64_t> shape, const FillSpec& spec, Reach reach,
                  std::uint64_t specials_of_16, Stream& stream) {
  Tensor tensor = zeros(dtype, shape);
  auto& values = std::get<Tensor::Floats>(tensor.values);
  for (double& value : values) {
    const bool special = stream.below(16) < specials_of_16;
    value = special ? special_float(dtype, stream) : plain_float(dtype, stream, reach);
    if (spec.fill == Fill::positive && !special) value = std::fabs(value);
    if (reach == Reach::modest && std::isfinite(value) && std::fabs(value) > 16)
      value = std::copysign(16.0, value);
  }
  Rounding faithful;
  return round_floats(dtype, std::move(values), faithful);
}

std::uint64_t odd_bits(DType dtype, const FillSpec& spec, Stream& stream) {
  const auto low = static_cast<std::uint64_t>(int_min(dtype));
  const auto high = static_cast<std::uint64_t>(int_max(dtype));
  const std::uint64_t specials[] = {low, high, low + 1, high - 1, 1, 2, spec.fill == Fill::small ? 0U : 3U};
  std::uint64_t bits = stream.below(2) == 0 ? stream.next() : specials[stream.below(std::size(specials))];
  if (spec.fill == Fill::positive) bits &= high;
  return bits;
}

Tensor odd_integers(DType dtype, std::span<const std::int64_t> shape, const FillSpec& spec, Stream& stream) {
  Tensor tensor = zeros(dtype, shape);
  const auto fill = [&](auto& values) {
    for (auto& value : values) {
      const std::uint64_t bits = odd_bits(dtype, spec, stream);
      value = static_cast<std::remove_reference_t<decltype(value)>>(bits);
    }
  };
  if (auto* unsigned_values = std::get_if<Tensor::UInts>(&tensor.values)) {
    fill(*unsigned_values);
    tensor = wrap_uints(dtype, std::move(*unsigned_values));
  } else {
    auto& values = std::get<Tensor::Ints>(tensor.values);
    fill(values);
    tensor = wrap_ints(dtype, std::move(values));
  }
  if (spec.fill == Fill::small) return tensor;
  std::visit(
      [](auto& values) {
        for (auto& value : values) value = value == 0 ? 1 : value;
      },
      tensor.values);
  return tensor;
}

}  // namespace

Tensor odd_tensor(Choices& choices, DType dtype, std::span<const std::int64_t> shape, const FillSpec& spec,
                  Reach reach) {
  const std::size_t style = choices.index(8);
  const bool fixed = spec.fill == Fill::indices || spec.fill == Fill::booleans || dtype == DType::boolean;
  if (fixed || style < 3) return filled_tensor(choices, dtype, shape, spec);
  Stream stream(static_cast<std::uint64_t>(choices.integer(0, std::numeric_limits<std::int64_t>::max())));
  if (!is_float(dtype)) {
    // Most integers overflow in arithmetic, which is undefined: such tensors are few.
    return style < 6 ? filled_tensor(choices, dtype, shape, spec) : odd_integers(dtype, shape, spec, stream);
  }
  return odd_floats(dtype, shape, spec, style == 7 ? reach : Reach::modest, style < 5 ? 0 : 4, stream);
}

}  // namespace passdiff
