#include "core/ops/operand.h"

#include <numeric>

#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// A dtype of the set: the scope's choice if it is in it.
DType draw_member(Choices& choices, Scope& scope, DTypes dtypes) {
  const DType enabled = scope.dtype(choices);
  if (dtypes.has(enabled)) return enabled;
  const DType floating = scope.float_dtype(choices);
  if (dtypes.has(floating)) return floating;
  for (const DType dtype : {DType::float32, DType::int32, DType::int8, DType::boolean}) {
    if (dtypes.has(dtype)) return dtype;
  }
  return DType::float32;
}

bool says_enough(const ScopeEntry& entry, Known known) {
  const TensorType& type = tensor_type_of(entry);
  if (!type.dtype || type.rank == kUnknownRank) return false;
  return known == Known::rank || type.shape.has_value();
}

}  // namespace

std::optional<Drawn> draw_operand(Choices& choices, Scope& scope, const Want& want, Known known) {
  std::optional<ScopeEntry> entry = scope.tensor(choices, want);
  if (entry && !says_enough(*entry, known)) {
    // One that is asked for by its shape has a type that says so.
    Want exact = want;
    if (!exact.dtype) exact.dtype = want.numeric_only ? DType::int32 : scope.float_dtype(choices);
    if (!exact.shape)
      exact.shape = scope.shape(choices, want.min_rank.value_or(0), want.max_rank.value_or(3));
    entry = scope.tensor(choices, exact);
  }
  if (!entry || !says_enough(*entry, known)) return std::nullopt;
  std::vector<std::int64_t> dims = entry->value.tensor().shape();
  return Drawn{entry->expr, std::move(entry->value), tensor_type_of(*entry), std::move(dims)};
}

std::optional<Drawn> draw_operand(Choices& choices, Scope& scope, DTypes dtypes, int min_rank, int max_rank,
                                  Known known) {
  Want want{.min_rank = min_rank, .max_rank = max_rank};
  if (dtypes == kFloatDTypes) {
    want.float_only = true;
  } else if (dtypes == kNumericDTypes) {
    want.numeric_only = true;
  } else if (!(dtypes == kAllDTypes)) {
    want.dtype = draw_member(choices, scope, dtypes);
  }
  std::optional<Drawn> drawn = draw_operand(choices, scope, want, known);
  if (drawn && !dtypes.has(drawn->dtype())) return std::nullopt;
  return drawn;
}

std::int64_t draw_axis(Choices& choices, int rank) {
  const auto count = static_cast<std::int64_t>(rank);
  const auto axis = static_cast<std::int64_t>(choices.index(static_cast<std::size_t>(2 * count)));
  return axis < count ? axis : axis - 2 * count;
}

std::int64_t draw_sign(Choices& choices, int axis, int rank) {
  return choices.flip() ? axis - rank : axis;
}

std::vector<int> draw_distinct(Choices& choices, int count, int limit) {
  std::vector<int> left(static_cast<std::size_t>(limit));
  std::iota(left.begin(), left.end(), 0);
  std::vector<int> drawn;
  for (int i = 0; i < count; ++i) {
    const auto at = left.begin() + static_cast<std::ptrdiff_t>(choices.index(left.size()));
    drawn.push_back(*at);
    left.erase(at);
  }
  return drawn;
}

}  // namespace passdiff
