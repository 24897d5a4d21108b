// nn.layer_norm, nn.group_norm, nn.instance_norm, nn.rms_norm. Inference follows src/relax/op/nn/nn.cc, evaluation
// the files of these names in topi/nn. Where gamma runs along several axes, its first belongs to the first that the attribute names;
// TVM's kernels take the axes in rising order. TVM also ignores `center` and `scale`, so that no call is generated with other axes or
// without the two.
#include <algorithm>
#include <cmath>

#include "core/ops/norm.h"
#include "core/ops/numeric.h"
#include "core/ops/reduce.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

// What the attributes of all norms but rms_norm end with.
struct NormAttrs {
  Ints axes;
  double epsilon = 1e-5;
  bool center = true;
  bool scale = true;
};
template <class Attrs>
constexpr auto norm_fields() {
  return std::tuple(required<Attrs, Ints>("axes", &Attrs::axes),
                    field<Attrs, double>("epsilon", &Attrs::epsilon),
                    field<Attrs, bool>("center", &Attrs::center), field<Attrs, bool>("scale", &Attrs::scale));
}
struct LayerNormAttrs : NormAttrs {
  static constexpr auto fields() { return norm_fields<LayerNormAttrs>(); }
};
struct InstanceNormAttrs : NormAttrs {
  std::int64_t channel_axis = 1;
  static constexpr auto fields() {
    return std::tuple_cat(std::tuple(required("channel_axis", &InstanceNormAttrs::channel_axis)),
                          norm_fields<InstanceNormAttrs>());
  }
};
struct GroupNormAttrs : NormAttrs {
  std::int64_t num_groups = 1;
  std::int64_t channel_axis = 1;
  static constexpr auto fields() {
    return std::tuple_cat(std::tuple(required("num_groups", &GroupNormAttrs::num_groups),
                                     required("channel_axis", &GroupNormAttrs::channel_axis)),
                          norm_fields<GroupNormAttrs>());
  }
};
struct RmsNormAttrs {
  Ints axes{-1};
  double epsilon = 1e-5;
  static constexpr auto fields() {
    return std::tuple(field("axes", &RmsNormAttrs::axes), field("epsilon", &RmsNormAttrs::epsilon));
  }
};

// The norms whose parameters run along the channels, which the axes must leave out.
Result<Type> infer_along_channels(const AnyTensor& any, std::initializer_list<const TensorType*> parameters,
                                  std::int64_t channel_axis, const Ints& axes) {
  const TensorType& data = any.tensor;
  std::optional<Dim> channels;
  if (data.rank != kUnknownRank) {
    const int channel = TRY(normalise_axis(channel_axis, data.rank));
    for (const int axis : TRY(normalise_axes(axes, data.rank))) {
      if (axis == channel) return Error{"type.axis", "a norm's axes include that of the channels"};
    }
    if (data.shape) channels = (*data.shape)[static_cast<std::size_t>(channel)];
  }
  TRY_VOID(check_norm_parameters(data, parameters, 1));
  for (const TensorType* parameter : parameters) {
    if (channels && parameter->shape && proven_different(*channels, (*parameter->shape)[0]))
      return norm_length_error(*channels, (*parameter->shape)[0]);
  }
  return any.type;
}

