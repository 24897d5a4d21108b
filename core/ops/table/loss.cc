// nn.cross_entropy_with_logits, nn.nll_loss, grad.nll_loss_backward. Meaning measured on TVM 0.27 compiled
// for llvm; steps follow legalize_ops/{nn,grad}.py and nll_loss in topi/nn.h, inference src/relax/op/nn/nn.cc
// and src/relax/op/tensor/grad.cc.
#include <algorithm>
#include <string>

#include "core/ops/draw.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/steps.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

bool proven_unequal(const Dim& a, const Dim& b) {
  return a.is_static() && b.is_static() && a.value() != b.value();
}

Error shape_error(std::string_view op, std::string_view what) {
  return Error{"type.shape", std::string(op) + ": " + std::string(what)};
}

Result<TensorType> infer_cross_entropy(const TensorType& predictions, const TensorType& labels) {
  const std::optional<DType> dtype = TRY(unify_dtypes(predictions.dtype, labels.dtype));
  const std::optional<int> vdevice = TRY(unify_vdevices(predictions, labels));
  if (predictions.rank != kUnknownRank && labels.rank != kUnknownRank && predictions.rank != labels.rank) {
    return Error{"type.rank", "cross_entropy_with_logits: predictions and labels of different ranks"};
  }
  const bool known = predictions.shape && labels.shape;
  if (known && !std::equal(predictions.shape->begin(), predictions.shape->end(), labels.shape->begin(),
                           [](const Dim& a, const Dim& b) { return !proven_unequal(a, b); })) {
    return shape_error("cross_entropy_with_logits", "predictions and labels of different shapes");
  }
  return make_tensor_type(Shape(), 0, dtype, vdevice);
}

// A tensor of rank 0 with this float, rounded.
Tensor scalar_float(DType dtype, double value, Rounding& rounding) {
  Tensor::Floats values = float_array({});
  values.data()[0] = value;
  return round_floats(dtype, std::move(values), rounding);
}

// The sum of the products, negated, and divided by the first size unless the rank is 1. Inference accepts
// integers, too: TVM compiles none.
std::optional<Tensor> eval_cross_entropy(const Tensor& predictions, const Tensor& labels,
                                         EvalContext& context) {
  const Ints shape = predictions.shape();
  if (shape != labels.shape() || predictions.dtype != labels.dtype || !is_float(predictions.dtype))
    return std::nullopt;
  const Steps rounded(predictions.dtype, context.rounding);
  double sum = shape.empty() ? -0.0 : 0;  // of rank 0 nothing is summed: the only product keeps its sign
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    sum = rounded(sum + rounded(predictions.floats().data()[i] * labels.floats().data()[i]));
  }
  const double mean = shape.size() > 1 ? sum / static_cast<double>(shape[0]) : sum;
  return scalar_float(predictions.dtype, -mean, context.rounding);
}

std::optional<CallDraft> generate_cross_entropy(Choices& choices, Scope& scope) {
  const std::optional<Drawn> predictions = draw_operand(choices, scope, kFloatDTypes, 0, 4);
  // Over no elements it does not compile, or returns what was in memory.
  if (!predictions || element_count(predictions->dims) == 0) return std::nullopt;
  const Want want{.dtype = predictions->dtype(), .shape = predictions->type.shape};
  const std::optional<Drawn> labels = draw_operand(choices, scope, want);
  if (!labels || !unify_vdevices(predictions->type, labels->type)) return std::nullopt;
  return CallDraft({predictions->expr, labels->expr});
}

enum class LossReduction : std::uint8_t { none, sum, mean };
constexpr std::array<std::string_view, 3> words_of(LossReduction) {
  return {"none", "sum", "mean"};
}
struct NllLossAttrs {
  LossReduction reduction = LossReduction::mean;
  std::int64_t ignore_index = -100;
  static constexpr auto fields() {
    return std::tuple(field("reduction", &NllLossAttrs::reduction),
                      field("ignore_index", &NllLossAttrs::ignore_index));
  }
};

// Predictions (C), (N, C) or (N, C, d1, ...) go with targets (), (N) or (N, d1, ...).
Result<TensorType> infer_targets(const TensorType& predictions, const TensorType& targets) {
  if (targets.dtype && !is_integer(*targets.dtype)) {
    return Error{"type.dtype", "nll_loss: targets of " + std::string(dtype_name(*targets.dtype))};
  }
  if (predictions.rank == 0) return Error{"type.rank", "nll_loss: predictions of rank 0"};
  const auto spatial = [](int rank, int others) { return std::max(rank - others, 0); };
  const bool known = predictions.rank != kUnknownRank && targets.rank != kUnknownRank;
  if (known && spatial(predictions.rank, 2) != spatial(targets.rank, 1)) {
    return Error{"type.rank", "nll_loss: predictions and targets of different numbers of axes"};
  }
  if (!predictions.shape) {
    return of_unknown_shape(predictions,
                            predictions.rank == kUnknownRank ? kUnknownRank : predictions.rank - 1);
  }
  Shape shape = *predictions.shape;
  shape.erase(shape.begin() + (predictions.rank > 1));
  if (targets.shape) {
    if (targets.rank != predictions.rank - 1) return shape_error("nll_loss", "a batch on one side only");
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (proven_unequal(shape[i], (*targets.shape)[i]))
        return shape_error("nll_loss", "targets of another shape");
    }
  }
  return of_shape(predictions, std::move(shape));
}

