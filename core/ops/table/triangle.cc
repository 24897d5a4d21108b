// tril, triu: the elements on one side of a diagonal.
#include "core/ops/draw.h"
#include "core/ops/literal.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

Result<TensorType> infer_triangle(const TensorType& x, const PrimType&) {
  if (x.rank != kUnknownRank && x.rank < 2)
    return Error{"type.rank", "tril, triu: a tensor of rank " + std::to_string(x.rank)};
  return x;
}

template <bool upper>
std::optional<Tensor> eval_triangle(const Tensor& x, const ScalarValue& k) {
  if (x.rank() < 2) return std::nullopt;
  const std::int64_t diagonal = std::get<std::int64_t>(k.value);
  return from_places(x, x.shape(), 0, [=](std::int64_t i, std::span<const std::int64_t> at) {
    const std::int64_t from_diagonal = at.back() - at[at.size() - 2] - diagonal;
    return (upper ? from_diagonal >= 0 : from_diagonal <= 0) ? i : std::int64_t{-1};
  });
}

std::optional<CallDraft> generate_triangle(Choices& choices, Scope& scope) {
  const std::optional<Drawn> x = draw_operand(choices, scope, kAllDTypes, 2, kMaxDrawnRank);
  if (!x) return std::nullopt;
  return CallDraft({x->expr, make_prim(choices.integer(0, 6) - 3)});
}

}  // namespace

std::vector<OpDef> triangle_rows() {
  return {
      op<infer_triangle, eval_triangle<false>, generate_triangle>("relax.tril", {"x", "k"}),
      op<infer_triangle, eval_triangle<true>, generate_triangle>("relax.triu", {"x", "k"}),
  };
}

}  // namespace passdiff
