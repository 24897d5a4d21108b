// equal not_equal less less_equal greater greater_equal, logical_and logical_or logical_not, where.
// Meaning measured on TVM 0.27 compiled for llvm; inference follows src/relax/op/tensor/{binary,unary,search}.cc.
#include <algorithm>
#include <functional>
#include <string>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/row.h"

namespace passdiff {
namespace {

// Comparisons accept operands of different dtypes: InferTypeBroadcastCMP looks at neither.
Result<Type> infer_comparison(const TermType& a, const TermType& b) {
  return term_type(a, b, DType::boolean);
}

// The dtype in which operands are compared: a float one if there is one, else int64 (no integer here is wider).
DType comparison_dtype(DType a, DType b) {
  if (a == b) return a;
  if (is_float(a) && is_float(b)) return DType::float64;
  return is_float(a) ? a : is_float(b) ? b : DType::int64;
}

// Ordered comparisons, all of them: any of these with NaN is false, not_equal too (CreateNE emits `fcmp one`).
struct NotEqual {
  bool operator()(auto a, auto b) const { return a < b || a > b; }
};

template <class Holds>
TensorPtr eval_comparison(const Tensor& x1, const Tensor& x2, EvalContext& context) {
  const auto pair = broadcast_pair(x1, x2, comparison_dtype(x1.dtype, x2.dtype), context);
  if (!pair) return nullptr;
  const auto element = [](auto a, auto b) -> std::int64_t { return Holds()(a, b); };
  return make_tensor(map_elements(DType::boolean, pair->extents, element, *pair->a, *pair->b));
}

// Logical ops keep the operands' dtype, whatever it is; TVM compiles them for bool alone.
template <class F>
std::optional<Tensor> eval_logical(const Tensor& x1, const Tensor& x2, const Type& result,
                                   EvalContext& context) {
  const auto pair = broadcast_pair(x1, x2, DType::boolean, context);
  if (!pair) return std::nullopt;
  Tensor value{DType::boolean, zip<std::int64_t>(pair->extents, F(), pair->a->ints(), pair->b->ints())};
  return convert(std::move(value), declared_dtype(result, x1.dtype), context);
}

Type infer_not(const AnyTensor& x) {
  return x.type;
}

Tensor eval_not(const Tensor& x, EvalContext& context) {
  const auto element = [](std::int64_t v) -> std::int64_t { return v == 0; };
  const Converted truth(x, DType::boolean, context);
  return convert(Tensor{DType::boolean, map<std::int64_t>(truth->ints(), element)}, x.dtype, context);
}

Result<TensorType> infer_where(const TensorType& condition, const TensorType& a, const TensorType& b) {
  if (condition.dtype && condition.dtype != DType::boolean) {
    return Error{"type.dtype", "where: condition is " + std::string(dtype_name(*condition.dtype))};
  }
  const std::optional<DType> dtype = TRY(unify_dtypes(a.dtype, b.dtype));
  TensorType result = make_tensor_type(std::nullopt, kUnknownRank, dtype, std::nullopt);
  // Shapes are looked at only if all three are known: until then no conflict is reported.
  if (condition.shape && a.shape && b.shape) {
    const TensorType values = TRY(broadcast_types(a, b, dtype));
    result = TRY(broadcast_types(condition, values, dtype));
  } else if (condition.rank != kUnknownRank && a.rank != kUnknownRank && b.rank != kUnknownRank) {
    result.rank = std::max({condition.rank, a.rank, b.rank});
  }
  // Not an error if they differ, unlike in binary ops.
  result.vdevice = agreed_vdevice({&condition, &a, &b});
  return result;
}

std::optional<Tensor> eval_where(const Tensor& condition, const Tensor& x1, const Tensor& x2,
                                 const Type& result, EvalContext& context) {
  const DType dtype = declared_dtype(result, x1.dtype);
  const auto pair = broadcast_pair(x1, x2, dtype, context);
  if (!pair) return std::nullopt;
  const std::optional<Extents> extents = broadcast_extents(extents_of(condition), pair->extents);
  if (!extents) return std::nullopt;
  const Converted mask(condition, DType::boolean, context);
  return std::visit(
      [&]<class T>(const xt::xarray<T>& a) {
        const auto choose = [](std::int64_t first, T left, T right) { return first != 0 ? left : right; };
        return Tensor{dtype,
                      zip<T>(*extents, choose, mask->ints(), a, std::get<xt::xarray<T>>(pair->b->values))};
      },
      pair->a->values);
}

constexpr DTypes kBool{DType::boolean};
// Comparisons of bool operands do not compile: fcmp of i1.
constexpr PairRule kComparisonRule{.dtypes = kNumericDTypes, .any_values = true};
constexpr PairRule kLogicalRule{.dtypes = kBool, .any_values = true};

std::optional<CallDraft> generate_not(Choices& choices, Scope& scope) {
  const auto x = draw_any_tensor(choices, scope, kBool);
  if (!x) return std::nullopt;
  return CallDraft({x->expr});
}

std::optional<CallDraft> generate_where(Choices& choices, Scope& scope) {
  const auto first = draw_any_tensor(choices, scope, kAllDTypes);
  if (!first) return std::nullopt;
  const auto second = draw_partner(choices, scope, *first, *tensor_type_of(*first).dtype);
  if (!second) return std::nullopt;
  const auto condition = draw_partner(choices, scope, *first, DType::boolean, {.fill = Fill::booleans});
  if (!condition) return std::nullopt;
  // Condition and second both broadcast with the first, which does not mean that they do with each other.
  const auto extents =
      broadcast_extents(extents_of(first->value.tensor()), extents_of(second->value.tensor()));
  if (!extents || !broadcast_extents(*extents, extents_of(condition->value.tensor()))) return std::nullopt;
  if (choices.one_in(3)) return CallDraft({condition->expr, second->expr, first->expr});
  return CallDraft({condition->expr, first->expr, second->expr});
}

template <class Holds>
OpDef comparison(std::string_view name) {
  return op<infer_comparison, eval_comparison<Holds>, generate_pair<kComparisonRule>>(name, {"x1", "x2"},
                                                                                      {.elementwise = true});
}

template <class F>
OpDef logical(std::string_view name) {
  return op<infer_elementwise, eval_logical<F>, generate_pair<kLogicalRule>>(name, {"x1", "x2"},
                                                                             {.elementwise = true});
}

}  // namespace

std::vector<OpDef> compare_rows() {
  return {
      comparison<std::equal_to<>>("relax.equal"),
      comparison<NotEqual>("relax.not_equal"),
      comparison<std::less<>>("relax.less"),
      comparison<std::less_equal<>>("relax.less_equal"),
      comparison<std::greater<>>("relax.greater"),
      comparison<std::greater_equal<>>("relax.greater_equal"),
      logical<std::bit_and<>>("relax.logical_and"),
      logical<std::bit_or<>>("relax.logical_or"),
      op<infer_not, eval_not, generate_not>("relax.logical_not", {"x"}, {.elementwise = true}),
      op<infer_where, eval_where, generate_where>("relax.where", {"condition", "x1", "x2"},
                                                  {.elementwise = true}),
  };
}

}  // namespace passdiff