Result<TensorType> infer_nll_loss(const TensorType& predictions, const TensorType& targets,
                                  const TensorType* weights, const NllLossAttrs& attrs) {
  TensorType result = TRY(infer_targets(predictions, targets));
  if (weights) {
    result.dtype = TRY(unify_dtypes(predictions.dtype, weights->dtype));
    result.vdevice = TRY(unify_vdevices(predictions, *weights));
    if (weights->rank != kUnknownRank && weights->rank != 1)
      return Error{"type.rank", "nll_loss: weights of another rank than 1"};
    const bool known = weights->shape && predictions.shape;
    if (known && proven_unequal((*weights->shape)[0], (*predictions.shape)[predictions.rank > 1 ? 1 : 0])) {
      return shape_error("nll_loss", "weights for another number of classes");
    }
  }
  if (attrs.reduction == LossReduction::none) return result;
  return make_tensor_type(Shape(), 0, result.dtype, result.vdevice);
}

// The class that each target names, where its prediction is, and the weights of the classes.
struct Chosen {
  AxisSplit split;  // the predictions around their classes
  Ints classes;
  std::vector<double> weights;

  std::size_t place(std::size_t target) const {
    const auto i = static_cast<std::int64_t>(target);
    return static_cast<std::size_t>((i / split.inner * split.size + classes[target]) * split.inner +
                                    i % split.inner);
  }
  double weight(std::size_t target) const { return weights[static_cast<std::size_t>(classes[target])]; }
  // Is there such a class? Reports it if not: TVM reads out of bounds.
  bool check(std::size_t target, EvalContext& context) const {
    const bool exists = classes[target] >= 0 && classes[target] < split.size;
    if (!exists && !context.log.must_stop()) {
      context.log.report(UndefinedRule::index_out_of_bounds,
                         "class " + std::to_string(classes[target]) + " of " + std::to_string(split.size));
    }
    return exists;
  }
};

// Nothing if the operands do not fit each other, or if the predictions are integers, whose losses TVM does
// not type.
std::optional<Chosen> chosen_of(const Tensor& predictions, const Tensor& targets, const Tensor* weights) {
  Ints shape = predictions.shape();
  if (shape.empty() || !is_float(predictions.dtype) || is_float(targets.dtype)) return std::nullopt;
  const int axis = shape.size() > 1 ? 1 : 0;
  Chosen chosen{split_at(shape, axis), {}, {}};
  shape.erase(shape.begin() + axis);
  if (shape != targets.shape()) return std::nullopt;
  Ints storage;
  const std::span<const std::int64_t> classes = ints_of(targets, storage);
  chosen.classes.assign(classes.begin(), classes.end());
  chosen.weights.assign(static_cast<std::size_t>(chosen.split.size), 1.0);
  if (!weights) return chosen;
  if (weights->dtype != predictions.dtype || weights->shape() != Ints{chosen.split.size}) return std::nullopt;
  std::copy_n(weights->floats().data(), weights->size(), chosen.weights.begin());
  return chosen;
}

std::optional<Tensor> eval_nll_loss(const Tensor& predictions, const Tensor& targets, const Tensor* weights,
                                    const NllLossAttrs& attrs, EvalContext& context) {
  const std::optional<Chosen> chosen = chosen_of(predictions, targets, weights);
  if (!chosen) return std::nullopt;
  const Steps rounded(predictions.dtype, context.rounding);
  Tensor::Floats losses = float_array(targets.shape());
  double sum = 0, weight_sum = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (chosen->classes[i] == attrs.ignore_index || !chosen->check(i, context)) continue;
    // Negation is a difference here: 0 keeps its sign.
    losses.data()[i] = rounded((0 - predictions.floats().data()[chosen->place(i)]) * chosen->weight(i));
    sum = rounded(sum + losses.data()[i]);
    weight_sum = rounded(weight_sum + chosen->weight(i));
  }
  if (attrs.reduction == LossReduction::none)
    return round_floats(predictions.dtype, std::move(losses), context.rounding);
  const double mean = sum / weight_sum;
  return scalar_float(predictions.dtype, attrs.reduction == LossReduction::sum ? sum : mean,
                      context.rounding);
}

// The type of the predictions; TVM looks at nothing else.
Type infer_nll_backward(const TensorType&, const AnyTensor& predictions, const TensorType&,
                        const TensorType*) {
  return predictions.type;
}

