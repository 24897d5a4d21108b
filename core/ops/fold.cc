// sum, mean, prod, max, min.
#include <algorithm>

#include "core/ops/attr_access.h"
#include "core/ops/infer.h"
#include "core/ops/numeric.h"
#include "core/ops/reduce.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

enum class Fold : std::uint8_t { sum, mean, prod, max, min };

constexpr std::string_view kNames[] = {"sum", "mean", "prod", "max", "min"};
constexpr std::string_view name_of(Fold fold) {
  return kNames[static_cast<std::size_t>(fold)];
}

Result<Type> infer_fold(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<const TensorType*> data = tensor_operand(args, 0);
  if (!data) return data.error();
  return infer_reduction(**data, optional_attr<Ints>(attrs, 0), attr<bool>(attrs, 1), (*data)->dtype);
}

template <Fold fold>
Value fold_floats(const Tensor& data, const Reduction& r, EvalContext& context) {
  const double* in = data.floats().data();
  Tensor::Floats result = float_array(r.shape);
  double* out = result.data();
  if (fold == Fold::prod) std::fill_n(out, r.results, 1.0);
  for (std::size_t i = 0; i < r.slots.size(); ++i) {
    double& to = out[r.slots[i]];
    to = fold == Fold::prod ? to * in[i] : to + in[i];
  }
  if (fold == Fold::mean) {
    for (std::size_t i = 0; i < r.results; ++i) {
      // The sum is rounded first: the mean of two large float16 is infinite (legalize_ops/statistical.py,
      // measured).
      out[i] = round_float(data.dtype, out[i], context.rounding) / static_cast<double>(r.count);
    }
  }
  return make_tensor(round_floats(data.dtype, std::move(result), context.rounding));
}

template <Fold fold>
Value fold_ints(const Tensor& data, const Reduction& r, EvalContext& context) {
  std::vector<std::int64_t> storage;
  const std::span<const std::int64_t> in = ints_of(data, storage);
  std::vector<ExactInt> exact(r.results, ExactInt{fold == Fold::prod ? 1 : 0});
  for (std::size_t i = 0; i < r.slots.size(); ++i) {
    ExactInt& to = exact[r.slots[i]];
    fold == Fold::prod ? to.multiply(in[i]) : to.add(in[i]);
  }
  IntResult result(data.dtype, r.shape);
  for (std::size_t i = 0; i < r.results; ++i) {
    // Of integers TVM divides the wrapped sum, towards zero; it also returns int64 where its inference says
    // the operand's dtype (legalize_ops/statistical.py, measured): the generator makes no such mean.
    if (fold == Fold::mean && r.count > 0) {
      const std::int64_t sum = wrap_int(data.dtype, static_cast<std::uint64_t>(exact[i].value));
      exact[i].value = sum / r.count;
    }
    result.set(i, exact[i]);
  }
  return make_tensor(std::move(result).finish(name_of(fold), context.log));
}

// TVM keeps the running value only if it is strictly beyond the next element: a NaN is forgotten by the next
// element and remembered if it is the last (max and min in topi/reduction.h, measured).
template <Fold fold, class Array>
void fold_extremes(const Array& in, Array& out, const Reduction& r) {
  std::vector<char> seen(r.results, 0);
  for (std::size_t i = 0; i < r.slots.size(); ++i) {
    auto& best = out.data()[r.slots[i]];
    const auto next = in.data()[i];
    const bool keep = seen[r.slots[i]] && (fold == Fold::max ? best > next : best < next);
    if (!keep) best = next;
    seen[r.slots[i]] = 1;
  }
}

template <Fold fold>
Value eval_fold(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const Tensor& data = args[0].tensor();
  const std::vector<std::int64_t> dims = data.shape();
  const std::optional<Reduction> r = reduction_of(dims, optional_attr<Ints>(attrs, 0), attr<bool>(attrs, 1));
  if (!r) return misfit(context);
  if constexpr (fold == Fold::max || fold == Fold::min) {
    if (r->is_empty()) report_empty(name_of(fold), context);
    Tensor result = zeros(data.dtype, r->shape);
    std::visit(
        [&](const auto& in) {
          fold_extremes<fold>(in, std::get<std::decay_t<decltype(in)>>(result.values), *r);
        },
        data.values);
    return make_tensor(std::move(result));
  } else {
    return is_float(data.dtype) ? fold_floats<fold>(data, *r, context) : fold_ints<fold>(data, *r, context);
  }
}

