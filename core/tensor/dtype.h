// Element types of tensors and scalars.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace passdiff {

enum class DType : std::uint8_t { boolean, int8, int32, int64, uint8, float16, bfloat16, float32, float64 };

// Which wide C++ type holds the elements of a dtype (core/tensor/tensor.h).
enum class Carrier : std::uint8_t { floats, ints, uints };

std::span<const DType> all_dtypes();
// TVM's spelling: "bool", "int8", ..., "float64".
std::string_view dtype_name(DType dtype);
std::optional<DType> dtype_from_name(std::string_view name);
// Bytes of one element in TVM's memory layout (bool takes one byte).
int dtype_bytes(DType dtype);

constexpr bool is_float(DType d) { return d >= DType::float16; }
constexpr bool is_signed_int(DType d) { return d == DType::int8 || d == DType::int32 || d == DType::int64; }
constexpr bool is_integer(DType d) { return is_signed_int(d) || d == DType::uint8; }
constexpr Carrier carrier_of(DType d) {
  return is_float(d) ? Carrier::floats : d == DType::uint8 ? Carrier::uints : Carrier::ints;
}
// Inclusive range of an integer dtype or of bool (0, 1).
std::int64_t int_min(DType dtype);
std::int64_t int_max(DType dtype);

}  // namespace passdiff
