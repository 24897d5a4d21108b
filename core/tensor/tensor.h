// A tensor value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/result.h"
#include "core/tensor/dtype.h"
#include "core/tensor/rounding.h"
#include "core/tensor/tensor_ptr.h"
#include "core/tensor/xtensor.h"

namespace passdiff {

// Every element is representable in `dtype`; the carrier only holds it. Row-major. bool elements are 0 or 1.
struct Tensor {
  using Floats = xt::xarray<double>;         // float16, bfloat16, float32, float64
  using Ints = xt::xarray<std::int64_t>;     // bool, int8, int32, int64
  using UInts = xt::xarray<std::uint64_t>;   // uint8
  DType dtype = DType::float32;
  std::variant<Floats, Ints, UInts> values;  // the alternative is carrier_of(dtype)

  std::size_t rank() const;
  std::size_t size() const;  // elements
  std::vector<std::int64_t> shape() const;

  const Floats& floats() const { return std::get<Floats>(values); }
  const Ints& ints() const { return std::get<Ints>(values); }
  const UInts& uints() const { return std::get<UInts>(values); }
};

// All elements zero.
Tensor zeros(DType dtype, std::span<const std::int64_t> shape);
TensorPtr make_tensor(Tensor&& tensor);
TensorPtr make_tensor(const Tensor& tensor);
// Element i (row-major) as a double or an integer, whatever the carrier. Large integers lose digits as doubles.
double as_double(const Tensor& tensor, std::size_t i);
std::int64_t as_int(const Tensor& tensor, std::size_t i);  // floats must be integral and in range
// Same dtype, shape and bits (NaN equals NaN, -0 differs from 0 only if asked).
bool bit_equal(const Tensor& a, const Tensor& b, bool distinguish_zeros = false);

// Every element brought into `dtype`: the end of each op that computes floats. Ops that only move data skip it.
Tensor round_floats(DType dtype, Tensor::Floats values, Rounding& rounding);
// Two's complement wrap into an integer dtype, or bool (any non-zero is 1).
Tensor wrap_ints(DType dtype, Tensor::Ints values);
Tensor wrap_uints(DType dtype, Tensor::UInts values);

// TVM's memory layout: row-major, little-endian, dtype_bytes per element.
std::vector<std::uint8_t> to_bytes(const Tensor& tensor);
// Fails with tensor.bytes if the size does not match, tensor.shape if a dim is negative or the total exceeds `max_elements`.
Result<Tensor> from_bytes(DType dtype, std::span<const std::int64_t> shape, std::span<const std::uint8_t> bytes,
                          std::int64_t max_elements = std::int64_t{1} << 24);

// For messages: float32[2, 3] [1, 2.5, nan, ...]
std::string to_string(const Tensor& tensor, std::size_t max_elements = 16);

}  // namespace passdiff