// None, one axis, or several in any order.
AttrValue draw_axes(Choices& choices, int rank) {
  if (rank == 0 || choices.one_in(3)) return AttrValue();
  const int count = choices.one_in(3) ? static_cast<int>(choices.integer(0, rank)) : 1;
  Ints axes;
  for (const int axis : draw_distinct(choices, count, rank)) axes.push_back(draw_sign(choices, axis, rank));
  return axes;
}

// A reduction that breaks the op's rule.
template <Fold fold>
CallDraft undefined_fold(Scope& scope) {
  if (fold == Fold::max || fold == Fold::min) {
    return {{full_constant(scope, DType::float32, {2, 0}, 0.0)}, {Ints{1}, false}};
  }
  return {{full_constant(scope, DType::int32, {2, 2}, std::int64_t{1} << 30)}, {Ints{-1}, true}};
}

// TVM compiles neither max nor min of bool (measured).
constexpr DTypes dtypes_of(Fold fold) {
  return fold == Fold::mean                       ? kFloatDTypes
         : fold == Fold::max || fold == Fold::min ? kNumericDTypes
                                                  : kAllDTypes;
}

template <Fold fold>
bool is_defined(const Drawn& data, const AttrValue& axes) {
  EvalContext context;
  eval_fold<fold>(std::span(&data.value, 1), {axes, false}, data.type, context);
  return context.log.empty();
}

template <Fold fold>
std::optional<CallDraft> generate_fold(Choices& choices, Scope& scope) {
  if (fold != Fold::mean && scope.allow_undefined(choices)) return undefined_fold<fold>(scope);
  const std::optional<Drawn> data = draw_operand(choices, scope, dtypes_of(fold), 0, 4, Known::rank);
  if (!data) return std::nullopt;
  AttrValue axes = draw_axes(choices, data->rank());
  // Over no elements a mean does not compile, and a maximum is undefined.
  const bool needs_elements = fold != Fold::sum && fold != Fold::prod;
  if (needs_elements && reduced_count(*data, std::get_if<Ints>(&axes)) == 0) axes = Ints();
  // A product of many integers leaves its dtype, however small they are.
  if (fold == Fold::prod && !is_defined<fold>(*data, axes)) axes = Ints();
  return CallDraft{{data->expr}, {std::move(axes), choices.one_in(3)}};
}

const Param kFoldParams[] = {
    {"x", ParamKind::tensor},
    {"axis", ParamKind::attr_ints, true, AttrValue()},
    {"keepdims", ParamKind::attr_bool, false, AttrValue(false)},
};
constexpr UndefinedRule kOverflow[] = {UndefinedRule::signed_overflow};
constexpr UndefinedRule kEmpty[] = {UndefinedRule::uninitialised_read};

template <Fold fold>
OpDef row(std::string_view name, std::span<const UndefinedRule> undefined, double ulps) {
  return {{name},
          .params = kFoldParams,
          .undefined = undefined,
          .ulps = ulps,
          .infer = infer_fold,
          .eval = eval_fold<fold>,
          .generate = generate_fold<fold>};
}

}  // namespace

// Sums and products accumulate in the operand's dtype in TVM: up to half an ulp of the running value per
// element. Over infinities max and min differ from TVM on purpose: it starts from the lowest finite value and
// returns that.
std::span<const OpDef> fold_rows() {
  static const OpDef kRows[] = {
      row<Fold::sum>("relax.sum", kOverflow, 8),   row<Fold::mean>("relax.mean", {}, 8),
      row<Fold::prod>("relax.prod", kOverflow, 8), row<Fold::max>("relax.max", kEmpty, 0),
      row<Fold::min>("relax.min", kEmpty, 0),
  };
  return kRows;
}

}  // namespace passdiff
