// variance, std.
#include <algorithm>
#include <cmath>

#include "core/ops/numeric.h"
#include "core/ops/reduce.h"
#include "core/ops/row.h"
#include "core/ops/steps.h"

namespace passdiff {
namespace {

// The mean of the values of each result: every prefix of the sum is rounded, and so is the quotient.
std::vector<double> means_of(const std::vector<double>& values, const Reduction& r, const Steps& rounded) {
  const auto add = [&](double& to, double next) { to = rounded(to + next); };
  std::vector<double> means = fold(values, r, 0.0, add);
  for (double& mean : means) mean = rounded(mean / static_cast<double>(r.count));
  return means;
}

// The mean of the squared deviations from the mean (legalize_ops/statistical.py), or its root. TVM computes
// those of integers in a dtype other than the one that it infers; the generator makes none.
template <bool root>
std::optional<Tensor> eval_spread(const Tensor& x, const FoldAttrs& attrs, EvalContext& context) {
  const std::optional<Reduction> r = reduction_of(x.shape(), attrs.axis, attrs.keepdims);
  if (!r || !is_float(x.dtype)) return std::nullopt;
  const Steps rounded(x.dtype, context.rounding);
  std::vector<double> values(x.floats().data(), x.floats().data() + x.size());
  const std::vector<double> means = means_of(values, *r, rounded);
  const std::vector<std::size_t> slots = r->slots();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double deviation = rounded(values[i] - means[slots[i]]);
    values[i] = rounded(deviation * deviation);
  }
  const std::vector<double> variances = means_of(values, *r, rounded);
  Tensor::Floats result = float_array(r->shape);
  std::transform(variances.begin(), variances.end(), result.data(),
                 [](double v) { return root ? std::sqrt(v) : v; });
  return round_floats(x.dtype, std::move(result), context.rounding);
}

// TVM compiles none over no elements ("Divide by zero").
std::optional<CallDraft> generate_spread(Choices& choices, Scope& scope) {
  const std::optional<Drawn> x = draw_operand(choices, scope, kFloatDTypes, 0, 4, Known::rank);
  if (!x) return std::nullopt;
  FoldAttrs attrs{draw_axes(choices, x->rank()), choices.one_in(3)};
  if (reduced_count(*x, attrs.axis) == 0) attrs.axis = Ints();
  return CallDraft({x->expr}, attrs);
}

template <bool root>
OpDef row(std::string_view name) {
  return op<infer_fold, eval_spread<root>, generate_spread>(name, {"x"},
                                                            {.attrs_class = "relax.attrs.StatisticalAttrs"});
}

}  // namespace

std::vector<OpDef> spread_rows() {
  return {row<false>("relax.variance"), row<true>("relax.std")};
}

}  // namespace passdiff
