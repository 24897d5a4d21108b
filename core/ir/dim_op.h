// The operators of symbolic dims, and their names. A header of its own, without Dim: TVM's adapter knows documents, not the IR.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace passdiff {

// Comparisons are 0 or 1: they stand in scalars of dtype bool alone.
enum class DimOp : std::uint8_t {
  add,
  subtract,
  multiply,
  floor_divide,
  floor_mod,
  minimum,
  maximum,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
};

// By value of the enum, as Python spells them.
inline constexpr std::array<std::string_view, 13> kDimOpNames = {"+",  "-",  "*", "//", "%", "min", "max",
                                                                 "==", "!=", "<", "<=", ">", ">="};
static_assert(kDimOpNames.size() == static_cast<std::size_t>(DimOp::greater_equal) + 1);

constexpr bool is_comparison(DimOp op) {
  return op >= DimOp::equal;
}

constexpr std::string_view dim_op_name(DimOp op) {
  return kDimOpNames[static_cast<std::size_t>(op)];
}
constexpr std::optional<DimOp> dim_op_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kDimOpNames.size(); ++i) {
    if (kDimOpNames[i] == name) return static_cast<DimOp>(i);
  }
  return std::nullopt;
}

}  // namespace passdiff
