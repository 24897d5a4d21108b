// Steps of the generation rules of ops with axes: operands whose types say enough, and axes of either sign.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ops/draw.h"

namespace passdiff {

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
// `count` distinct numbers below `limit`, in any order.
std::vector<int> draw_distinct(Choices& choices, int count, int limit);

}  // namespace passdiff