Result<Type> infer_layer_norm(const AnyTensor& data, const TensorType& gamma, const TensorType& beta,
                              const LayerNormAttrs& attrs) {
  return infer_norm_along(data, {&gamma, &beta}, attrs.axes);
}
Result<Type> infer_rms_norm(const AnyTensor& data, const TensorType& weight, const RmsNormAttrs& attrs) {
  return infer_norm_along(data, {&weight}, attrs.axes);
}
Result<Type> infer_instance_norm(const AnyTensor& data, const TensorType& gamma, const TensorType& beta,
                                 const InstanceNormAttrs& attrs) {
  return infer_along_channels(data, {&gamma, &beta}, attrs.channel_axis, attrs.axes);
}
Result<Type> infer_group_norm(const AnyTensor& data, const TensorType& gamma, const TensorType& beta,
                              const GroupNormAttrs& attrs) {
  // TVM's check leaves bfloat16 out.
  const std::optional<DType> dtype = data.tensor.dtype;
  if (dtype && (!is_float(*dtype) || *dtype == DType::bfloat16)) return norm_dtype_error(data.tensor);
  if (attrs.num_groups < 1)
    return Error{"type.norm", "group_norm: " + std::to_string(attrs.num_groups) + " groups"};
  const Type type = TRY(infer_along_channels(data, {&gamma, &beta}, attrs.channel_axis, attrs.axes));
  if (!data.tensor.shape) return type;
  const Dim& channels =
      (*data.tensor.shape)[static_cast<std::size_t>(*normalise_axis(attrs.channel_axis, data.tensor.rank))];
  if (!proven_different(Dim::binary(DimOp::floor_mod, channels, attrs.num_groups), 0)) return type;
  return Error{"type.norm", "group_norm: " + to_string(channels) + " channels do not fall into groups"};
}
// Mean and variance of the elements that a reduction combines.
struct Moments {
  std::vector<double> mean, variance;
};
// How TVM's kernels take the variance: about 0, about the mean, or as what the square of the mean leaves of the mean of squares.
enum class Variance : std::uint8_t { about_zero, about_mean, of_squares };

// Moves the moments by what the sums of a kernel may be off, in float32 or wider: half an ulp of the running sum for each
// element. The difference of squares keeps few digits if the mean is large.
void add_errors(Moments& moments, const Tensor& data, const Reduction& r, Variance variance,
                Rounding& rounding) {
  const DType dtype = data.dtype == DType::float64 ? DType::float64 : DType::float32;
  const auto count = static_cast<double>(r.count);
  const auto error_of = [&](double value, double ulps) { return library_error(dtype, value, ulps, rounding); };
  const std::vector<double> squares =
      fold(data.floats(), r, 0.0, [](double& sum, double next) { sum += next * next; });
  for (std::size_t i = 0; i < squares.size() && variance != Variance::about_zero; ++i) {
    const double square = squares[i] / count;
    const double mean = moments.mean[i];
    const double off = error_of(std::sqrt(square), count / 2);
    moments.mean[i] += off;
    moments.variance[i] += variance == Variance::about_mean
                               ? off * off
                               : error_of(square, count / 2 + 1) - error_of(mean * mean, 1) - (2 * mean + off) * off;
  }
}

Moments moments_of(const Tensor& data, const Reduction& r, std::span<const std::size_t> slots,
                   Variance variance, Rounding& rounding) {
  const Tensor::Floats& x = data.floats();
  const auto count = static_cast<double>(r.count);
  Moments moments{std::vector<double>(r.results, 0), std::vector<double>(r.results, 0)};
  if (variance != Variance::about_zero)
    moments.mean = fold(x, r, 0.0, [](double& sum, double next) { sum += next; });
  for (double& mean : moments.mean) mean /= count;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double off = x.data()[i] - moments.mean[slots[i]];
    moments.variance[slots[i]] += off * off / count;
  }
  if (rounding.library_errors) add_errors(moments, data, r, variance, rounding);
  return moments;
}

// A norm over data that is viewed with these sizes.
struct Norm {
  Ints dims;
  Ints axes;      // that are normalised
  Ints weighted;  // along which gamma and beta run
  double epsilon;
  Variance variance;
};

// (x - mean) / sqrt(variance + epsilon) in float32 or wider, then rounded, times gamma, rounded, plus beta.
Tensor normalised(const Tensor& data, const Norm& norm, const Tensor* gamma, const Tensor* beta,
                  EvalContext& context) {
  const Reduction r = reduction_of(norm.dims, norm.axes, true).value();
  const std::vector<std::size_t> slots = r.slots();
  const Moments moments = moments_of(data, r, slots, norm.variance, context.rounding);
  const std::vector<std::size_t> places = parameter_places(norm.dims, norm.weighted);
  const auto rounded = [&](double value) { return round_float(data.dtype, value, context.rounding); };
  Tensor::Floats result(data.floats().shape());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t slot = slots[i];
    const double deviation = std::sqrt(moments.variance[slot] + norm.epsilon);
    double value = (data.floats().data()[i] - moments.mean[slot]) / deviation;
    // rms_norm rounds only once.
    if (norm.variance != Variance::about_zero) value = rounded(value);
    if (gamma) value = rounded(value * gamma->floats().data()[places[i]]);
    if (beta) value = rounded(value + beta->floats().data()[places[i]]);
    result.data()[i] = value;
  }
  return Tensor{data.dtype, std::move(result)};
}

