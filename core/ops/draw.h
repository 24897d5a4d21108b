// Shared steps of generation rules: operands of given dtypes, and partners that broadcast with them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "core/ops/scope.h"

namespace passdiff {

// A set of dtypes: those for which TVM compiles an op, mostly.
struct DTypes {
  std::uint16_t bits = 0;

  constexpr DTypes(std::initializer_list<DType> members) {
    for (const DType d : members) bits = static_cast<std::uint16_t>(bits | 1u << static_cast<unsigned>(d));
  }
  constexpr bool has(DType d) const { return (bits >> static_cast<unsigned>(d) & 1) != 0; }
  constexpr bool operator==(const DTypes&) const = default;
};
inline constexpr DTypes kFloatDTypes{DType::float16, DType::bfloat16, DType::float32, DType::float64};
inline constexpr DTypes kNumericDTypes{DType::int8,    DType::int32,    DType::int64,   DType::uint8,
                                       DType::float16, DType::bfloat16, DType::float32, DType::float64};
inline constexpr DTypes kSignedDTypes{DType::int8,     DType::int32,   DType::int64,  DType::float16,
                                      DType::bfloat16, DType::float32, DType::float64};
inline constexpr DTypes kAllDTypes{DType::boolean,  DType::int8,    DType::int32,
                                   DType::int64,    DType::uint8,   DType::float16,
                                   DType::bfloat16, DType::float32, DType::float64};

const TensorType& tensor_type_of(const ScopeEntry& entry);  // CHECKs that it is a tensor
// A tensor of one of the dtypes, known in its type.
std::optional<ScopeEntry> draw_tensor(Choices& choices, Scope& scope, DTypes dtypes,
                                      const FillSpec& fill = {});
// Seldom an existing tensor whatever its values (NaN, infinities, large ones); draw_tensor else. For ops that
// are defined everywhere and make no value larger.
std::optional<ScopeEntry> draw_any_tensor(Choices& choices, Scope& scope, DTypes dtypes);
// A tensor that broadcasts with `first`, in type and in value: of the same shape, of a smaller one, rank 0,
// or `first` itself. On the same vdevice.
std::optional<ScopeEntry> draw_partner(Choices& choices, Scope& scope, const ScopeEntry& first, DType dtype,
                                       const FillSpec& fill = {});
// A constant with all elements `value`.
ExprPtr full_constant(Scope& scope, DType dtype, std::initializer_list<std::int64_t> shape, double value);
ExprPtr full_constant(Scope& scope, DType dtype, std::initializer_list<std::int64_t> shape,
                      std::int64_t value);

}  // namespace passdiff
