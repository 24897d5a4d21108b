// Elements of a tensor that are addressed by the values of other tensors: what gathers and scatters are made
// of.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/ops/attributes.h"
#include "core/ops/elementwise.h"
#include "core/ops/scope.h"

namespace passdiff {

// Blocks of neighbouring elements: where each begins (-1: outside of the tensor), and how many elements each
// has.
struct Points {
  Ints places;
  std::int64_t block = 1;
};
// How a scattered element is combined with the one that it meets. mean: half their sum, element by element.
enum class Combine : std::uint8_t { update, add, mul, max, min, mean };
constexpr std::array<std::string_view, 6> words_of(Combine) {
  return {"update", "add", "mul", "max", "min", "mean"};
}

// The elements, which are integers or bools.
Ints index_values(const Tensor& indices);
// Indices along the leading axes of a tensor, broadcast to one shape: coordinates[k] are those along axis k, in row-major order.
struct BroadcastIndices {
  Ints shape;
  std::vector<Ints> coordinates;
};
// Nothing if they do not broadcast.
std::optional<BroadcastIndices> broadcast_indices(std::span<const Tensor* const> indices);
// For each of the first `axes` axes of a row-major array of `shape` the indices that its elements have along it.
std::vector<Ints> positions_in(std::span<const std::int64_t> shape, std::size_t axes);
// The blocks of a tensor of sizes `dims` at coordinates[k][i] along its first axes k, for each i. Negative
// coordinates count from the end if `from_end`; others that do not exist are reported as index_out_of_bounds.
Points points_at(std::span<const std::int64_t> dims, const std::vector<Ints>& coordinates, bool from_end,
                 EvalContext& context);
// The blocks one after the other, as a tensor of `shape`; nothing if that has another number of elements.
std::optional<Tensor> gathered(const Tensor& x, const Points& points, std::span<const std::int64_t> shape);
// x with the elements of `updates`, one block after the other, combined into it in order. Nothing if their
// number or their dtype differs. Reports repeated_index for updates that meet, and signed_overflow.
std::optional<Tensor> scattered(const Tensor& x, const Points& points, const Tensor& updates, Combine combine,
                                EvalContext& context);

void report_index(std::int64_t index, int axis, std::int64_t size, EvalContext& context);

// A constant tensor of these integers.
ExprPtr index_constant(Scope& scope, DType dtype, std::span<const std::int64_t> shape, const Ints& values);

}  // namespace passdiff
