// sum, mean, prod, max, min, argmax, argmin: folds over a set of axes.
#include <cmath>
#include <limits>

#include "core/ops/elementwise.h"
#include "core/ops/numeric.h"
#include "core/ops/reduce.h"
#include "core/ops/row.h"
#include "core/ops/steps.h"

namespace passdiff {
namespace {

struct ArgAttrs {
  std::optional<std::int64_t> axis;
  bool keepdims = false;
  static constexpr auto fields() {
    return std::tuple(field("axis", &ArgAttrs::axis), field("keepdims", &ArgAttrs::keepdims));
  }
};

std::optional<Ints> axes_of(const ArgAttrs& attrs) {
  return attrs.axis ? std::optional(Ints{*attrs.axis}) : std::nullopt;
}

Result<TensorType> infer_arg(const TensorType& x, const ArgAttrs& attrs) {
  return infer_reduction(x, axes_of(attrs), attrs.keepdims, DType::int64);
}

enum class Fold : std::uint8_t { sum, prod, mean, max, min };

constexpr std::string_view kNames[] = {"sum", "prod", "mean", "max", "min"};
constexpr std::string_view name_of(Fold fold) {
  return kNames[static_cast<std::size_t>(fold)];
}

// From which magnitude on a running sum or product is brought back into its dtype, as compiled code does with each (measured): 300 times 300 times 0
// is no number in float16. Nowhere if results are not of the declared dtype alone.
double largest_running(DType dtype, const Rounding& rounding) {
  const bool declared = rounding.mode == RoundingMode::faithful || rounding.mode == RoundingMode::stochastic_declared;
  const bool other = rounding.least || rounding.most || rounding.float32_as;
  return declared && !other ? largest_finite(dtype) : std::numeric_limits<double>::infinity();
}

// The numbers of float16 and of floats of 8 bits end far below, those of bfloat16 and of wider floats far above.
constexpr double kWideRange = 0x1p64;

// The sum or the product: of floats in order, of integers exactly and then wrapped.
template <Fold kFold>
Tensor accumulated(const Tensor& x, const Reduction& r, Rounding& rounding, UndefinedLog& log) {
  if (is_float(x.dtype)) {
    const double largest = largest_running(x.dtype, rounding);
    const auto step = [](double& to, double next) { to = kFold == Fold::prod ? to * next : to + next; };
    const auto step_in_range = [=, dtype = x.dtype](double& to, double next) {
      step(to, next);
      if (std::abs(to) > largest) to = round_to(dtype, to);
    };
    // Sums leave a wide range only next to its largest numbers, and looking takes them twice their time.
    const bool looks = kFold == Fold::prod || largest < kWideRange;
    constexpr double kStart = kFold == Fold::prod ? 1 : 0;
    const std::vector<double> results = looks ? fold(x.floats(), r, kStart, step_in_range) : fold(x.floats(), r, kStart, step);
    Tensor::Floats values = float_array(r.shape);
    std::copy(results.begin(), results.end(), values.data());
    return round_floats(x.dtype, std::move(values), rounding);
  }
  const auto step = [](ExactInt& to, std::int64_t next) {
    kFold == Fold::prod ? to.multiply(next) : to.add(next);
  };
  Ints storage;
  IntResult result(x.dtype, r.shape);
  const std::vector<ExactInt> exact =
      fold(ints_of(x, storage), r, ExactInt{kFold == Fold::prod ? 1 : 0}, step);
  for (std::size_t i = 0; i < exact.size(); ++i) result.set(i, exact[i]);
  return std::move(result).finish(name_of(kFold), log);
}

template <Fold kFold>
std::optional<Tensor> eval_accumulated(const Tensor& x, const FoldAttrs& attrs, EvalContext& context) {
  const std::optional<Reduction> r = reduction_of(x.shape(), attrs.axis, attrs.keepdims);
  if (!r) return std::nullopt;
  return accumulated<kFold>(x, *r, context.rounding, context.log);
}

// The sum is rounded, or wrapped, before it is divided: the mean of two large float16 is infinite. Of integers TVM divides
// towards zero; it also returns int64 where its inference says the operand's dtype, so that the generator makes no such mean
// (legalize_ops/statistical.py, measured).
std::optional<Tensor> eval_mean(const Tensor& x, const FoldAttrs& attrs, EvalContext& context) {
  const std::optional<Reduction> r = reduction_of(x.shape(), attrs.axis, attrs.keepdims);
  if (!r) return std::nullopt;
  UndefinedLog wraps;  // is no undefined behaviour of a mean
  const Tensor sum = accumulated<Fold::sum>(x, *r, context.rounding, wraps);
  if (is_float(x.dtype)) return map_floats(sum, context, [&](double v, const Steps&) { return v / static_cast<double>(r->count); });
  return r->count == 0 ? sum : map_ints(sum, [&](auto v) { return v / static_cast<decltype(v)>(r->count); });
}

// TVM keeps the running value only if it is strictly beyond the next element: a NaN is forgotten by the next
// element and remembered if it is the last (max and min in topi/reduction.h, measured).
template <Fold kFold>
std::optional<Tensor> eval_extreme(const Tensor& x, const FoldAttrs& attrs, EvalContext& context) {
  const std::optional<Reduction> r = reduction_of(x.shape(), attrs.axis, attrs.keepdims);
  if (!r) return std::nullopt;
  if (r->is_empty()) report_empty(name_of(kFold), context);
  Tensor result = zeros(x.dtype, r->shape);
  const auto copy_extremes = [&]<class T>(const xt::xarray<T>& values) {
    const auto best = fold(values, *r, std::optional<T>(), [](std::optional<T>& to, T next) {
      const bool keep = to && (kFold == Fold::max ? *to > next : *to < next);
      if (!keep) to = next;
    });
    T* out = std::get<xt::xarray<T>>(result.values).data();
    for (std::size_t i = 0; i < best.size(); ++i) out[i] = best[i].value_or(T{});
  };
  std::visit(copy_extremes, x.values);
  return result;
}

// Among equals the first wins. TVM keeps the best only if it is beyond the next or equal and earlier, so that
// a NaN is replaced by whatever follows it (argmax in topi/reduction.h, measured). Where all elements are the
// lowest of their dtype (uint8 zeros, -inf) TVM returns -1, the index that it starts from: its mistake.
template <Fold kFold>
std::optional<Tensor> eval_arg(const Tensor& x, const ArgAttrs& attrs, EvalContext& context) {
  const std::optional<Reduction> r = reduction_of(x.shape(), axes_of(attrs), attrs.keepdims);
  if (!r) return std::nullopt;
  if (r->is_empty()) report_empty(kFold == Fold::max ? "argmax" : "argmin", context);
  Tensor result = zeros(DType::int64, r->shape);
  const auto copy_positions = [&]<class T>(const xt::xarray<T>& values) {
    struct Best {
      T value{};
      std::int64_t position = 0, seen = 0;
    };
    const std::vector<Best> best = fold(values, *r, Best{}, [](Best& to, T next) {
      const bool keep = to.seen > 0 && (kFold == Fold::max ? to.value >= next : to.value <= next);
      if (!keep) to = {next, to.seen, to.seen};
      ++to.seen;
    });
    std::int64_t* out = std::get<Tensor::Ints>(result.values).data();
    for (std::size_t i = 0; i < best.size(); ++i) out[i] = best[i].position;
  };
  std::visit(copy_positions, x.values);
  return result;
}

constexpr bool is_extreme(Fold fold) {
  return fold == Fold::max || fold == Fold::min;
}

// A reduction that breaks the op's rule.
template <Fold kFold>
CallDraft undefined_fold(Scope& scope) {
  if (is_extreme(kFold)) return {{full_constant(scope, DType::float32, {2, 0}, 0.0)}, FoldAttrs{Ints{1}}};
  return {{full_constant(scope, DType::int32, {2, 2}, std::int64_t{1} << 30)}, FoldAttrs{Ints{-1}, true}};
}

// A product of many integers leaves its dtype, however small they are.
bool product_fits(const Drawn& x, const FoldAttrs& attrs) {
  EvalContext context;
  eval_accumulated<Fold::prod>(x.value.tensor(), attrs, context);
  return context.log.empty();
}

// TVM compiles neither max nor min of bool (measured).
constexpr DTypes dtypes_of(Fold fold) {
  return fold == Fold::mean ? kFloatDTypes : is_extreme(fold) ? kNumericDTypes : kAllDTypes;
}

template <Fold kFold>
std::optional<CallDraft> generate_fold(Choices& choices, Scope& scope) {
  if (kFold != Fold::mean && scope.allow_undefined(choices)) return undefined_fold<kFold>(scope);
  const std::optional<Drawn> x = draw_operand(choices, scope, dtypes_of(kFold), 0, 4, Known::rank);
  if (!x) return std::nullopt;
  FoldAttrs attrs{draw_axes(choices, x->rank())};
  // Over no elements a mean does not compile, and a maximum is undefined.
  const bool needs_elements = kFold != Fold::sum && kFold != Fold::prod;
  if (needs_elements && reduced_count(*x, attrs.axis) == 0) attrs.axis = Ints();
  if (kFold == Fold::prod && !product_fits(*x, attrs)) attrs.axis = Ints();
  attrs.keepdims = choices.one_in(3);
  return CallDraft({x->expr}, attrs);
}

// bool and bfloat16 do not compile in TVM; of uint8 zeros it makes -1 (measured).
constexpr DTypes kArgDTypes{DType::int8,    DType::int32,   DType::int64,
                            DType::float16, DType::float32, DType::float64};

std::optional<CallDraft> generate_arg(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) {
    return CallDraft({full_constant(scope, DType::float32, {2, 0}, 0.0)}, ArgAttrs{-1});
  }
  // Rank 0 does not compile in TVM.
  const std::optional<Drawn> x = draw_operand(choices, scope, kArgDTypes, 1, 4, Known::rank);
  if (!x) return std::nullopt;
  ArgAttrs attrs;
  if (!choices.one_in(4)) attrs.axis = draw_axis(choices, x->rank());
  attrs.keepdims = choices.one_in(3);
  if (reduced_count(*x, axes_of(attrs)) == 0) return std::nullopt;
  return CallDraft({x->expr}, attrs);
}

constexpr UndefinedRule kEmpty[] = {UndefinedRule::uninitialised_read};
// Sums and products accumulate in the operand's dtype in TVM: up to half an ulp of the running value per element.
constexpr double kAccumulated = 8;

template <Fold kFold, auto eval>
OpDef fold_row(std::string_view name, std::span<const UndefinedRule> undefined, double ulps) {
  return op<infer_fold, eval, generate_fold<kFold>>(name, {"x"},
                                                    {.undefined = undefined,
                                                     .multilinear = kFold == Fold::sum,
                                                     .ulps = ulps,
                                                     .attrs_class = "relax.attrs.StatisticalAttrs"});
}
template <Fold kFold>
OpDef arg_row(std::string_view name) {
  return op<infer_arg, eval_arg<kFold>, generate_arg>(
      name, {"x"}, {.undefined = kEmpty, .attrs_class = "relax.attrs.ArgmaxArgminAttrs"});
}

}  // namespace

// Over infinities max and min differ from TVM on purpose: it starts from the lowest finite value and returns that.
std::vector<OpDef> fold_rows() {
  return {
      fold_row<Fold::sum, eval_accumulated<Fold::sum>>("relax.sum", kOverflow, kAccumulated),
      fold_row<Fold::prod, eval_accumulated<Fold::prod>>("relax.prod", kOverflow, kAccumulated),
      fold_row<Fold::mean, eval_mean>("relax.mean", {}, kAccumulated),
      fold_row<Fold::max, eval_extreme<Fold::max>>("relax.max", kEmpty, 0),
      fold_row<Fold::min, eval_extreme<Fold::min>>("relax.min", kEmpty, 0),
      arg_row<Fold::max>("relax.argmax"),
      arg_row<Fold::min>("relax.argmin"),
  };
}

}  // namespace passdiff
