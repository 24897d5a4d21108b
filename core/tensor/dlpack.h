// The codes by which DLPack, and so TVM's binary forms, tell dtypes apart.
#pragma once

#include <cstdint>
#include <optional>

#include "core/tensor/dtype.h"

namespace passdiff {

// DLDataTypeCode of dlpack.h.
constexpr std::uint8_t dlpack_code(DType dtype) {
  const DTypeRow& row = row_of(dtype);
  if (row.own_code != 0) return static_cast<std::uint8_t>(row.own_code);
  switch (row.kind) {
    case DTypeKind::signed_int:
      return 0;
    case DTypeKind::unsigned_int:
      return 1;
    case DTypeKind::floating:
      return 2;
    case DTypeKind::boolean:
      break;
  }
  return 6;
}

// Nothing for vectors, and for dtypes that passdiff does not have.
constexpr std::optional<DType> dtype_from_dlpack(std::uint8_t code, std::uint8_t bits, std::uint16_t lanes) {
  if (lanes != 1) return std::nullopt;
  // TVM before 0.26 spells bool as an unsigned integer of one bit.
  if (code == 1 && bits == 1) return DType::boolean;
  for (const DTypeRow& row : kDTypes) {
    if (dlpack_code(row.dtype) == code && row.bits == bits) return row.dtype;
  }
  return std::nullopt;
}

}  // namespace passdiff
