// matmul, with broadcasting of the leading axes and operands of rank 1.
#include <algorithm>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/known_attrs.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

Shape batch_of(const Shape& shape) {
  return Shape(shape.begin(), shape.end() - std::min<std::ptrdiff_t>(2, std::ssize(shape)));
}

Result<TensorType> infer_matmul(const TensorType& a, const TensorType& b, const MatmulAttrs& attrs) {
  const std::optional<DType> dtype = attrs.out_dtype ? attrs.out_dtype : TRY(unify_dtypes(a.dtype, b.dtype));
  TensorType result = make_tensor_type(std::nullopt, kUnknownRank, dtype, agreed_vdevice({&a, &b}));
  if (a.rank == kUnknownRank || b.rank == kUnknownRank) return result;
  if (a.rank == 0 || b.rank == 0) return Error{"type.rank", "matmul: an operand is of rank 0"};
  result.rank = std::max({a.rank, b.rank, 2}) - (a.rank == 1) - (b.rank == 1);
  if (!a.shape || !b.shape) return result;
  std::optional<Shape> shape = TRY(broadcast_shapes(batch_of(*a.shape), batch_of(*b.shape)));
  // Like TVM, which looks at the reduced sizes only once the batch is known.
  if (!shape) return result;
  const Dim& a_reduced = a.shape->back();
  const Dim& b_reduced = b.rank == 1 ? b.shape->front() : (*b.shape)[b.shape->size() - 2];
  if (proven_different(a_reduced, b_reduced)) {
    return Error{"type.matmul", "matmul: reduced sizes " + to_string(a_reduced) + " and " +
                                    to_string(b_reduced) + " differ"};
  }
  if (a.rank > 1) shape->push_back((*a.shape)[a.shape->size() - 2]);
  if (b.rank > 1) shape->push_back(b.shape->back());
  result.shape = std::move(shape);
  return result;
}

// Each element of the result is a row of the left operand times a column of the right one, and rows broadcast with columns.
struct Geometry {
  Extents extents;  // the batch axes, rows and columns: what is computed
  Ints shape;       // the result's: a vector is a row or a column and no axis
  std::array<Extents, 2>
      strides;  // of the row's and of the column's first element, along each axis of `extents`
  std::size_t reduced;
  std::size_t columns;
};

// Nothing if the sizes do not fit, or are too large to be tried.
std::optional<Geometry> geometry_of(Extents a, Extents b) {
  if (a.empty() || b.empty()) return std::nullopt;
  const bool a_vector = a.size() == 1;
  const bool b_vector = b.size() == 1;
  if (a_vector) a = Extents{1, a[0]};
  if (b_vector) b = Extents{b[0], 1};
  const std::size_t reduced = std::exchange(a[a.size() - 1], 1);
  if (std::exchange(b[b.size() - 2], 1) != reduced) return std::nullopt;
  const std::optional<Extents> extents = broadcast_extents(a, b);
  if (!extents) return std::nullopt;
  Geometry g{*extents, {extents->begin(), extents->end()}, {}, reduced, b.back()};
  if (b_vector) g.shape.pop_back();
  if (a_vector) g.shape.erase(g.shape.end() - (b_vector ? 1 : 2));
  if (!is_affordable(g.shape)) return std::nullopt;
  // What was counted in rows of the left operand, and in matrices of one row of the right, has `reduced` times as many elements.
  g.strides = {broadcast_strides(a, *extents), broadcast_strides(b, *extents)};
  for (std::size_t axis = 0; axis + 1 < extents->size(); ++axis) {
    g.strides[0][axis] *= reduced;
    g.strides[1][axis] *= reduced;
  }
  return g;
}

Tensor multiply_floats(const Tensor& lhs, const Tensor& rhs, const Geometry& g, EvalContext& context) {
  std::vector<double> a_storage, b_storage;
  const std::span<const double> a = doubles_of(lhs, a_storage);
  const std::span<const double> b = doubles_of(rhs, b_storage);
  Tensor::Floats result = float_array(g.shape);
  Extents rows = g.extents;
  rows[rows.size() - 1] = 1;
  // Row by row, so that the right operand is read in the order in which it lies in memory. Each sum runs from
  // the first product to the last all the same.
  for_each_place(rows, g.strides, [&](std::size_t row, const auto& at) {
    double* const sums = result.data() + row * g.columns;
    for (std::size_t k = 0; k < g.reduced; ++k) {
      const double factor = a[at[0] + k];
      const double* const factors = b.data() + at[1] + k * g.columns;
      for (std::size_t i = 0; i < g.columns; ++i) sums[i] += factor * factors[i];
    }
  });
  return round_floats(lhs.dtype, std::move(result), context.rounding);
}