// Nothing if inference would fail now that all types are known.
template <auto infer, class Attrs, class... Operands>
bool still_fits(const Attrs& attrs, const Tensor& data, const Operands&... parameters) {
  const Type type = exact_type(data);
  return is_float(data.dtype) &&
         infer(AnyTensor{type, *type.as_tensor()}, exact_type(parameters)..., attrs).ok();
}

std::optional<Tensor> eval_layer_norm(const Tensor& data, const Tensor& gamma, const Tensor& beta,
                                      const LayerNormAttrs& attrs, EvalContext& context) {
  if (!still_fits<infer_layer_norm>(attrs, data, gamma, beta)) return std::nullopt;
  const Norm norm{data.shape(), attrs.axes, attrs.axes, attrs.epsilon, Variance::about_mean};
  return normalised(data, norm, attrs.scale ? &gamma : nullptr, attrs.center ? &beta : nullptr, context);
}

std::optional<Tensor> eval_rms_norm(const Tensor& data, const Tensor& weight, const RmsNormAttrs& attrs,
                                    EvalContext& context) {
  if (!still_fits<infer_rms_norm>(attrs, data, weight)) return std::nullopt;
  // TVM adds epsilon as a number of the data's dtype.
  const Norm norm{data.shape(), attrs.axes, attrs.axes,
                  round_float(data.dtype, attrs.epsilon, context.rounding), Variance::about_zero};
  return normalised(data, norm, &weight, nullptr, context);
}

std::optional<Tensor> eval_instance_norm(const Tensor& data, const Tensor& gamma, const Tensor& beta,
                                         const InstanceNormAttrs& attrs, EvalContext& context) {
  if (!still_fits<infer_instance_norm>(attrs, data, gamma, beta)) return std::nullopt;
  const Norm norm{data.shape(), attrs.axes, {attrs.channel_axis}, attrs.epsilon, Variance::of_squares};
  return normalised(data, norm, attrs.scale ? &gamma : nullptr, attrs.center ? &beta : nullptr, context);
}

// Channels fall into groups, each of which is normalised as one.
std::optional<Tensor> eval_group_norm(const Tensor& data, const Tensor& gamma, const Tensor& beta,
                                      const GroupNormAttrs& attrs, EvalContext& context) {
  if (!still_fits<infer_group_norm>(attrs, data, gamma, beta)) return std::nullopt;
  Norm norm{
      data.shape(), {}, {}, round_float(data.dtype, attrs.epsilon, context.rounding), Variance::of_squares};
  const int channel = runtime_axis(attrs.channel_axis, norm.dims.size());
  for (const std::int64_t given : attrs.axes) {
    const int axis = runtime_axis(given, norm.dims.size());
    norm.axes.push_back(axis > channel ? axis + 1 : axis);
  }
  norm.axes.push_back(channel + 1);
  norm.weighted = {channel, channel + 1};
  norm.dims[static_cast<std::size_t>(channel)] /= attrs.num_groups;
  norm.dims.insert(norm.dims.begin() + channel, attrs.num_groups);
  return normalised(data, norm, attrs.scale ? &gamma : nullptr, attrs.center ? &beta : nullptr, context);
}

// Up to two axes that are not `without`, in rising order, of either sign.
Ints draw_norm_axes(Choices& choices, int rank, int without, bool negative) {
  std::vector<int> free;
  for (int i = 0; i < rank; ++i) {
    if (i != without) free.push_back(i);
  }
  const int count = 1 + static_cast<int>(choices.index(std::min<std::size_t>(free.size(), 2)));
  std::vector<int> drawn = draw_distinct(choices, count, static_cast<int>(free.size()));
  std::sort(drawn.begin(), drawn.end());
  Ints axes;
  for (const int at : drawn) {
    const int axis = free[static_cast<std::size_t>(at)];
    axes.push_back(negative ? draw_sign(choices, axis, rank) : axis);
  }
  return axes;
}

