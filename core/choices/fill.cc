#include "core/choices/fill.h"

#include <algorithm>
#include <cmath>

#include "core/splitmix.h"

namespace passdiff {
namespace {

// Magnitudes up to this may be added, multiplied and summed over a few elements without overflow in the
// dtype.
double safe_magnitude(DType dtype) {
  if (is_minifloat(dtype) || is_packed(dtype)) return std::min(8.0, largest_finite(dtype));
  switch (dtype) {
    case DType::float16:
      return 128;
    case DType::int8:
      return 127;  // wraps without harm; -128 / -1 does not
    case DType::int32:
      return 8192;
    case DType::int64:
      return 1 << 28;
    default:
      return 4096;
  }
}

// Closer to zero than this, a divisor makes quotients that leave the range in which numbers stay exact.
constexpr double kSmallestDivisor = 1.0 / 16;

bool number_fits(double value, double bound, Fill fill) {
  if (!(std::fabs(value) <= bound)) return false;  // false for NaN too
  switch (fill) {
    case Fill::nonzero:
      return std::fabs(value) >= kSmallestDivisor;
    case Fill::positive:
      return value >= kSmallestDivisor;
    default:
      return true;
  }
}

bool index_fits(double value, const FillSpec& spec) {
  const auto limit = static_cast<double>(spec.limit);
  return value == std::floor(value) && value < limit && value >= (spec.allow_negative ? -limit : 0.0);
}

// Element i of tensor `seed`, without a byte per element.
std::uint64_t mix(std::uint64_t seed, std::uint64_t i) {
  return splitmix64_finish((seed + 1) * kGoldenGamma + i * 0xd1342543de82ef95u);
}

// Powers of two first: quotients by them are exact in every float dtype.
constexpr double kDivisors[] = {1, 2, 0.5, 4, -1, -2, -0.5, 1, 2, 3, 1.5, -4};
constexpr std::int64_t kIntDivisors[] = {1, 2, 3, 4, -1, -2, -3, 5};
constexpr double kPositives[] = {1, 2, 0.5, 4, 1.5, 3, 2.5, 8};

double coarse_element(std::uint64_t random, const FillSpec& spec) {
  switch (spec.fill) {
    case Fill::nonzero:
      return kDivisors[random % std::size(kDivisors)];
    case Fill::positive:
      return kPositives[random % std::size(kPositives)];
    case Fill::booleans:
      return static_cast<double>(random % 2);
    default:
      return (static_cast<double>(random % 17) - 8) / 2;
  }
}

// Of every four tensors one has elements that use all digits of the dtype, so that a result that is computed with fewer digits
// differs: up to a quarter smaller than the coarse ones.
double float_element(DType dtype, std::uint64_t seed, std::uint64_t i, const FillSpec& spec) {
  double element = coarse_element(mix(seed, i), spec);
  if (row_of(dtype).positive) element = element == 0 ? 1 : std::fabs(element);
  if (seed % 4 == 3 && spec.fill != Fill::booleans) {
    const double share = static_cast<double>(mix(~seed, i) >> 11) * 0x1p-53;
    element *= 1 - share / 4;
  }
  return round_to(dtype, element);
}

// Integers of less than a byte have but few of the others' elements.
template <class Int>
Int within(DType dtype, Int element) {
  const Int most = static_cast<Int>(scalar_max(dtype));
  return std::clamp(element, std::is_signed_v<Int> ? static_cast<Int>(-most) : Int{0}, most);
}

std::int64_t signed_element(DType dtype, std::uint64_t random, const FillSpec& spec) {
  if (dtype == DType::boolean) {
    const bool must_be_true = spec.fill == Fill::nonzero || spec.fill == Fill::positive;
    return must_be_true ? 1 : static_cast<std::int64_t>(random % 2);
  }
  switch (spec.fill) {
    case Fill::nonzero:
      return kIntDivisors[random % std::size(kIntDivisors)];
    case Fill::positive:
      return static_cast<std::int64_t>(random % 8) + 1;
    case Fill::booleans:
      return static_cast<std::int64_t>(random % 2);
    case Fill::indices: {
      const std::int64_t limit = std::min(spec.limit, scalar_max(dtype));
      const std::uint64_t span = static_cast<std::uint64_t>(limit) * (spec.allow_negative ? 2 : 1);
      return static_cast<std::int64_t>(random % span) - (spec.allow_negative ? limit : 0);
    }
    default:
      return static_cast<std::int64_t>(random % 9) - 4;
  }
}

std::uint64_t unsigned_element(DType dtype, std::uint64_t random, const FillSpec& spec) {
  switch (spec.fill) {
    case Fill::nonzero:
    case Fill::positive:
      return random % 7 + 1;
    case Fill::booleans:
      return random % 2;
    case Fill::indices:
      return random % static_cast<std::uint64_t>(std::min(spec.limit, scalar_max(dtype)));
    default:
      return random % 8;
  }
}

}  // namespace

bool fits(const Tensor& tensor, const FillSpec& spec) {
  const double bound = spec.magnitude > 0 ? spec.magnitude : safe_magnitude(tensor.dtype);
  return std::visit(
      [&](const auto& values) {
        return std::all_of(values.data(), values.data() + values.size(), [&](auto element) {
          const auto value = static_cast<double>(element);
          if (spec.fill == Fill::booleans) return value == 0 || value == 1;
          if (spec.fill == Fill::indices) return index_fits(value, spec);
          return number_fits(value, bound, spec.fill);
        });
      },
      tensor.values);
}

Tensor filled_tensor(Choices& choices, DType dtype, std::span<const std::int64_t> shape,
                     const FillSpec& spec) {
  CHECK(spec.fill != Fill::indices || (spec.limit > 0 && !is_float(dtype)))
      << "indices of " << dtype_name(dtype);
  // One byte picks the tensor, so that an edit of it leaves the rest of the module alone.
  const std::uint64_t seed = choices.index(256);
  Tensor tensor = zeros(dtype, shape);
  const std::size_t count = tensor.size();
  if (auto* floats = std::get_if<Tensor::Floats>(&tensor.values)) {
    for (std::size_t i = 0; i < count; ++i) floats->data()[i] = float_element(dtype, seed, i, spec);
  } else if (auto* ints = std::get_if<Tensor::Ints>(&tensor.values)) {
    for (std::size_t i = 0; i < count; ++i) ints->data()[i] = within(dtype, signed_element(dtype, mix(seed, i), spec));
  } else {
    auto& uints = std::get<Tensor::UInts>(tensor.values);
    for (std::size_t i = 0; i < count; ++i) uints.data()[i] = within(dtype, unsigned_element(dtype, mix(seed, i), spec));
  }
  return tensor;
}

}  // namespace passdiff
