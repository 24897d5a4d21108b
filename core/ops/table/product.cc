// outer, ewise_fma, and size, which is a product of sizes.
#include <functional>
#include <string>

#include "core/ops/arithmetic.h"
#include "core/ops/draw.h"
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

// The first operand's dtype, whatever the second's is, and no vdevice.
Result<TensorType> infer_outer(const TensorType& x1, const TensorType& x2) {
  if (x1.rank != 1 || x2.rank != 1) return Error{"type.rank", "outer: operands of another rank than 1"};
  if (!x1.shape || !x2.shape) return make_tensor_type(std::nullopt, 2, x1.dtype, std::nullopt);
  return make_tensor_type(Shape{(*x1.shape)[0], (*x2.shape)[0]}, 2, x1.dtype, std::nullopt);
}

std::optional<Tensor> eval_outer(const Tensor& x1, const Tensor& x2, EvalContext& context) {
  if (x1.rank() != 1 || x2.rank() != 1) return std::nullopt;
  const Converted second(x2, x1.dtype, context);
  const Tensor column = with_shape(x1, Ints{static_cast<std::int64_t>(x1.size()), 1});
  return arithmetic<std::multiplies<>>({x1.size(), x2.size()}, context, column, *second);
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

struct MultiplyAdd {
  auto operator()(auto a, auto b, auto c) const { return a * b + c; }
};

// Fused, as the name says: one rounding. TVM has no code for it.
std::optional<Tensor> eval_fma(const Tensor& x1, const Tensor& x2, const Tensor& x3, EvalContext& context) {
  if (x1.dtype != x2.dtype || x2.dtype != x3.dtype || x1.shape() != x2.shape() || x2.shape() != x3.shape()) return std::nullopt;
  return arithmetic<MultiplyAdd>(extents_of(x1), context, x1, x2, x3);
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
