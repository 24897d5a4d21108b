#include "core/tensor/tensor.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace passdiff {
namespace {

template <class Array>
Tensor zeros_in(DType dtype, std::span<const std::int64_t> shape) {
  typename Array::shape_type extents(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) extents[i] = static_cast<std::size_t>(shape[i]);
  Tensor tensor{dtype, decltype(Tensor::values)(std::in_place_type<Array>, extents)};
  auto& elements = std::get<Array>(tensor.values).storage();
  std::fill(elements.begin(), elements.end(), typename Array::value_type{0});
  return tensor;
}

// Numbers of a few bits, one after the other from the lowest bit of the first byte on: little-endian where they fill bytes.
class BitWriter {
 public:
  explicit BitWriter(std::size_t bytes) : bytes_(bytes) {}

  void put(std::uint64_t value, int width) {
    for (int done = 0; done < width;) {
      const auto shift = static_cast<int>(at_ % 8);
      const int taken = std::min(8 - shift, width - done);
      const auto part = static_cast<unsigned>(value >> done) & ((1U << taken) - 1);
      bytes_[at_ / 8] |= static_cast<std::uint8_t>(part << shift);
      done += taken;
      at_ += static_cast<std::size_t>(taken);
    }
  }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;  // in bits
};

class BitReader {
 public:
  explicit BitReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint64_t get(int width) {
    std::uint64_t value = 0;
    for (int done = 0; done < width;) {
      const auto shift = static_cast<int>(at_ % 8);
      const int taken = std::min(8 - shift, width - done);
      const unsigned part = (bytes_[at_ / 8] >> shift) & ((1U << taken) - 1);
      value |= std::uint64_t{part} << done;
      done += taken;
      at_ += static_cast<std::size_t>(taken);
    }
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;  // in bits
};

// The number of elements, or nothing if a dim is negative or there are more than `max`.
std::optional<std::int64_t> count_elements(std::span<const std::int64_t> shape, std::int64_t max) {
  std::int64_t total = 1;
  bool empty = false;
  for (const std::int64_t dim : shape) {
    if (dim < 0 || dim > max) return std::nullopt;
    empty = empty || dim == 0;
    // A later dim of 0 does not make large ones acceptable: strides are computed from all dims.
    if (dim != 0 && __builtin_mul_overflow(total, dim, &total)) return std::nullopt;
    if (total > max) return std::nullopt;
  }
  return empty ? 0 : total;
}

bool same_bits(double a, double b, bool distinguish_zeros) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && (!distinguish_zeros || std::signbit(a) == std::signbit(b));
}

}  // namespace

std::size_t Tensor::rank() const {
  return std::visit([](const auto& array) { return array.dimension(); }, values);
}

std::size_t Tensor::size() const {
  return std::visit([](const auto& array) { return array.size(); }, values);
}

ShapeView Tensor::shape() const& {
  return std::visit(
      [](const auto& array) {
        // The same integers, which xtensor takes for unsigned.
        return ShapeView(reinterpret_cast<const std::int64_t*>(array.shape().data()), array.shape().size());
      },
      values);
}

Tensor zeros(DType dtype, std::span<const std::int64_t> shape) {
  switch (storage_of(dtype)) {
    case Storage::floats:
      return zeros_in<Tensor::Floats>(dtype, shape);
    case Storage::ints:
      return zeros_in<Tensor::Ints>(dtype, shape);
    case Storage::uints:
      return zeros_in<Tensor::UInts>(dtype, shape);
  }
  return {};
}

TensorPtr make_tensor(Tensor&& tensor) {
  CHECK(tensor.values.index() == static_cast<std::size_t>(storage_of(tensor.dtype))) << dtype_name(tensor.dtype);
  return std::make_shared<const Tensor>(std::move(tensor));
}

TensorPtr make_tensor(const Tensor& tensor) {
  return make_tensor(Tensor(tensor));
}

double as_double(const Tensor& tensor, std::size_t i) {
  CHECK(i < tensor.size()) << "element " << i << " of " << tensor.size();
  return std::visit([i](const auto& array) { return static_cast<double>(array.data()[i]); }, tensor.values);
}

std::int64_t as_int(const Tensor& tensor, std::size_t i) {
  CHECK(i < tensor.size()) << "element " << i << " of " << tensor.size();
  if (!is_float(tensor.dtype)) {
    if (const auto* ints = std::get_if<Tensor::Ints>(&tensor.values)) return ints->data()[i];
    return static_cast<std::int64_t>(tensor.uints().data()[i]);
  }
  const double value = tensor.floats().data()[i];
  CHECK(value == std::trunc(value) && value >= -0x1p63 && value < 0x1p63) << value << " is no int64";
  return static_cast<std::int64_t>(value);
}

std::string integer_digits(const Tensor& tensor, std::size_t i) {
  const bool is_unsigned = storage_of(tensor.dtype) == Storage::uints;
  return is_unsigned ? std::to_string(tensor.uints().data()[i]) : std::to_string(as_int(tensor, i));
}

