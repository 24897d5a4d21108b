// What reductions share: their types, and folds over a set of axes.
#pragma once

#include <optional>
#include <vector>

#include "core/ops/attributes.h"
#include "core/ops/draw.h"
#include "core/ops/strided.h"

namespace passdiff {

// The attributes of most reductions (StatisticalAttrs in TVM).
struct FoldAttrs {
  std::optional<Ints> axis;
  bool keepdims = false;
  static constexpr auto fields() {
    return std::tuple(field("axis", &FoldAttrs::axis), field("keepdims", &FoldAttrs::keepdims));
  }
};

// The type of a reduction over `axes` (nothing: all), with `dtype`. Fails with type.axis, type.repeated-axis.
Result<TensorType> infer_reduction(const TensorType& x, const std::optional<Ints>& axes, bool keepdims,
                                   std::optional<DType> dtype);

// The type of a reduction to the operand's dtype.
Result<TensorType> infer_fold(const TensorType& x, const FoldAttrs& attrs);

// A reduction at run time: which element of the result, its slot, each element of the operand goes to.
// Elements of a row, which lie along the innermost axis, go to one slot (stride 0) or to slots in a row
// (stride 1).
struct Reduction {
  Ints shape;                   // of the result
  std::vector<WalkAxis> outer;  // all axes but the innermost, with strides in slots: a walk from row to row
  std::int64_t rows = 1;
  WalkAxis row{1, 0};
  std::size_t results = 0;
  std::int64_t count = 1;  // operands of each result

  bool is_empty() const { return count == 0 && results > 0; }
  // The slot of each element of the operand, in order.
  std::vector<std::size_t> slots() const;
};
// Nothing if an axis does not exist (possible only where the rank was unknown).
std::optional<Reduction> reduction_of(std::span<const std::int64_t> dims, const std::optional<Ints>& axes,
                                      bool keepdims);

// The elements of each result, folded in row-major order: f(accumulated, element) updates what starts as
// `init`.
template <class Accumulated, class Elements, class F>
std::vector<Accumulated> fold(const Elements& elements, const Reduction& r, const Accumulated& init, F f) {
  std::vector<Accumulated> results(r.results, init);
  const auto* element = elements.data();
  walk(r.outer, r.rows, [&](std::int64_t slot) {
    Accumulated* const to = results.data() + slot;
    if (r.row.stride == 0 && r.row.size > 0) {
      Accumulated accumulated = *to;
      for (std::int64_t i = 0; i < r.row.size; ++i) f(accumulated, element[i]);
      *to = accumulated;
    } else {
      for (std::int64_t i = 0; i < r.row.size; ++i) f(to[i], element[i]);
    }
    element += r.row.size;
  });
  return results;
}

// Of max, min, argmax, argmin over no elements: TVM's loop never runs, and with it not its initialisation.
void report_empty(std::string_view op, EvalContext& context);

// No axes, one, or several in any order.
std::optional<Ints> draw_axes(Choices& choices, int rank);
// Elements that a reduction of these dims over these axes combines into one.
std::int64_t reduced_count(const Drawn& operand, const std::optional<Ints>& axes);

}  // namespace passdiff
