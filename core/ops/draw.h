// Shared steps of generation rules: operands of given dtypes, partners that broadcast with them, axes of either sign.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "core/ops/scope.h"

namespace passdiff {

// A set of dtypes that are drawn: those for which TVM compiles an op, mostly.
struct DTypes {
  std::uint32_t bits = 0;

  constexpr DTypes(std::initializer_list<DType> members) {
    for (const DType d : members) bits |= bit(d);
  }
  constexpr explicit DTypes(bool (*predicate)(DType)) {
    for (const DTypeRow& row : kDTypes) bits |= is_drawn(row.dtype) && predicate(row.dtype) ? bit(row.dtype) : 0;
  }
  constexpr bool has(DType d) const { return (bits & bit(d)) != 0; }
  constexpr bool operator==(const DTypes&) const = default;

 private:
  static constexpr std::uint32_t bit(DType d) { return 1u << static_cast<unsigned>(d); }
};
// Without floats of 8 bits, which TVM casts wrongly before it computes with them.
inline constexpr DTypes kFloatDTypes([](DType d) { return is_float(d) && !is_minifloat(d); });
inline constexpr DTypes kIntDTypes(is_integer);
inline constexpr DTypes kNumericDTypes([](DType d) { return d != DType::boolean && !is_minifloat(d); });
inline constexpr DTypes kSignedDTypes([](DType d) {
  return is_signed_int(d) || (is_float(d) && !is_minifloat(d));
});
inline constexpr DTypes kAllDTypes([](DType d) { return !is_minifloat(d); });

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
// How generate_pair draws the operands of an op on pairs of elements.
struct PairRule {
  DTypes dtypes = kNumericDTypes;
  Fill left = Fill::small;
  Fill right = Fill::small;
  double magnitude = 0;
  bool any_values = false;  // NaN, infinities and large numbers do no harm
};
// A call on a tensor and a partner; sometimes the other way round, if both are filled alike.
std::optional<CallDraft> draw_pair(Choices& choices, Scope& scope, const PairRule& rule);
template <const PairRule& rule>  // by reference: clang 19 garbles floats in template arguments of class type
std::optional<CallDraft> generate_pair(Choices& choices, Scope& scope) {
  return draw_pair(choices, scope, rule);
}
// A constant with all elements `value`.
ExprPtr full_constant(Scope& scope, DType dtype, std::initializer_list<std::int64_t> shape, double value);
ExprPtr full_constant(Scope& scope, DType dtype, std::initializer_list<std::int64_t> shape,
                      std::int64_t value);

// Results of more elements cost speed and show nothing new.
inline constexpr std::int64_t kMaxResult = 256;
inline constexpr int kMaxDrawnRank = 5;

// What a rule must know of its operand's type, beside the dtype.
enum class Known : std::uint8_t { rank, shape };

// A tensor operand, with what rules ask of it most.
struct Drawn {
  ExprPtr expr;
  Value value;
  TensorType type;
  std::vector<std::int64_t> dims;  // at run time

  int rank() const { return static_cast<int>(dims.size()); }
  DType dtype() const { return *type.dtype; }
  const Dim& dim(int axis) const { return (*type.shape)[static_cast<std::size_t>(axis)]; }
  std::int64_t size(int axis) const { return dims[static_cast<std::size_t>(axis)]; }
};
// Nothing if the scope has no such tensor, or one whose type says too little.
std::optional<Drawn> draw_operand(Choices& choices, Scope& scope, const Want& want,
                                  Known known = Known::shape);
// One whose dtype is in `dtypes`, of rank `min_rank` to `max_rank`.
std::optional<Drawn> draw_operand(Choices& choices, Scope& scope, DTypes dtypes, int min_rank, int max_rank,
                                  Known known = Known::shape);

// An axis in [-rank, rank); rank > 0.
std::int64_t draw_axis(Choices& choices, int rank);
// The axis, or the same axis counted from the end.
std::int64_t draw_sign(Choices& choices, int axis, int rank);
// A dtype that products of `dtype` are often summed in.
DType draw_out_dtype(Choices& choices, DType dtype);
// `count` distinct numbers below `limit`, in any order.
std::vector<int> draw_distinct(Choices& choices, int count, int limit);

}  // namespace passdiff