// Unlike the loss itself, its gradient reads the weight of each target, ignored or not, and ignores no
// negative class.
std::optional<Tensor> eval_nll_backward(const Tensor& grad, const Tensor& predictions, const Tensor& targets,
                                        const Tensor* weights, const NllLossAttrs& attrs,
                                        EvalContext& context) {
  std::optional<Chosen> chosen = chosen_of(predictions, targets, weights);
  if (!chosen || grad.dtype != predictions.dtype || (grad.size() != 1 && grad.shape() != targets.shape()))
    return std::nullopt;
  const Steps rounded(predictions.dtype, context.rounding);
  if (attrs.ignore_index >= 0 && attrs.ignore_index < chosen->split.size) {
    chosen->weights[static_cast<std::size_t>(attrs.ignore_index)] = 0;
  }
  Tensor::Floats result = float_array(predictions.shape());
  double weight_sum = 0;
  for (std::size_t i = 0; i < targets.size(); ++i)
    weight_sum = rounded(weight_sum + (chosen->check(i, context) ? chosen->weight(i) : 0));
  if (context.log.must_stop()) return Tensor{predictions.dtype, std::move(result)};
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double given = grad.floats().data()[grad.size() == 1 ? 0 : i];
    const double share = attrs.reduction == LossReduction::mean ? rounded(given / weight_sum) : given;
    result.data()[chosen->place(i)] = -chosen->weight(i) * share;
  }
  return round_floats(predictions.dtype, std::move(result), context.rounding);
}

// Predictions and targets, and seldom weights. TVM dies of a loss of bfloat16 while it compiles it.
std::optional<CallDraft> generate_nll_loss(Choices& choices, Scope& scope) {
  constexpr DTypes kLossDTypes{DType::float16, DType::float32, DType::float64};
  const std::optional<Drawn> predictions = draw_operand(choices, scope, kLossDTypes, 1, 4);
  if (!predictions || element_count(predictions->dims) == 0) return std::nullopt;
  const int axis = predictions->rank() > 1 ? 1 : 0;
  NllLossAttrs attrs;
  attrs.reduction = static_cast<LossReduction>(choices.index(3));
  if (choices.flip()) attrs.ignore_index = choices.integer(0, predictions->size(axis) - 1);
  Shape shape = *predictions->type.shape;
  shape.erase(shape.begin() + axis);
  const std::int64_t classes = predictions->size(axis) + (scope.allow_undefined(choices) ? 2 : 0);
  const FillSpec fill{.fill = Fill::indices, .limit = classes, .allow_negative = false};
  const DType dtype =
      choices.pick({DType::int64, DType::int32, DType::int16, DType::int8, DType::uint8, DType::uint16});
  const std::optional<Drawn> targets =
      draw_operand(choices, scope, Want{.dtype = dtype, .shape = shape, .fill = fill});
  if (!targets) return std::nullopt;
  std::vector<ExprPtr> args{predictions->expr, targets->expr};
  if (choices.flip()) {
    const Want want{.dtype = predictions->dtype(),
                    .shape = Shape{predictions->dim(axis)},
                    .fill = {.fill = Fill::positive}};
    const std::optional<Drawn> weights = draw_operand(choices, scope, want);
    if (!weights || !unify_vdevices(predictions->type, weights->type)) return std::nullopt;
    args.push_back(weights->expr);
  }
  return CallDraft(std::move(args), attrs);
}

std::optional<CallDraft> generate_nll_backward(Choices& choices, Scope& scope) {
  std::optional<CallDraft> call = generate_nll_loss(choices, scope);
  if (!call) return std::nullopt;
  const bool whole = read_attrs<NllLossAttrs>(call->attrs).reduction == LossReduction::none;
  const Want want{.dtype = call->args[0]->type.as_tensor()->dtype,
                  .shape = whole ? *call->args[1]->type.as_tensor()->shape : Shape()};
  const std::optional<Drawn> grad = draw_operand(choices, scope, want);
  if (!grad) return std::nullopt;
  call->args.insert(call->args.begin(), grad->expr);
  return call;
}


}  // namespace

std::vector<OpDef> loss_rows() {
  return {
      op<infer_cross_entropy, eval_cross_entropy, generate_cross_entropy>(
          "relax.nn.cross_entropy_with_logits", {"predictions", "labels"}),
      op<infer_nll_loss, eval_nll_loss, generate_nll_loss>(
          "relax.nn.nll_loss", {"predictions", "targets", "weights"}, {.undefined = kOutOfBounds}),
      op<infer_nll_backward, eval_nll_backward, generate_nll_backward>(
          "relax.grad.nll_loss_backward", {"output_grad", "predictions", "targets", "weights"},
          {.undefined = kOutOfBounds}),
  };
}

}  // namespace passdiff