// Some of the last axes, not all: TVM compiles rms_norm over no others.
Ints draw_last_axes(Choices& choices, int rank) {
  Ints axes;
  for (int axis = static_cast<int>(choices.integer(1, rank - 1)); axis < rank; ++axis) {
    axes.push_back(draw_sign(choices, axis, rank));
  }
  return axes;
}

// Those that TVM compiles: layer_norm, instance_norm and group_norm say so (topi/nn/layer_norm.h).
constexpr DTypes kHalfAndSingle{DType::float16, DType::float32};
// TVM sums rms_norm in float32, also of float64.
constexpr DTypes kUpToSingle{DType::float16, DType::bfloat16, DType::float32};

template <class Attrs>
std::optional<CallDraft> generate_along_axes(Choices& choices, Scope& scope) {
  constexpr bool kRms = std::is_same_v<Attrs, RmsNormAttrs>;
  const std::optional<Drawn> data =
      draw_norm_data(choices, scope, kRms ? kUpToSingle : kHalfAndSingle, kRms ? 2 : 1);
  if (!data) return std::nullopt;
  Attrs attrs;
  attrs.axes = draw_norm_axes(choices, data->rank(), -1, true);
  if (kRms) attrs.axes = draw_last_axes(choices, data->rank());
  attrs.epsilon = draw_epsilon(choices);
  Shape shape;
  for (const std::int64_t axis : attrs.axes)
    shape.push_back(data->dim(runtime_axis(axis, data->dims.size())));
  if (kRms) return with_parameters(choices, scope, *data, shape, {Fill::small}, write_attrs(attrs));
  return with_parameters(choices, scope, *data, shape, {Fill::small, Fill::small}, write_attrs(attrs));
}

template <class Attrs>
std::optional<CallDraft> generate_along_channels(Choices& choices, Scope& scope) {
  constexpr bool kGroups = std::is_same_v<Attrs, GroupNormAttrs>;
  const std::optional<Drawn> data = draw_norm_data(choices, scope, kHalfAndSingle, 2);
  if (!data) return std::nullopt;
  Attrs attrs;
  const int channel = static_cast<int>(choices.index(static_cast<std::size_t>(data->rank())));
  // TVM's kernel of instance_norm takes no negative axis of channels.
  attrs.channel_axis = kGroups ? draw_sign(choices, channel, data->rank()) : channel;
  attrs.axes = draw_norm_axes(choices, data->rank(), channel, true);
  attrs.epsilon = draw_epsilon(choices);
  if constexpr (kGroups) {
    const Dim& channels = data->dim(channel);
    if (channels.is_static())
      attrs.num_groups = channels.value() % 2 == 0 && choices.flip() ? 2
                         : choices.flip()                            ? channels.value()
                                                                     : 1;
  }
  return with_parameters(choices, scope, *data, {data->dim(channel)}, {Fill::small, Fill::small},
                         write_attrs(attrs));
}

}  // namespace

std::vector<OpDef> norm_rows() {
  constexpr auto kLayer = generate_along_axes<LayerNormAttrs>;
  constexpr auto kRms = generate_along_axes<RmsNormAttrs>;
  constexpr auto kGroup = generate_along_channels<GroupNormAttrs>;
  constexpr auto kInstance = generate_along_channels<InstanceNormAttrs>;
  return {
      op<infer_layer_norm, eval_layer_norm, kLayer>("relax.nn.layer_norm", {"data", "gamma", "beta"},
                                                    {.ulps = kNormUlps}),
      op<infer_rms_norm, eval_rms_norm, kRms>("relax.nn.rms_norm", {"data", "weight"}, {.ulps = kNormUlps}),
      op<infer_group_norm, eval_group_norm, kGroup>("relax.nn.group_norm", {"data", "gamma", "beta"},
                                                    {.ulps = kNormUlps}),
      op<infer_instance_norm, eval_instance_norm, kInstance>("relax.nn.instance_norm",
                                                             {"data", "gamma", "beta"}, {.ulps = kNormUlps}),
  };
}

}  // namespace passdiff
