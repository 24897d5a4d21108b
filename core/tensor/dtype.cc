#include "core/tensor/dtype.h"

#include <array>
#include <limits>

#include "core/check.h"

namespace passdiff {
namespace {

struct DTypeRow {
  DType dtype;
  std::string_view name;
  int bytes;
};

constexpr std::array<DTypeRow, 9> kRows = {{
    {DType::boolean, "bool", 1},
    {DType::int8, "int8", 1},
    {DType::int32, "int32", 4},
    {DType::int64, "int64", 8},
    {DType::uint8, "uint8", 1},
    {DType::float16, "float16", 2},
    {DType::bfloat16, "bfloat16", 2},
    {DType::float32, "float32", 4},
    {DType::float64, "float64", 8},
}};

constexpr std::array<DType, kRows.size()> kAll = [] {
  std::array<DType, kRows.size()> all{};
  for (std::size_t i = 0; i < kRows.size(); ++i) all[i] = kRows[i].dtype;
  return all;
}();

constexpr bool rows_are_in_enum_order() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].dtype) != i) return false;
  }
  return true;
}
static_assert(rows_are_in_enum_order());

const DTypeRow& row(DType dtype) {
  return kRows[static_cast<std::size_t>(dtype)];
}

}  // namespace

std::span<const DType> all_dtypes() {
  return kAll;
}

std::string_view dtype_name(DType dtype) {
  return row(dtype).name;
}

std::optional<DType> dtype_from_name(std::string_view name) {
  for (const DTypeRow& candidate : kRows) {
    if (candidate.name == name) return candidate.dtype;
  }
  return std::nullopt;
}

int dtype_bytes(DType dtype) {
  return row(dtype).bytes;
}

std::int64_t int_min(DType dtype) {
  CHECK(!is_float(dtype)) << dtype_name(dtype);
  switch (dtype) {
    case DType::int8:
      return std::numeric_limits<std::int8_t>::min();
    case DType::int32:
      return std::numeric_limits<std::int32_t>::min();
    case DType::int64:
      return std::numeric_limits<std::int64_t>::min();
    default:
      return 0;
  }
}

std::int64_t int_max(DType dtype) {
  CHECK(!is_float(dtype)) << dtype_name(dtype);
  switch (dtype) {
    case DType::boolean:
      return 1;
    case DType::int8:
      return std::numeric_limits<std::int8_t>::max();
    case DType::uint8:
      return std::numeric_limits<std::uint8_t>::max();
    case DType::int32:
      return std::numeric_limits<std::int32_t>::max();
    default:
      return std::numeric_limits<std::int64_t>::max();
  }
}

}  // namespace passdiff