Tensor multiply_ints(const Tensor& lhs, const Tensor& rhs, const Geometry& g, EvalContext& context) {
  Ints a_storage, b_storage;
  const std::span<const std::int64_t> a = ints_of(lhs, a_storage);
  const std::span<const std::int64_t> b = ints_of(rhs, b_storage);
  IntResult result(lhs.dtype, g.shape);
  for_each_place(g.extents, g.strides, [&](std::size_t i, const auto& at) {
    ExactInt sum;
    for (std::size_t k = 0; k < g.reduced; ++k) sum.add(Int128{a[at[0] + k]} * b[at[1] + k * g.columns]);
    result.set(i, sum);
  });
  return std::move(result).finish("matmul", context.log);
}

std::optional<Tensor> eval_matmul(const Tensor& x1, const Tensor& x2, const MatmulAttrs& attrs,
                                  EvalContext& context) {
  const std::optional<Geometry> geometry = geometry_of(extents_of(x1), extents_of(x2));
  if (!geometry) return std::nullopt;
  // TVM casts the operands, then multiplies and sums in out_dtype (legalize_ops/linear_algebra.py).
  const Converted a(x1, attrs.out_dtype.value_or(x1.dtype), context);
  const Converted b(x2, attrs.out_dtype.value_or(x2.dtype), context);
  if (is_float(a->dtype)) return multiply_floats(*a, *b, *geometry, context);
  if (is_float(b->dtype)) return std::nullopt;
  return multiply_ints(*a, *b, *geometry, context);
}

// The other operand's shape: of rank 1, or with batch axes that are the same, 1, absent, or (beside 1) larger.
Shape draw_partner_shape(Choices& choices, Scope& scope, const Drawn& one, bool one_is_lhs) {
  const int rank = one.rank();
  const Dim reduced = one.dim(rank == 1 ? 0 : one_is_lhs ? rank - 1 : rank - 2);
  constexpr unsigned kRankWeights[] = {6, 2, 3, 1};  // as one's (at least 2), 1, 3, 4
  const std::size_t way = choices.weighted(kRankWeights);
  if (way == 1) return {reduced};
  const int wanted = way == 0 ? std::max(rank, 2) : static_cast<int>(way) + 1;
  Shape shape;
  for (int i = 0; i < wanted - 2; ++i) {
    const int across = rank - wanted + i;  // right-aligned, from the left
    const Dim theirs = across >= 0 && across < rank - 2 ? one.dim(across) : Dim(1);
    const bool free = theirs.is_static() && theirs.value() == 1;
    shape.push_back(free ? Dim(choices.integer(1, 2)) : choices.one_in(4) ? Dim(1) : theirs);
  }
  // Square matrices hide a transposition from shape checks, but not from values.
  const Dim other = choices.flip() && reduced.is_static() ? reduced : Dim(scope.dim(choices));
  shape.push_back(one_is_lhs ? reduced : other);
  shape.push_back(one_is_lhs ? other : reduced);
  return shape;
}

CallDraft overflowing_matmul(Choices& choices, Scope& scope) {
  if (choices.flip()) {
    const ExprPtr huge = full_constant(scope, DType::float32, {2, 2}, 0x1p40);
    return {{huge, huge}, MatmulAttrs{DType::int32}};
  }
  const ExprPtr large = full_constant(scope, DType::int32, {2, 2}, std::int64_t{1} << 20);
  return {{large, large}, MatmulAttrs()};
}

std::optional<CallDraft> generate_matmul(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) return overflowing_matmul(choices, scope);
  // bool is left out: TVM compiles no matmul of it (measured).
  const std::optional<Drawn> one = draw_operand(choices, scope, kNumericDTypes, 1, 4);
  if (!one) return std::nullopt;
  const bool one_is_lhs = !choices.flip();
  Want want{.dtype = one->dtype(), .shape = draw_partner_shape(choices, scope, *one, one_is_lhs)};
  const std::optional<Drawn> other = draw_operand(choices, scope, want);
  if (!other) return std::nullopt;
  const Drawn& lhs = one_is_lhs ? *one : *other;
  const Drawn& rhs = one_is_lhs ? *other : *one;
  const auto geometry = geometry_of(extents_of(lhs.value.tensor()), extents_of(rhs.value.tensor()));
  if (!geometry || element_count(geometry->shape) > kMaxResult) return std::nullopt;
  MatmulAttrs attrs;
  if (choices.one_in(4)) attrs.out_dtype = draw_out_dtype(choices, one->dtype());
  return CallDraft({lhs.expr, rhs.expr}, attrs);
}


}  // namespace

std::vector<OpDef> matmul_rows() {
  // TVM accumulates in the result's dtype, element by element: half an ulp of the running sum each.
  return {op<infer_matmul, eval_matmul, generate_matmul>("relax.matmul", {"x1", "x2"},
                                                         {.undefined = kOverflowAndCast,
                                                          .multilinear = true,
                                                          .ulps = 8,
                                                          .attrs_class = "relax.attrs.MatmulAttrs",
                                                          .weight = 3})};
}

}  // namespace passdiff
