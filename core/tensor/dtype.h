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
  // From here on read, but not drawn (see is_drawn).
  int2,
  int4,
  uint2,
  uint4,
  float4_e2m1fn,
  float6_e2m3fn,
  float6_e3m2fn,
  float8_e3m4,
  float8_e4m3,
  float8_e4m3b11fnuz,
  float8_e4m3fnuz,
  float8_e5m2fnuz,
  float8_e8m0fnu,
};
enum class DTypeKind : std::uint8_t { boolean, signed_int, unsigned_int, floating };

// Which wide C++ type stores the elements of a dtype (core/tensor/tensor.h).
enum class Storage : std::uint8_t { floats, ints, uints };

// Which bits of a float are no finite number, and so what becomes of numbers that are too large for it.
enum class Specials : std::uint8_t {
  infinities,         // IEEE 754: the largest exponent is for infinity and NaN; what overflows becomes infinite
  last_is_nan,        // OCP 8-bit floating point specification, E4M3: the last magnitude is NaN, and what overflows
  minus_zero_is_nan,  // "fnuz": NaN has the bits that would be the negative zero; what overflows becomes NaN
  none,               // OCP Microscaling formats specification, 5.3: what overflows becomes the largest number, NaN becomes 0
};

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
  Specials specials = Specials::infinities;
  int own_code = 0;       // DLPack's, of floats that have one of their own
  bool positive = false;  // floats without sign and zero: powers of two that scale blocks of numbers (OCP E8M0)
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
    DTypeRow{DType::float8_e4m3fn, "float8_e4m3fn", DTypeKind::floating, 8, 3, -6, 0x1p4, Specials::last_is_nan, 10},
    DTypeRow{DType::float8_e5m2, "float8_e5m2", DTypeKind::floating, 8, 2, -14, 0x1p3, Specials::infinities, 12},
    DTypeRow{DType::float16, "float16", DTypeKind::floating, 16, 10, -14, 0x1p11},
    DTypeRow{DType::bfloat16, "bfloat16", DTypeKind::floating, 16, 7, -126, 0x1p14, Specials::infinities, 4},
    DTypeRow{DType::float32, "float32", DTypeKind::floating, 32, 23, -126, 0x1p22},
    DTypeRow{DType::float64, "float64", DTypeKind::floating, 64, 52, -1022, 0x1p40},
    DTypeRow{DType::int2, "int2", DTypeKind::signed_int, 2, 0, 0, 1},
    DTypeRow{DType::int4, "int4", DTypeKind::signed_int, 4, 0, 0, 7},
    DTypeRow{DType::uint2, "uint2", DTypeKind::unsigned_int, 2, 0, 0, 3},
    DTypeRow{DType::uint4, "uint4", DTypeKind::unsigned_int, 4, 0, 0, 15},
    DTypeRow{DType::float4_e2m1fn, "float4_e2m1fn", DTypeKind::floating, 4, 1, 0, 2, Specials::none, 17},
    DTypeRow{DType::float6_e2m3fn, "float6_e2m3fn", DTypeKind::floating, 6, 3, 0, 2, Specials::none, 15},
    DTypeRow{DType::float6_e3m2fn, "float6_e3m2fn", DTypeKind::floating, 6, 2, -2, 4, Specials::none, 16},
    DTypeRow{DType::float8_e3m4, "float8_e3m4", DTypeKind::floating, 8, 4, -2, 4, Specials::infinities, 7},
    DTypeRow{DType::float8_e4m3, "float8_e4m3", DTypeKind::floating, 8, 3, -6, 0x1p4, Specials::infinities, 8},
    DTypeRow{DType::float8_e4m3b11fnuz, "float8_e4m3b11fnuz", DTypeKind::floating, 8, 3, -10, 4, Specials::minus_zero_is_nan, 9},
    DTypeRow{DType::float8_e4m3fnuz, "float8_e4m3fnuz", DTypeKind::floating, 8, 3, -7, 0x1p4, Specials::minus_zero_is_nan, 11},
    DTypeRow{DType::float8_e5m2fnuz, "float8_e5m2fnuz", DTypeKind::floating, 8, 2, -15, 0x1p3, Specials::minus_zero_is_nan, 13},
    DTypeRow{DType::float8_e8m0fnu, "float8_e8m0fnu", DTypeKind::floating, 8, 0, -127, 0x1p8, Specials::last_is_nan, 14, true},
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
// Whether random generation makes tensors of the dtype. Of those up to float64 it does. The others are what modules of TVM's
// users may have, but TVM's compiler has little code for: its machine allocates no elements of less than a byte, and it casts
// floats of 8 bits by moving their bits, wherever their biases differ and whatever stands for zero and NaN.
constexpr bool is_drawn(DType dtype) {
  return dtype <= DType::float64;
}
// These, in the order of their rows: what is drawn from a sequence of bytes depends on it.
std::span<const DType> drawn_dtypes();
// TVM's spelling: "bool", "int8", ..., "float64".
constexpr std::string_view dtype_name(DType dtype) {
  return row_of(dtype).name;
}
std::optional<DType> dtype_from_name(std::string_view name);
// Whether elements share bytes with others.
constexpr bool is_packed(DType dtype) {
  return row_of(dtype).bits % 8 != 0;
}
// Bytes of one element that stands alone in TVM's memory layout (bool takes one byte).
constexpr int dtype_bytes(DType dtype) {
  return (row_of(dtype).bits + 7) / 8;
}
// Bytes of so many elements, packed if they are smaller than a byte (GetDataSize in TVM's tensor.h).
constexpr std::int64_t data_bytes(DType dtype, std::int64_t elements) {
  return (elements * row_of(dtype).bits + 7) / 8;
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
// Floats of at most 8 bits. Arithmetic on these is left to the compilers that have it: TVM's casts of them are wrong at zero (see
// rounding.h).
constexpr bool is_minifloat(DType d) {
  return is_float(d) && row_of(d).bits <= 8;
}
// The range of an integer dtype, or of bool (0, 1), both ends included.
std::int64_t int_min(DType dtype);
std::uint64_t int_max(DType dtype);
// The largest integer of the dtype that an int64 holds: what scalars (PrimValue) can say.
std::int64_t scalar_max(DType dtype);

}  // namespace passdiff