std::string element_to_string(const Tensor& tensor, std::size_t i) {
  if (is_float(tensor.dtype)) return fmt::format("{}", tensor.floats().data()[i]);
  if (tensor.dtype == DType::boolean) return as_int(tensor, i) != 0 ? "True" : "False";
  return integer_digits(tensor, i);
}

bool bit_equal(const Tensor& a, const Tensor& b, bool distinguish_zeros) {
  if (a.dtype != b.dtype || a.values.index() != b.values.index()) return false;
  return std::visit(
      [&](const auto& left) {
        using Array = std::decay_t<decltype(left)>;
        const auto& right = std::get<Array>(b.values);
        if (left.shape() != right.shape()) return false;
        if constexpr (std::is_same_v<Array, Tensor::Floats>) {
          return std::equal(left.storage().begin(), left.storage().end(), right.storage().begin(),
                            [&](double x, double y) { return same_bits(x, y, distinguish_zeros); });
        } else {
          return std::equal(left.storage().begin(), left.storage().end(), right.storage().begin());
        }
      },
      a.values);
}

Tensor round_floats(DType dtype, Tensor::Floats values, Rounding& rounding) {
  CHECK(is_float(dtype)) << dtype_name(dtype);
  const bool faithful = rounding.mode == RoundingMode::faithful;
  const DType kept = kept_as(dtype, rounding);
  if (faithful && kept == DType::float32) {
    // As round_float does, in a loop that the compiler vectorises.
    for (double& value : values.storage()) value = static_cast<float>(value);
  } else if (rounding.mode != RoundingMode::wide && !(faithful && kept == DType::float64)) {
    for (double& value : values.storage()) value = round_float(dtype, value, rounding);
  }
  return {dtype, std::move(values)};
}

Tensor wrap_ints(DType dtype, Tensor::Ints values) {
  CHECK(storage_of(dtype) == Storage::ints) << dtype_name(dtype);
  if (dtype != DType::int64) {
    for (std::int64_t& value : values.storage()) value = wrap_int(dtype, static_cast<std::uint64_t>(value));
  }
  return {dtype, std::move(values)};
}

Tensor wrap_uints(DType dtype, Tensor::UInts values) {
  CHECK(storage_of(dtype) == Storage::uints) << dtype_name(dtype);
  for (std::uint64_t& value : values.storage()) value = static_cast<std::uint64_t>(wrap_int(dtype, value));
  return {dtype, std::move(values)};
}

std::vector<std::uint8_t> to_bytes(const Tensor& tensor) {
  const int width = row_of(tensor.dtype).bits;
  BitWriter bytes(static_cast<std::size_t>(data_bytes(tensor.dtype, static_cast<std::int64_t>(tensor.size()))));
  std::visit(
      [&](const auto& array) {
        for (const auto value : array.storage()) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) {
            bytes.put(float_bits(tensor.dtype, value), width);
          } else {
            bytes.put(static_cast<std::uint64_t>(value), width);
          }
        }
      },
      tensor.values);
  return bytes.take();
}

Result<Tensor> from_bytes(DType dtype, std::span<const std::int64_t> shape,
                          std::span<const std::uint8_t> bytes, std::int64_t max_elements) {
  const std::optional<std::int64_t> elements = count_elements(shape, max_elements);
  if (!elements)
    return Error{"tensor.shape",
                 fmt::format("tensor: shape has a negative dim or over {} elements", max_elements)};
  const int width = row_of(dtype).bits;
  if (static_cast<std::size_t>(data_bytes(dtype, *elements)) != bytes.size()) {
    return Error{"tensor.bytes", fmt::format("tensor: {} elements of {} bits do not fill {} bytes",
                                             *elements, width, bytes.size())};
  }
  Tensor tensor = zeros(dtype, shape);
  std::visit(
      [&](auto& array) {
        BitReader in(bytes);
        for (std::int64_t i = 0; i < *elements; ++i) {
          auto& element = array.storage()[static_cast<std::size_t>(i)];
          using Element = std::decay_t<decltype(element)>;
          const std::uint64_t bits = in.get(width);
          if constexpr (std::is_same_v<Element, double>) {
            element = float_of_bits(dtype, bits);
          } else {
            element = static_cast<Element>(wrap_int(dtype, bits));
          }
        }
      },
      tensor.values);
  return tensor;
}

std::string to_string(const Tensor& tensor, std::size_t max_elements) {
  const std::vector<std::int64_t> shape = tensor.shape();
  std::string text = fmt::format("{}[{}] [", dtype_name(tensor.dtype), fmt::join(shape, ", "));
  if (max_elements == 0) return text.substr(0, text.size() - 2);
  for (std::size_t i = 0; i < tensor.size() && i < max_elements; ++i) {
    text += (i == 0 ? "" : ", ") + element_to_string(tensor, i);
  }
  return text + (tensor.size() > max_elements ? ", ...]" : "]");
}

}  // namespace passdiff
