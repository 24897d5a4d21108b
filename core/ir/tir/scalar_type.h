// The type of a scalar expression of TensorIR.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/tensor/dtype.h"

namespace passdiff::tir {

// Numbers of one dtype, a pointer, or nothing (of calls that are made for their effect). More than one lane makes a vector.
struct ScalarType {
  enum class Kind : std::uint8_t { number, handle, none };
  Kind kind = Kind::number;
  DType dtype = DType::int32;  // of numbers
  int lanes = 1;               // of numbers

  bool is_number() const { return kind == Kind::number; }
  bool operator==(const ScalarType&) const = default;
};

inline constexpr ScalarType kHandle{.kind = ScalarType::Kind::handle};
inline constexpr ScalarType kNoValue{.kind = ScalarType::Kind::none};

constexpr ScalarType number_type(DType dtype, int lanes = 1) {
  return {.dtype = dtype, .lanes = lanes};
}

// The type with so many lanes.
constexpr ScalarType with_lanes(ScalarType type, int lanes) {
  type.lanes = lanes;
  return type;
}

// The longest vector that is read: TVM's own vectors have a few dozen lanes.
inline constexpr int kMaxLanes = 1 << 12;

// TVM's spelling: "float32", "float32x4", "handle", "void".
std::string to_string(const ScalarType& type);
std::optional<ScalarType> scalar_type_from_name(std::string_view name);

}  // namespace passdiff::tir
