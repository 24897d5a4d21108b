// Operands as plain arrays of one arithmetic type, and results from them: for ops that compute in loops.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/tensor/value.h"

namespace passdiff {

// Sums and products of 64-bit integers, exactly.
__extension__ typedef __int128 Int128;

// The elements as doubles or integers; `storage` is used only if the elements are stored as another one. Integers of a
// float tensor are not to be had (CHECK).
std::span<const double> doubles_of(const Tensor& tensor, std::vector<double>& storage);
std::span<const std::int64_t> ints_of(const Tensor& tensor, std::vector<std::int64_t>& storage);

// An exact sum or product that may have left even 128 bits (then `lost`, and `value` is right modulo 2^128).
struct ExactInt {
  Int128 value = 0;
  bool lost = false;

  void add(Int128 term) { lost = __builtin_add_overflow(value, term, &value) || lost; }
  void multiply(Int128 factor) {
    lost = (__builtin_mul_overflow(value, factor, &value) || lost) && factor != 0;
  }
};

// May a result not leave the dtype's range? From 32 bits on TVM emits `nsw` (DEFINE_CODEGEN_BINARY_OP in codegen_llvm.cc);
// narrower integers wrap.
bool overflow_is_undefined(DType dtype);

// Collects integer results: wraps each into `dtype`, and reports signed_overflow once if an int32 or int64
// did not fit.
class IntResult {
 public:
  IntResult(DType dtype, std::span<const std::int64_t> shape) : tensor_(zeros(dtype, shape)) {}
  void set(std::size_t i, const ExactInt& exact);
  Tensor finish(std::string_view op, UndefinedLog& log) &&;

 private:
  Tensor tensor_;
  bool overflowed_ = false;
};

// A place for float results of this shape, all zero.
Tensor::Floats float_array(std::span<const std::int64_t> shape);

// The elements, as numbers, of a tensor that has one for each index along `axis` of `shape`, or one for all of them: as an array that broadcasts to
// the shape. Nothing if it has others.
std::optional<Tensor::Floats> floats_along(const Tensor& tensor, std::span<const std::int64_t> shape, int axis);

}  // namespace passdiff
