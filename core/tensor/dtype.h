// Element types of tensors and scalars: one row each, from which all that depends on the dtype alone is derived.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace passdiff {

enum class DType : std::uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float8_e4m3fn,
  float8_e5m2,
  float16,
  bfloat16,
  float32,
  float64,
};
enum class DTypeKind : std::uint8_t { boolean, signed_int, unsigned_int, floating };

// Which wide C++ type stores the elements of a dtype (core/tensor/tensor.h).
enum class Storage : std::uint8_t { floats, ints, uints };

struct DTypeRow {
  DType dtype;
  std::string_view name;  // TVM's
  DTypeKind kind;
  int bits;              // the size of an element in TVM's memory layout, where a bool takes a byte
  int mantissa = 0;      // floats: explicit bits of the significand
  int min_exponent = 0;  // floats: the exponent of the smallest normal number (IEEE 754, 3.3)
  // The largest magnitude that generated values may have. Sums and products of a few smaller ones stay exact, or wrap where
  // wrapping is defined.
  double moderate = 255;
  // Floats without infinities (OCP 8-bit floating point specification, E4M3): the largest exponent has numbers as the others
  // have, but for one pattern, which is NaN. What overflows becomes NaN.
  bool finite_only = false;
};
inline constexpr std::array kDTypes = {
    DTypeRow{DType::boolean, "bool", DTypeKind::boolean, 8},
    DTypeRow{DType::int8, "int8", DTypeKind::signed_int, 8},
    DTypeRow{DType::int16, "int16", DTypeKind::signed_int, 16},
    DTypeRow{DType::int32, "int32", DTypeKind::signed_int, 32, 0, 0, 0x1p22},
    DTypeRow{DType::int64, "int64", DTypeKind::signed_int, 64, 0, 0, 0x1p40},
    DTypeRow{DType::uint8, "uint8", DTypeKind::unsigned_int, 8},
    DTypeRow{DType::uint16, "uint16", DTypeKind::unsigned_int, 16},
    DTypeRow{DType::uint32, "uint32", DTypeKind::unsigned_int, 32, 0, 0, 0x1p22},
    DTypeRow{DType::uint64, "uint64", DTypeKind::unsigned_int, 64, 0, 0, 0x1p40},
    DTypeRow{DType::float8_e4m3fn, "float8_e4m3fn", DTypeKind::floating, 8, 3, -6, 0x1p4, true},
    DTypeRow{DType::float8_e5m2, "float8_e5m2", DTypeKind::floating, 8, 2, -14, 0x1p3},
    DTypeRow{DType::float16, "float16", DTypeKind::floating, 16, 10, -14, 0x1p11},
    DTypeRow{DType::bfloat16, "bfloat16", DTypeKind::floating, 16, 7, -126, 0x1p14},
    DTypeRow{DType::float32, "float32", DTypeKind::floating, 32, 23, -126, 0x1p22},
    DTypeRow{DType::float64, "float64", DTypeKind::floating, 64, 52, -1022, 0x1p40},
};
static_assert(
    [] {
      for (std::size_t i = 0; i < kDTypes.size(); ++i) {
        if (static_cast<std::size_t>(kDTypes[i].dtype) != i) return false;
      }
      return true;
    }(),
    "rows stand in the order of the enumeration");

constexpr const DTypeRow& row_of(DType dtype) {
  return kDTypes[static_cast<std::size_t>(dtype)];
}
std::span<const DType> all_dtypes();
// TVM's spelling: "bool", "int8", ..., "float64".
constexpr std::string_view dtype_name(DType dtype) {
  return row_of(dtype).name;
}
std::optional<DType> dtype_from_name(std::string_view name);
// Bytes of one element in TVM's memory layout (bool takes one byte).
constexpr int dtype_bytes(DType dtype) {
  return row_of(dtype).bits / 8;
}

constexpr bool is_float(DType d) {
  return row_of(d).kind == DTypeKind::floating;
}
constexpr bool is_signed_int(DType d) {
  return row_of(d).kind == DTypeKind::signed_int;
}
constexpr bool is_unsigned_int(DType d) {
  return row_of(d).kind == DTypeKind::unsigned_int;
}
constexpr bool is_integer(DType d) {
  return is_signed_int(d) || is_unsigned_int(d);
}
constexpr Storage storage_of(DType d) {
  return is_float(d) ? Storage::floats : is_unsigned_int(d) ? Storage::uints : Storage::ints;
}
// Arithmetic on these is left to the compilers that have it: TVM's casts of them are wrong at zero (see rounding.h).
constexpr bool is_float8(DType d) {
  return is_float(d) && row_of(d).bits == 8;
}
// The range of an integer dtype, or of bool (0, 1), both ends included.
std::int64_t int_min(DType dtype);
std::uint64_t int_max(DType dtype);
// The largest integer of the dtype that an int64 holds: what scalars (PrimValue) can say.
std::int64_t scalar_max(DType dtype);

}  // namespace passdiff
