#include "core/ops/draw.h"

#include <algorithm>
#include <numeric>

#include "core/ops/elementwise.h"
#include "core/ops/infer.h"

namespace passdiff {
namespace {

// Results of broadcasting beyond this many elements cost speed and show nothing new.
constexpr std::size_t kMaxElements = 512;
constexpr std::size_t kMaxRank = 5;

bool has_dtype(const ScopeEntry& entry, DTypes dtypes) {
  const TensorType* type = entry.expr->type.as_tensor();
  return type && type->dtype && dtypes.has(*type->dtype);
}

DType draw_dtype(Choices& choices, Scope& scope, DTypes dtypes) {
  const DType enabled = scope.dtype(choices);
  if (dtypes.has(enabled)) return enabled;
  const DType floating = scope.float_dtype(choices);
  if (dtypes.has(floating)) return floating;
  for (const DType d : {DType::float32, DType::int32, DType::boolean, DType::int64, DType::int8, DType::uint8,
                        DType::int16, DType::uint16, DType::uint32, DType::uint64}) {
    if (dtypes.has(d)) return d;
  }
  return DType::float32;
}

// What asks the scope for a dtype of the set, as far as a Want can say it: the answer may be of another dtype.
Want want_of(Choices& choices, Scope& scope, DTypes dtypes) {
  Want want;
  if (dtypes == kFloatDTypes) {
    want.float_only = true;
  } else if (dtypes == kNumericDTypes) {
    want.numeric_only = true;
  } else if (!(dtypes == kAllDTypes)) {
    want.dtype = draw_dtype(choices, scope, dtypes);
  }
  return want;
}

bool says_enough(const ScopeEntry& entry, Known known) {
  const TensorType& type = tensor_type_of(entry);
  if (!type.dtype || type.rank == kUnknownRank) return false;
  return known == Known::rank || type.shape.has_value();
}

bool broadcasts(const ScopeEntry& a, const ScopeEntry& b) {
  const TensorType& x = tensor_type_of(a);
  const TensorType& y = tensor_type_of(b);
  if (x.vdevice && y.vdevice && *x.vdevice != *y.vdevice) return false;
  if (x.shape && y.shape && !broadcast_shapes(*x.shape, *y.shape)) return false;
  const std::optional<Extents> extents =
      broadcast_extents(extents_of(a.value.tensor()), extents_of(b.value.tensor()));
  if (!extents || extents->size() > kMaxRank) return false;
  std::size_t count = 1;
  for (const std::size_t size : *extents) count *= size;
  return count <= kMaxElements;
}

// Some sizes replaced by 1, or leading axes dropped, or both.
Shape smaller_shape(Choices& choices, const Shape& shape) {
  const std::size_t dropped = choices.index(shape.size() + 1);
  Shape result(shape.begin() + static_cast<std::ptrdiff_t>(dropped), shape.end());
  for (Dim& dim : result) {
    if (choices.one_in(2)) dim = 1;
  }
  return result;
}

std::optional<ScopeEntry> draw_of_shape(Choices& choices, Scope& scope, DType dtype, Shape shape,
                                        const FillSpec& fill) {
  return scope.tensor(choices, Want{.dtype = dtype, .shape = std::move(shape), .fill = fill});
}

template <class Array>
ExprPtr full_of(Scope& scope, DType dtype, std::initializer_list<std::int64_t> shape,
                typename Array::value_type v) {
  Tensor tensor = zeros(dtype, {shape.begin(), shape.size()});
  auto& values = std::get<Array>(tensor.values);
  std::fill(values.data(), values.data() + values.size(), v);
  return scope.constant(std::move(tensor));
}

}  // namespace

const TensorType& tensor_type_of(const ScopeEntry& entry) {
  const TensorType* type = entry.expr->type.as_tensor();
  CHECK(type) << to_string(entry.expr->type) << " is no tensor";
  return *type;
}

std::optional<ScopeEntry> draw_tensor(Choices& choices, Scope& scope, DTypes dtypes, const FillSpec& fill) {
  Want want = want_of(choices, scope, dtypes);
  want.fill = fill;
  std::optional<ScopeEntry> entry = scope.tensor(choices, want);
  if (entry && !has_dtype(*entry, dtypes)) return std::nullopt;
  return entry;
}

std::optional<ScopeEntry> draw_any_tensor(Choices& choices, Scope& scope, DTypes dtypes) {
  if (choices.one_in(4)) {
    auto entry = scope.existing(choices, [&](const ScopeEntry& e) { return has_dtype(e, dtypes); });
    if (entry) return entry;
  }
  return draw_tensor(choices, scope, dtypes);
}

std::optional<ScopeEntry> draw_partner(Choices& choices, Scope& scope, const ScopeEntry& first, DType dtype,
                                       const FillSpec& fill) {
  enum Way : std::size_t { existing, same_shape, smaller, scalar, itself };
  constexpr unsigned kWeights[] = {6, 5, 3, 1, 1};
  const std::size_t way = choices.weighted(kWeights);
  const TensorType& type = tensor_type_of(first);
  const auto suits = [&](const ScopeEntry& e) {
    return has_dtype(e, {dtype}) && broadcasts(first, e) && fits(e.value.tensor(), fill);
  };
  std::optional<ScopeEntry> entry;
  if (way == itself && suits(first)) return first;
  if (way == existing) entry = scope.existing(choices, suits);
  if (!entry && type.shape && way != scalar) {
    Shape shape = way == smaller ? smaller_shape(choices, *type.shape) : *type.shape;
    entry = draw_of_shape(choices, scope, dtype, std::move(shape), fill);
  }
  if (!entry) entry = draw_of_shape(choices, scope, dtype, Shape(), fill);
  // A new tensor is on no vdevice: beside one that is, TVM's inference accepts it.
  if (entry && type.vdevice && tensor_type_of(*entry).vdevice &&
      type.vdevice != tensor_type_of(*entry).vdevice) {
    return std::nullopt;
  }
  return entry;
}

std::optional<CallDraft> draw_pair(Choices& choices, Scope& scope, const PairRule& rule) {
  const FillSpec left{.fill = rule.left, .magnitude = rule.magnitude};
  const FillSpec right{.fill = rule.right, .magnitude = rule.magnitude};
  const auto first = rule.any_values ? draw_any_tensor(choices, scope, rule.dtypes)
                                     : draw_tensor(choices, scope, rule.dtypes, left);
  if (!first) return std::nullopt;
  const auto second = draw_partner(choices, scope, *first, *tensor_type_of(*first).dtype, right);
  if (!second) return std::nullopt;
  if (rule.left == rule.right && choices.one_in(3)) return CallDraft({second->expr, first->expr});
  return CallDraft({first->expr, second->expr});
}

ExprPtr full_constant(Scope& scope, DType dtype, std::initializer_list<std::int64_t> shape, double value) {
  return full_of<Tensor::Floats>(scope, dtype, shape, value);
}

ExprPtr full_constant(Scope& scope, DType dtype, std::initializer_list<std::int64_t> shape,
                      std::int64_t value) {
  if (storage_of(dtype) == Storage::ints) return full_of<Tensor::Ints>(scope, dtype, shape, value);
  return full_of<Tensor::UInts>(scope, dtype, shape, static_cast<std::uint64_t>(value));
}

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
  Want want = want_of(choices, scope, dtypes);
  want.min_rank = min_rank;
  want.max_rank = max_rank;
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

DType draw_out_dtype(Choices& choices, DType dtype) {
  switch (dtype) {
    case DType::int8:
    case DType::uint8:
      return choices.pick({DType::int32, DType::float32, DType::float16, DType::int64});
    case DType::int32:
      return choices.pick({DType::int64, DType::int32, DType::float32});
    case DType::int64:
      return choices.pick({DType::int64, DType::float64});
    case DType::float16:
      return choices.pick({DType::float32, DType::float16, DType::float64});
    case DType::bfloat16:
      return choices.pick({DType::float32, DType::bfloat16});
    case DType::float32:
      return choices.pick({DType::float16, DType::float32, DType::float64, DType::bfloat16});
    default:
      return choices.pick({DType::float64, DType::float32});
  }
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
