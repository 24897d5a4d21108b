// equal not_equal less less_equal greater greater_equal, logical_and logical_or logical_not, where.
// Meaning measured on TVM 0.27 compiled for llvm; inference follows
// src/relax/op/tensor/{binary,unary,search}.cc.
#include <algorithm>
#include <string>

#include "core/ops/choices.h"
#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/family.h"
#include "core/ops/infer.h"

namespace passdiff {
namespace {

constexpr Param kPairParams[] = {{"x1", ParamKind::tensor}, {"x2", ParamKind::tensor}};
constexpr Param kNotParams[] = {{"x", ParamKind::tensor}};
constexpr Param kWhereParams[] = {
    {"condition", ParamKind::tensor}, {"x1", ParamKind::tensor}, {"x2", ParamKind::tensor}};

// Broadcast shape and common vdevice of two operands.
Result<TensorType> infer_pair(std::span<const ExprPtr> args, bool same_dtype) {
  Result<const TensorType*> a = tensor_operand(args, 0);
  if (!a) return a.error();
  Result<const TensorType*> b = tensor_operand(args, 1);
  if (!b) return b.error();
  std::optional<DType> dtype = DType::boolean;
  if (same_dtype) {
    Result<std::optional<DType>> common = unify_dtypes((*a)->dtype, (*b)->dtype);
    if (!common) return common.error();
    dtype = *common;
  }
  Result<std::optional<int>> vdevice = unify_vdevices(**a, **b);
  if (!vdevice) return vdevice.error();
  Result<TensorType> type = broadcast_types(**a, **b, dtype);
  if (type) type->vdevice = *vdevice;
  return type;
}

// Comparisons accept operands of different dtypes: InferTypeBroadcastCMP looks at neither.
Result<Type> infer_comparison(std::span<const ExprPtr> args, const Attrs&) {
  Result<TensorType> type = infer_pair(args, false);
  if (!type) return type.error();
  return Type(std::move(*type));
}

// Logical ops keep the operands' dtype, whatever it is; TVM compiles them for bool alone.
Result<Type> infer_logical(std::span<const ExprPtr> args, const Attrs&) {
  Result<TensorType> type = infer_pair(args, true);
  if (!type) return type.error();
  return Type(std::move(*type));
}

Result<Type> infer_not(std::span<const ExprPtr> args, const Attrs&) {
  Result<const TensorType*> x = tensor_operand(args, 0);
  if (!x) return x.error();
  return Type(**x);
}

// The vdevice that the operands agree on; none at all if two differ. Not an error, unlike in binary ops.
std::optional<int> where_vdevice(const TensorType& condition, const TensorType& a, const TensorType& b) {
  std::optional<int> found;
  for (const TensorType* type : {&condition, &a, &b}) {
    if (!type->vdevice) continue;
    if (found && *found != *type->vdevice) return std::nullopt;
    found = type->vdevice;
  }
  return found;
}

Result<Type> infer_where(std::span<const ExprPtr> args, const Attrs&) {
  const TensorType* types[3] = {};
  for (std::size_t i = 0; i < 3; ++i) {
    Result<const TensorType*> operand = tensor_operand(args, i);
    if (!operand) return operand.error();
    types[i] = *operand;
  }
  const auto& [condition, a, b] = types;
  if (condition->dtype && condition->dtype != DType::boolean) {
    return Error{"type.dtype", "where: condition is " + std::string(dtype_name(*condition->dtype))};
  }
  Result<std::optional<DType>> dtype = unify_dtypes(a->dtype, b->dtype);
  if (!dtype) return dtype.error();
  // Shapes are looked at only if all three are known: until then no conflict is reported.
  Result<TensorType> result = make_tensor_type(std::nullopt, kUnknownRank, *dtype, std::nullopt);
  if (condition->shape && a->shape && b->shape) {
    Result<TensorType> values = broadcast_types(*a, *b, *dtype);
    if (!values) return values.error();
    result = broadcast_types(*condition, *values, *dtype);
    if (!result) return result.error();
  } else if (condition->rank != kUnknownRank && a->rank != kUnknownRank && b->rank != kUnknownRank) {
    result->rank = std::max({condition->rank, a->rank, b->rank});
  }
  result->vdevice = where_vdevice(*condition, *a, *b);
  return Type(std::move(*result));
}

// Ordered comparisons, all of them: any of these with NaN is false, not_equal too (CreateNE emits `fcmp
// one`).
struct Equal {
  template <class T>
  static bool holds(T a, T b) {
    return a == b;
  }
};
struct NotEqual {
  template <class T>
  static bool holds(T a, T b) {
    return a < b || a > b;
  }
};
struct Less {
  template <class T>
  static bool holds(T a, T b) {
    return a < b;
  }
};
struct LessEqual {
  template <class T>
  static bool holds(T a, T b) {
    return a <= b;
  }
};
struct Greater {
  template <class T>
  static bool holds(T a, T b) {
    return a > b;
  }
};
struct GreaterEqual {
  template <class T>
  static bool holds(T a, T b) {
    return a >= b;
  }
};

template <class Op, class T>
Tensor compare_values(const xt::xarray<T>& a, const xt::xarray<T>& b, const Extents& extents) {
  const auto f = [](T x, T y) -> std::int64_t { return Op::holds(x, y) ? 1 : 0; };
  return Tensor{DType::boolean, zip<std::int64_t>(a, b, extents, f)};
}

template <class Op>
Tensor compare(const Tensor& a, const Tensor& b, const Extents& extents) {
  switch (carrier_of(a.dtype)) {
    case Carrier::floats:
      return compare_values<Op>(a.floats(), b.floats(), extents);
    case Carrier::ints:
      return compare_values<Op>(a.ints(), b.ints(), extents);
    case Carrier::uints:
      return compare_values<Op>(a.uints(), b.uints(), extents);
  }
  return Tensor{};
}

// The dtype in which operands of different dtypes are compared: a float one if there is one, else int64 (no
// integer here is wider).
DType comparison_dtype(DType a, DType b) {
  if (is_float(a) && is_float(b)) return DType::float64;
  if (is_float(a)) return a;
  return is_float(b) ? b : DType::int64;
}

template <class Op>
Value eval_comparison(std::span<const Value> args, const Attrs&, const Type&, EvalContext& context) {
  const Tensor& a = args[0].tensor();
  const Tensor& b = args[1].tensor();
  const std::optional<Extents> extents = broadcast_extents(extents_of(a), extents_of(b));
  if (!extents) {
    report_broadcast_mismatch(context);
    return any_value(DType::boolean);
  }
  if (a.dtype == b.dtype) return make_tensor(compare<Op>(a, b, *extents));
  const DType common = comparison_dtype(a.dtype, b.dtype);
  return make_tensor(compare<Op>(convert(a, common, context), convert(b, common, context), *extents));
}

template <bool is_and>
Value eval_logical(std::span<const Value> args, const Attrs&, const Type& result, EvalContext& context) {
  const Tensor a = convert(args[0].tensor(), DType::boolean, context);
  const Tensor b = convert(args[1].tensor(), DType::boolean, context);
  const std::optional<Extents> extents = broadcast_extents(extents_of(a), extents_of(b));
  if (!extents) {
    report_broadcast_mismatch(context);
    return any_value(DType::boolean);
  }
  const auto f = [](std::int64_t x, std::int64_t y) -> std::int64_t { return is_and ? x & y : x | y; };
  Tensor value{DType::boolean, zip<std::int64_t>(a.ints(), b.ints(), *extents, f)};
  return make_tensor(convert(value, result.as_tensor()->dtype.value_or(args[0].tensor().dtype), context));
}

Value eval_not(std::span<const Value> args, const Attrs&, const Type&, EvalContext& context) {
  const Tensor& x = args[0].tensor();
  const auto f = [](std::int64_t v) -> std::int64_t { return v == 0 ? 1 : 0; };
  const Tensor value{DType::boolean, map<std::int64_t>(convert(x, DType::boolean, context).ints(), f)};
  return make_tensor(convert(value, x.dtype, context));
}

// x, or x expanded into `storage` if it is smaller than the result.
template <class T>
const xt::xarray<T>& expanded(const xt::xarray<T>& x, const Extents& extents, xt::xarray<T>& storage) {
  if (x.shape() == extents) return x;
  storage = expand(x, extents);
  return storage;
}

template <class T>
xt::xarray<T> choose(const Tensor::Ints& condition, const xt::xarray<T>& a, const xt::xarray<T>& b,
                     const Extents& extents) {
  Tensor::Ints condition_storage;
  xt::xarray<T> a_storage;
  xt::xarray<T> b_storage;
  const std::int64_t* mask = expanded(condition, extents, condition_storage).data();
  const T* left = expanded(a, extents, a_storage).data();
  const T* right = expanded(b, extents, b_storage).data();
  xt::xarray<T> result(extents);
  for (std::size_t i = 0; i < result.size(); ++i) result.data()[i] = mask[i] != 0 ? left[i] : right[i];
  return result;
}

Tensor choose(const Tensor& condition, const Tensor& a, const Tensor& b, const Extents& extents) {
  switch (carrier_of(a.dtype)) {
    case Carrier::floats:
      return {a.dtype, choose(condition.ints(), a.floats(), b.floats(), extents)};
    case Carrier::ints:
      return {a.dtype, choose(condition.ints(), a.ints(), b.ints(), extents)};
    case Carrier::uints:
      return {a.dtype, choose(condition.ints(), a.uints(), b.uints(), extents)};
  }
  return Tensor{};
}

Value eval_where(std::span<const Value> args, const Attrs&, const Type& result, EvalContext& context) {
  const Tensor& a = args[1].tensor();
  const Tensor& b = args[2].tensor();
  const DType dtype = result.as_tensor()->dtype.value_or(a.dtype);
  std::optional<Extents> extents = broadcast_extents(extents_of(a), extents_of(b));
  if (extents) extents = broadcast_extents(extents_of(args[0].tensor()), *extents);
  if (!extents) {
    report_broadcast_mismatch(context);
    return any_value(dtype);
  }
  const Tensor condition = convert(args[0].tensor(), DType::boolean, context);
  if (a.dtype == dtype && b.dtype == dtype) return make_tensor(choose(condition, a, b, *extents));
  return make_tensor(choose(condition, convert(a, dtype, context), convert(b, dtype, context), *extents));
}

template <DTypes dtypes>
std::optional<CallDraft> generate_pair(Choices& choices, Scope& scope) {
  const auto first = draw_any_tensor(choices, scope, dtypes);
  if (!first) return std::nullopt;
  const auto second = draw_partner(choices, scope, *first, *tensor_type_of(*first).dtype);
  if (!second) return std::nullopt;
  if (choices.one_in(3)) return CallDraft{{second->expr, first->expr}, {}};
  return CallDraft{{first->expr, second->expr}, {}};
}

constexpr DTypes kBool{DType::boolean};

std::optional<CallDraft> generate_not(Choices& choices, Scope& scope) {
  const auto x = draw_any_tensor(choices, scope, kBool);
  if (!x) return std::nullopt;
  return CallDraft{{x->expr}, {}};
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
  if (choices.one_in(3)) return CallDraft{{condition->expr, second->expr, first->expr}, {}};
  return CallDraft{{condition->expr, first->expr, second->expr}, {}};
}

constexpr Trait kSymmetric = Trait::elementwise | Trait::commutative;
constexpr auto kGenerateComparison =
    generate_pair<kNumericDTypes>;  // bool operands do not compile: fcmp of i1

constexpr OpDef kOps[] = {
    {{"relax.equal"},
     .params = kPairParams,
     .traits = kSymmetric,
     .infer = infer_comparison,
     .eval = eval_comparison<Equal>,
     .generate = kGenerateComparison},
    {{"relax.greater"},
     .params = kPairParams,
     .traits = Trait::elementwise,
     .infer = infer_comparison,
     .eval = eval_comparison<Greater>,
     .generate = kGenerateComparison},
    {{"relax.greater_equal"},
     .params = kPairParams,
     .traits = Trait::elementwise,
     .infer = infer_comparison,
     .eval = eval_comparison<GreaterEqual>,
     .generate = kGenerateComparison},
    {{"relax.less"},
     .params = kPairParams,
     .traits = Trait::elementwise,
     .infer = infer_comparison,
     .eval = eval_comparison<Less>,
     .generate = kGenerateComparison},
    {{"relax.less_equal"},
     .params = kPairParams,
     .traits = Trait::elementwise,
     .infer = infer_comparison,
     .eval = eval_comparison<LessEqual>,
     .generate = kGenerateComparison},
    {{"relax.logical_and"},
     .params = kPairParams,
     .traits = kSymmetric,
     .infer = infer_logical,
     .eval = eval_logical<true>,
     .generate = generate_pair<kBool>},
    {{"relax.logical_not"},
     .params = kNotParams,
     .traits = Trait::elementwise,
     .infer = infer_not,
     .eval = eval_not,
     .generate = generate_not},
    {{"relax.logical_or"},
     .params = kPairParams,
     .traits = kSymmetric,
     .infer = infer_logical,
     .eval = eval_logical<false>,
     .generate = generate_pair<kBool>},
    {{"relax.not_equal"},
     .params = kPairParams,
     .traits = kSymmetric,
     .infer = infer_comparison,
     .eval = eval_comparison<NotEqual>,
     .generate = kGenerateComparison},
    {{"relax.where"},
     .params = kWhereParams,
     .traits = Trait::elementwise | Trait::data_movement,
     .infer = infer_where,
     .eval = eval_where,
     .generate = generate_where},
};

}  // namespace

std::span<const OpDef> compare_ops() {
  return kOps;
}

}  // namespace passdiff
