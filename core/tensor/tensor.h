// A tensor value. This is the only file that includes xtensor, so that an upgrade of the library changes this file alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>
#include <xtensor/xarray.hpp>

#include "core/result.h"
#include "core/tensor/dtype.h"
#include "core/tensor/rounding.h"
#include "core/tensor/tensor_ptr.h"

namespace passdiff {

// The extents of a tensor's axes, which belong to the tensor. They become a vector, which is their owner's, where one is asked for.
struct ShapeView : std::span<const std::int64_t> {
  ShapeView(const std::int64_t* extents, std::size_t rank) : span(extents, rank) {}
  operator std::vector<std::int64_t>() const { return {begin(), end()}; }  // NOLINT: implicit by design
  friend bool operator==(ShapeView a, ShapeView b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }
  friend bool operator==(ShapeView a, const std::vector<std::int64_t>& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }
};

// A row-major tensor. Elements are stored in a wider type, but each is representable in `dtype`; those of bool are 0 or 1.
struct Tensor {
  using Floats = xt::xarray<double>;        // of float dtypes
  using Ints = xt::xarray<std::int64_t>;    // of bool and signed integers
  using UInts = xt::xarray<std::uint64_t>;  // of unsigned integers
  DType dtype = DType::float32;
  std::variant<Floats, Ints, UInts> values;  // the alternative is storage_of(dtype)

  std::size_t rank() const;
  std::size_t size() const;  // the number of elements
  ShapeView shape() const&;
  std::vector<std::int64_t> shape() const&& { return static_cast<const Tensor&>(*this).shape(); }

  const Floats& floats() const { return std::get<Floats>(values); }
  const Ints& ints() const { return std::get<Ints>(values); }
  const UInts& uints() const { return std::get<UInts>(values); }
};

// A tensor whose elements are all zero.
Tensor zeros(DType dtype, std::span<const std::int64_t> shape);
TensorPtr make_tensor(Tensor&& tensor);
TensorPtr make_tensor(const Tensor& tensor);
// Element i (row-major) as a double or an integer, however it is stored. Large integers lose digits as doubles.
double as_double(const Tensor& tensor, std::size_t i);
// Floats must be integral and in range; a uint64 from 2^63 on is negative, as in two's complement.
std::int64_t as_int(const Tensor& tensor, std::size_t i);
// Element i of a tensor of integers in decimal digits.
std::string integer_digits(const Tensor& tensor, std::size_t i);
// Element i for people, with all its digits: 2.5, nan, True.
std::string element_to_string(const Tensor& tensor, std::size_t i);
// Whether dtype, shape and bits are equal. Every NaN equals every NaN; -0 differs from 0 only if asked for.
bool bit_equal(const Tensor& a, const Tensor& b, bool distinguish_zeros = false);

// A tensor of `dtype` with these elements, rounded: how each op that computes floats ends. Ops that only move data need not.
Tensor round_floats(DType dtype, Tensor::Floats values, Rounding& rounding);
// A tensor of an integer dtype, or bool, with these elements, wrapped as wrap_int does.
Tensor wrap_ints(DType dtype, Tensor::Ints values);
Tensor wrap_uints(DType dtype, Tensor::UInts values);

// The elements in TVM's memory layout: row-major and little-endian. Elements of less than a byte are packed, the first in the
// lowest bits, as DLPack demands. (What TVM's Python makes of numpy's float4_e2m1fn has the first in the highest.)
std::vector<std::uint8_t> to_bytes(const Tensor& tensor);
// The most elements that a tensor which is read may have: more than a weight of a large model has.
inline constexpr std::int64_t kMostTensorElements = std::int64_t{1} << 28;
// The tensor with these bytes. Fails with tensor.bytes if their number does not match, with tensor.shape if a dim is negative or
// there are more than `max_elements` elements.
Result<Tensor> from_bytes(DType dtype, std::span<const std::int64_t> shape, std::span<const std::uint8_t> bytes,
                          std::int64_t max_elements = std::int64_t{1} << 24);

// The tensor for messages: float32[2, 3] [1, 2.5, nan, ...]
std::string to_string(const Tensor& tensor, std::size_t max_elements = 16);

}  // namespace passdiff
