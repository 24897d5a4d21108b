// nn.batch_norm: the normalised data, and the moving averages. TVM rounds to the dtype after each step (topi/nn/batch_norm.py).
#include <cmath>

#include "core/ops/norm.h"
#include "core/ops/numeric.h"
#include "core/ops/reduce.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct BatchNormAttrs {
  std::int64_t axis = 1;
  double epsilon = 1e-5;
  bool center = true;
  bool scale = true;
  double momentum = 0.1;
  bool training = true;
  static constexpr auto fields() {
    return std::tuple(required("axis", &BatchNormAttrs::axis), field("epsilon", &BatchNormAttrs::epsilon),
                      field("center", &BatchNormAttrs::center), field("scale", &BatchNormAttrs::scale),
                      field("momentum", &BatchNormAttrs::momentum),
                      field("training", &BatchNormAttrs::training));
  }
};
Result<Type> infer_batch_norm(const AnyTensor& data, const TensorType& gamma, const TensorType& beta,
                              const AnyTensor& mean, const AnyTensor& variance, const BatchNormAttrs& attrs) {
  const Type type =
      TRY(infer_norm_along(data, {&gamma, &beta, &mean.tensor, &variance.tensor}, {attrs.axis}));
  if (type.is_same(data.type)) return tuple_type({type, mean.type, variance.type});
  const Type line = of_unknown_shape(data.tensor, 1);
  return tuple_type({type, line, line});
}

// Mean and variance of each channel.
struct Moments {
  std::vector<double> mean, variance;
};

// Mean and variance of each channel, rounded at each step as the rest of batch_norm is.
Moments channel_moments(const Tensor& data, std::int64_t axis, Rounding& rounding) {
  Ints others;
  for (std::size_t i = 0; i < data.rank(); ++i) {
    if (static_cast<int>(i) != runtime_axis(axis, data.rank()))
      others.push_back(static_cast<std::int64_t>(i));
  }
  const Reduction r = reduction_of(data.shape(), others, true).value();
  const auto mean_of = [&](const Tensor::Floats& x) {
    std::vector<double> means = fold(x, r, 0.0, [](double& sum, double next) { sum += next; });
    for (double& mean : means) {
      const double sum = round_float(data.dtype, mean, rounding);
      mean = round_float(data.dtype, sum / static_cast<double>(r.count), rounding);
    }
    return means;
  };
  Moments moments{mean_of(data.floats()), {}};
  Tensor::Floats squares(data.floats().shape());
  const std::vector<std::size_t> slots = r.slots();
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const double off = round_float(data.dtype, data.floats().data()[i] - moments.mean[slots[i]], rounding);
    squares.data()[i] = round_float(data.dtype, off * off, rounding);
  }
  moments.variance = mean_of(squares);
  return moments;
}

Moments given_moments(const Tensor& mean, const Tensor& variance) {
  const double* m = mean.floats().data();
  const double* v = variance.floats().data();
  return {{m, m + mean.size()}, {v, v + variance.size()}};
}

// The moving average, moved towards the batch's.
Value moved(const Tensor& average, const std::vector<double>& batch, double momentum, Rounding& rounding) {
  const auto rounded = [&](double value) { return round_float(average.dtype, value, rounding); };
  Tensor::Floats result(average.floats().shape());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double kept = rounded(rounded(1 - momentum) * average.floats().data()[i]);
    result.data()[i] = rounded(kept + rounded(rounded(momentum) * batch[i]));
  }
  return make_tensor(Tensor{average.dtype, std::move(result)});
}

std::optional<Value> eval_batch_norm(const Tensor& data, const Tensor& gamma, const Tensor& beta,
                                     const Value& mean, const Value& variance, const BatchNormAttrs& attrs,
                                     EvalContext& context) {
  const Type type = exact_type(data), mean_type = exact_type(mean.tensor()),
             variance_type = exact_type(variance.tensor());
  const AnyTensor means{mean_type, *mean_type.as_tensor()},
      variances{variance_type, *variance_type.as_tensor()};
  if (!is_float(data.dtype) || !infer_batch_norm({type, *type.as_tensor()}, exact_type(gamma),
                                                 exact_type(beta), means, variances, attrs))
    return std::nullopt;
  const auto rounded = [&](double value) { return round_float(data.dtype, value, context.rounding); };
  const Moments moments = attrs.training ? channel_moments(data, attrs.axis, context.rounding)
                                         : given_moments(mean.tensor(), variance.tensor());
  const std::vector<std::size_t> places = parameter_places(data.shape(), {attrs.axis});
  Tensor::Floats result(data.floats().shape());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t at = places[i];
    const double deviation = rounded(std::sqrt(rounded(moments.variance[at] + rounded(attrs.epsilon))));
    double value = rounded(rounded(data.floats().data()[i] - moments.mean[at]) / deviation);
    if (attrs.scale) value = rounded(value * gamma.floats().data()[at]);
    if (attrs.center) value = rounded(value + beta.floats().data()[at]);
    result.data()[i] = value;
  }
  TupleValue tuple;
  tuple.fields.emplace_back(make_tensor(Tensor{data.dtype, std::move(result)}));
  tuple.fields.push_back(attrs.training ? moved(mean.tensor(), moments.mean, attrs.momentum, context.rounding)
                                        : mean);
  tuple.fields.push_back(attrs.training
                             ? moved(variance.tensor(), moments.variance, attrs.momentum, context.rounding)
                             : variance);
  return tuple;
}

std::optional<CallDraft> generate_batch_norm(Choices& choices, Scope& scope) {
  // Of narrower floats TVM's kernel makes float32, which is not what its inference says.
  const std::optional<Drawn> data = draw_norm_data(choices, scope, {DType::float32, DType::float64}, 2);
  if (!data) return std::nullopt;
  BatchNormAttrs attrs;
  attrs.training = choices.flip();
  // TVM compiles no negative axis in training (it looks for it in a list of the others).
  attrs.axis = static_cast<std::int64_t>(choices.index(static_cast<std::size_t>(data->rank())));
  const Dim channels = data->dim(static_cast<int>(attrs.axis));
  if (!attrs.training) attrs.axis = draw_sign(choices, static_cast<int>(attrs.axis), data->rank());
  attrs.epsilon = draw_epsilon(choices);
  attrs.center = !choices.one_in(3);
  attrs.scale = !choices.one_in(3);
  constexpr double kMomenta[] = {0.1, 0.5, 0.9, 0, 1};
  attrs.momentum = choices.pick(kMomenta);
  return with_parameters(choices, scope, *data, {channels},
                         {Fill::small, Fill::small, Fill::small, Fill::positive}, write_attrs(attrs));
}

}  // namespace

std::vector<OpDef> batch_norm_rows() {
  return {op<infer_batch_norm, eval_batch_norm, generate_batch_norm>(
      "relax.nn.batch_norm", {"data", "gamma", "beta", "moving_mean", "moving_var"}, {.ulps = kNormUlps})};
}

}  // namespace passdiff
