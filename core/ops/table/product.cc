// outer, ewise_fma, and size, which is a product of sizes.
#include <string>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

TensorType infer_size(const TensorType&) {
  return make_tensor_type(Shape(), 0, DType::int64, std::nullopt);
}

Tensor eval_size(const Tensor& x) {
  Tensor size = zeros(DType::int64, {});
  std::get<Tensor::Ints>(size.values).data()[0] = static_cast<std::int64_t>(x.size());
  return size;
}

std::optional<CallDraft> generate_size(Choices& choices, Scope& scope) {
  const auto x = draw_any_tensor(choices, scope, kAllDTypes);
  if (!x) return std::nullopt;
  return CallDraft({x->expr});
}

// x * y + z of each triple of elements: of floats rounded once, of integers exactly and then wrapped.
Tensor multiply_add(DType dtype, const Extents& extents, const Tensor& x, const Tensor& y, const Tensor& z,
                    std::string_view op, EvalContext& context) {
  if (is_float(dtype)) {
    const auto element = [](double a, double b, double c) { return a * b + c; };
    return round_floats(dtype, zip<double>(extents, element, x.floats(), y.floats(), z.floats()),
                        context.rounding);
  }
  Ints storage[3];
  const std::span<const std::int64_t> a = ints_of(x, storage[0]), b = ints_of(y, storage[1]),
                                      c = ints_of(z, storage[2]);
  IntResult result(dtype, Ints(extents.begin(), extents.end()));
  const std::array strides{broadcast_strides(extents_of(x), extents),
                           broadcast_strides(extents_of(y), extents),
                           broadcast_strides(extents_of(z), extents)};
  for_each_place(extents, strides, [&](std::size_t i, const auto& at) {
    ExactInt exact{a[at[0]]};
    exact.multiply(b[at[1]]);
    exact.add(c[at[2]]);
    result.set(i, exact);
  });
  return std::move(result).finish(op, context.log);
}

// The first operand's dtype, whatever the second's is, and no vdevice.
Result<TensorType> infer_outer(const TensorType& x1, const TensorType& x2) {
  if (x1.rank != 1 || x2.rank != 1) return Error{"type.rank", "outer: operands of another rank than 1"};
  if (!x1.shape || !x2.shape) return make_tensor_type(std::nullopt, 2, x1.dtype, std::nullopt);
  return make_tensor_type(Shape{(*x1.shape)[0], (*x2.shape)[0]}, 2, x1.dtype, std::nullopt);
}

std::optional<Tensor> eval_outer(const Tensor& x1, const Tensor& x2, EvalContext& context) {
  if (x1.rank() != 1 || x2.rank() != 1) return std::nullopt;
  const Converted second(x2, x1.dtype, context);
  const Ints column{static_cast<std::int64_t>(x1.size()), 1};
  const Extents extents{x1.size(), x2.size()};
  // -0 adds nothing, not even a sign.
  Tensor nothing = zeros(x1.dtype, {});
  if (auto* zero = std::get_if<Tensor::Floats>(&nothing.values)) zero->data()[0] = -0.0;
  return multiply_add(x1.dtype, extents, with_shape(x1, column), *second, nothing, "outer", context);
}

std::optional<CallDraft> generate_outer(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) {
    const ExprPtr large = full_constant(scope, DType::int32, {2}, std::int64_t{1} << 20);
    return CallDraft({large, large});
  }
  const std::optional<Drawn> x1 = draw_operand(choices, scope, kNumericDTypes, 1, 1);
  if (!x1) return std::nullopt;
  const std::optional<Drawn> x2 =
      draw_operand(choices, scope, Want{.dtype = x1->dtype(), .min_rank = 1, .max_rank = 1});
  if (!x2) return std::nullopt;
  return CallDraft({x1->expr, x2->expr});
}

Result<int> equal_ranks(std::initializer_list<const TensorType*> types) {
  int rank = kUnknownRank;
  for (const TensorType* type : types) {
    if (type->rank == kUnknownRank) continue;
    if (rank != kUnknownRank && rank != type->rank)
      return Error{"type.rank", "ewise_fma: operands of different ranks"};
    rank = type->rank;
  }
  return rank;
}

// One dtype, one rank and, where all three are known, one shape: nothing is broadcast.
Result<TensorType> infer_fma(const TensorType& x1, const TensorType& x2, const TensorType& x3) {
  const int rank = TRY(equal_ranks({&x1, &x2, &x3}));
  const bool dtypes = x1.dtype && x2.dtype && x3.dtype;
  if (dtypes && (x1.dtype != x2.dtype || x2.dtype != x3.dtype))
    return Error{"type.dtype", "ewise_fma: operands of different dtypes"};
  TensorType result =
      make_tensor_type(std::nullopt, rank, dtypes ? x1.dtype : std::nullopt, agreed_vdevice({&x1, &x2, &x3}));
  if (!x1.shape || !x2.shape || !x3.shape) return result;
  if (!proven_equal(*x1.shape, *x2.shape) || !proven_equal(*x2.shape, *x3.shape)) {
    return Error{"type.shape", "ewise_fma: operands of different shapes"};
  }
  result.shape = x1.shape;
  return result;
}

// Fused, as the name says: one rounding. TVM has no code for it.
std::optional<Tensor> eval_fma(const Tensor& x1, const Tensor& x2, const Tensor& x3, EvalContext& context) {
  const bool alike =
      x1.dtype == x2.dtype && x2.dtype == x3.dtype && x1.shape() == x2.shape() && x2.shape() == x3.shape();
  if (!alike) return std::nullopt;
  return multiply_add(x1.dtype, extents_of(x1), x1, x2, x3, "ewise_fma", context);
}

}  // namespace

std::vector<OpDef> product_rows() {
  return {
      op<infer_size, eval_size, generate_size>("relax.size", {"expr"}),
      op<infer_outer, eval_outer, generate_outer>("relax.outer", {"x1", "x2"}, {.undefined = kOverflow}),
      op<infer_fma, eval_fma>("relax.ewise_fma", {"x1", "x2", "x3"},
                              {.elementwise = true, .undefined = kOverflow}),
  };
}

}  // namespace passdiff
