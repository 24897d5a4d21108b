// nn.gelu nn.gelu_tanh nn.silu nn.selu nn.leakyrelu nn.softplus nn.prelu nn.dropout. Meaning measured on TVM
// 0.27 compiled for llvm; steps follow legalize_ops/nn.py, inference src/relax/op/nn/nn.cc.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/ops/numeric.h"
#include "core/ops/strided.h"
#include "core/ops/unary.h"

namespace passdiff {
namespace {

// Near -4 and below most digits cancel: what is left is what the steps round.
struct Gelu {
  static double floats(double x, const Steps& rounded) {
    const double erf = rounded.library(std::erf(rounded(x * rounded(std::numbers::sqrt2 / 2))), kLibmUlps);
    return x * rounded(0.5 + rounded(erf * 0.5));
  }
};
struct GeluTanh {
  static double floats(double x, const Steps& rounded) {
    const double slope = rounded(std::sqrt(2 * std::numbers::inv_pi));
    const double cubic = rounded(1 + rounded(rounded(rounded(0.044715) * x) * x));
    const double inner = rounded(rounded(slope * x) * cubic);
    return rounded(0.5 * x) * rounded(1 + stable_tanh(inner, rounded));
  }
};
struct Silu {
  static double floats(double x, const Steps& rounded) { return x * sigmoid(x, rounded); }
};
struct Selu {
  static double floats(double x, const Steps& rounded) {
    const double alpha = rounded(1.6732632423543772848170429916717);
    const double scale = rounded(1.0507009873554804934193349852946);
    const double below = rounded(alpha * rounded(rounded.library(std::exp(x), kExpUlps) - 1));
    // max(x, 0) and min(0, below), each a compare and a select.
    return scale * rounded((x > 0 ? x : 0) + (0 < below ? 0 : below));
  }
};

struct LeakyreluAttrs {
  double alpha = 0.01;
  static constexpr auto fields() { return std::tuple(field("alpha", &LeakyreluAttrs::alpha)); }
};

Tensor eval_leakyrelu(const Tensor& data, const LeakyreluAttrs& attrs, EvalContext& context) {
  return map_floats(data, context,
                    [&](double x, const Steps& rounded) { return x > 0 ? x : x * rounded(attrs.alpha); });
}

struct SoftplusAttrs {
  double beta = 1;
  double threshold = 20;
  static constexpr auto fields() {
    return std::tuple(field("beta", &SoftplusAttrs::beta), field("threshold", &SoftplusAttrs::threshold));
  }
};

Tensor eval_softplus(const Tensor& data, const SoftplusAttrs& attrs, EvalContext& context) {
  return map_floats(data, context, [&](double x, const Steps& rounded) {
    const double beta = rounded(attrs.beta);
    const double scaled = rounded(beta * x);
    if (scaled > rounded(attrs.threshold)) return x;
    const double power = rounded.library(std::exp(scaled), kExpUlps);
    return rounded(1 / beta) * rounded.library(std::log(rounded(1 + power)), kExpUlps);
  });
}

template <class Attrs>
std::optional<CallDraft> generate_tuned(Choices& choices, Scope& scope, Attrs (*draw)(Choices&)) {
  const auto data = draw_tensor(choices, scope, kFloatDTypes, kModestFill);
  if (!data) return std::nullopt;
  return CallDraft({data->expr}, choices.one_in(3) ? Attrs() : draw(choices));
}
std::optional<CallDraft> generate_leakyrelu(Choices& choices, Scope& scope) {
  return generate_tuned<LeakyreluAttrs>(
      choices, scope, [](Choices& c) { return LeakyreluAttrs{c.pick({0.0, 0.25, 0.1, 1.0, -0.5, 2.0})}; });
}
// TVM compiles no beta of 0: it folds the quotient.
std::optional<CallDraft> generate_softplus(Choices& choices, Scope& scope) {
  return generate_tuned<SoftplusAttrs>(choices, scope, [](Choices& c) {
    return SoftplusAttrs{c.pick({0.5, 2.0, 1.5, -1.0}), c.pick({20.0, 1.0, 0.0, -1.0})};
  });
}

struct PreluAttrs {
  std::int64_t axis = 1;
  static constexpr auto fields() { return std::tuple(field("axis", &PreluAttrs::axis)); }
};

// TVM looks at dtype and axis only if the rank is known, at the slopes never, and does not take bfloat16 for
// a float here.
Result<Type> infer_prelu(const AnyTensor& data, const TensorType&, const PreluAttrs& attrs) {
  const auto& [type, tensor] = data;
  if (tensor.rank == kUnknownRank) return type;
  if (tensor.dtype && (!kFloatDTypes.has(*tensor.dtype) || *tensor.dtype == DType::bfloat16)) {
    return Error{"type.dtype", "nn.prelu of " + std::string(dtype_name(*tensor.dtype))};
  }
  TRY(normalise_axis(attrs.axis, tensor.rank));
  return type;
}

// One slope for all, or one for each index along the axis.
std::optional<Tensor> eval_prelu(const Tensor& data, const Tensor& alpha, const PreluAttrs& attrs, EvalContext& context) {
  const int axis = runtime_axis(attrs.axis, data.rank());
  if (axis < 0 || alpha.rank() != 1 || alpha.dtype != data.dtype || !is_float(data.dtype)) return std::nullopt;
  const std::optional<Tensor::Floats> slopes = floats_along(alpha, data.shape(), axis);
  if (!slopes) return std::nullopt;
  const auto element = [](double x, double slope) { return x > 0 ? x : x * slope; };
  return round_floats(data.dtype, zip<double>(extents_of(data), element, data.floats(), *slopes), context.rounding);
}

std::optional<CallDraft> generate_prelu(Choices& choices, Scope& scope) {
  constexpr DTypes kPreluDTypes{DType::float16, DType::float32, DType::float64};
  const std::optional<Drawn> data = draw_operand(choices, scope, kPreluDTypes, 1, kMaxDrawnRank);
  if (!data) return std::nullopt;
  PreluAttrs attrs;
  if (data->rank() == 1 || choices.flip()) attrs.axis = draw_axis(choices, data->rank());
  const Dim& channels = data->dim(runtime_axis(attrs.axis, data->dims.size()));
  const std::optional<Drawn> alpha =
      draw_operand(choices, scope, Want{.dtype = data->dtype(), .shape = Shape{channels}});
  if (!alpha) return std::nullopt;
  return CallDraft({data->expr, alpha->expr}, attrs);
}

struct DropoutAttrs {
  double rate = 0.5;
  static constexpr auto fields() { return std::tuple(field("rate", &DropoutAttrs::rate)); }
};

Type infer_dropout(const AnyTensor& data) {
  return tuple_type({data.type, data.type});
}

// Nothing is dropped: what TVM compiles is inference. The mask is all ones.
Value eval_dropout(const Value& data, const DropoutAttrs&) {
  const Tensor& x = data.tensor();
  Tensor mask = zeros(x.dtype, x.shape());
  std::visit([](auto& values) { std::fill(values.data(), values.data() + values.size(), 1); }, mask.values);
  return TupleValue{{data, make_tensor(std::move(mask))}};
}

std::optional<CallDraft> generate_dropout(Choices& choices, Scope& scope) {
  const auto data = draw_any_tensor(choices, scope, kAllDTypes);
  if (!data) return std::nullopt;
  return CallDraft({data->expr},
                   choices.flip() ? DropoutAttrs() : DropoutAttrs{choices.pick({0.0, 0.25, 0.75})});
}

template <class Op>
OpDef row(std::string_view name) {
  // Beside what library functions owe on the way, in ulps of the result (up to 1.7 of silu's measured).
  return op<infer_float, eval_float<Op>, generate_filled<kModestFill>>(name, {"data"},
                                                                       {.elementwise = true, .ulps = 4});
}

}  // namespace

std::vector<OpDef> activation_rows() {
  return {
      row<Gelu>("relax.nn.gelu"),
      row<GeluTanh>("relax.nn.gelu_tanh"),
      row<Silu>("relax.nn.silu"),
      row<Selu>("relax.nn.selu"),
      op<infer_float, eval_leakyrelu, generate_leakyrelu>("relax.nn.leakyrelu", {"data"},
                                                          {.elementwise = true}),
      op<infer_float, eval_softplus, generate_softplus>("relax.nn.softplus", {"data"},
                                                        {.elementwise = true, .ulps = 4}),
      op<infer_prelu, eval_prelu, generate_prelu>("relax.nn.prelu", {"data", "alpha"}),
      op<infer_dropout, eval_dropout, generate_dropout>("relax.nn.dropout", {"data"}),
  };
}

}  // namespace passdiff
