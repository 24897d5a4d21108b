// nn.softmax, nn.log_softmax.
#include <algorithm>
#include <cmath>

#include "core/ops/draw.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/steps.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct SoftmaxAttrs {
  std::int64_t axis = -1;
  static constexpr auto fields() { return std::tuple(field("axis", &SoftmaxAttrs::axis)); }
};

Result<Type> infer_softmax(const AnyTensor& data, const SoftmaxAttrs& attrs) {
  const auto& [type, tensor] = data;
  // TVM looks at dtype and axis only if the rank is known.
  if (tensor.rank == kUnknownRank) return type;
  if (tensor.dtype && !kFloatDTypes.has(*tensor.dtype)) {
    return Error{"type.dtype",
                 "nn.softmax: " + std::string(dtype_name(*tensor.dtype)) + " is no float dtype"};
  }
  TRY(normalise_axis(attrs.axis, tensor.rank));
  return type;
}

// One line of the operand and of the result.
struct Line {
  const double* in;
  double* out;
  std::int64_t size, stride;

  double largest() const {
    double result = -INFINITY;
    for (std::int64_t k = 0; k < size; ++k) result = std::max(result, in[k * stride]);
    return result;
  }
};

// The largest element is subtracted first, as in topi/nn/softmax.h. A NaN or +inf makes all of the line NaN.
struct Softmax {
  static void compute(const Line& line, const Steps&) {
    const auto [in, out, size, stride] = line;
    const double largest = line.largest();
    double sum = 0;
    for (std::int64_t k = 0; k < size; ++k) sum += out[k * stride] = std::exp(in[k * stride] - largest);
    for (std::int64_t k = 0; k < size; ++k) out[k * stride] /= sum;
  }
};

// x - largest - log(sum of exponentials): near 0 all digits cancel but those that the steps round.
struct LogSoftmax {
  static void compute(const Line& line, const Steps& rounded) {
    const auto [in, out, size, stride] = line;
    const double largest = line.largest();
    double sum = 0;
    for (std::int64_t k = 0; k < size; ++k) {
      out[k * stride] = rounded(in[k * stride] - largest);
      sum = rounded(sum + rounded.library(std::exp(out[k * stride]), kExpUlps));
    }
    const double logarithm = rounded.library(std::log(sum), kExpUlps);
    for (std::int64_t k = 0; k < size; ++k) out[k * stride] -= logarithm;
  }
};

template <class Op>
std::optional<Tensor> eval_softmax(const Tensor& data, const SoftmaxAttrs& attrs, EvalContext& context) {
  const Ints shape = data.shape();
  const int axis = runtime_axis(attrs.axis, shape.size());
  if (axis < 0 || !is_float(data.dtype)) return std::nullopt;
  const AxisSplit split = split_at(shape, axis);
  if (data.size() == 0) return data;
  Tensor::Floats result = float_array(shape);
  const Steps rounded(data.dtype, context.rounding);
  for_each_line(split, [&](std::int64_t at) {
    Op::compute({data.floats().data() + at, result.data() + at, split.size, split.inner}, rounded);
  });
  return round_floats(data.dtype, std::move(result), context.rounding);
}

std::optional<CallDraft> generate_softmax(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kFloatDTypes, 1, 4, Known::rank);
  if (!data) return std::nullopt;
  return CallDraft({data->expr}, SoftmaxAttrs{choices.flip() ? draw_axis(choices, data->rank()) : -1});
}

template <class Op>
OpDef row(std::string_view name, double ulps) {
  return op<infer_softmax, eval_softmax<Op>, generate_softmax>(name, {"data"}, {.ulps = ulps});
}

}  // namespace

std::vector<OpDef> softmax_rows() {
  // exp, a sum and a division, each rounded to the dtype (topi/nn/softmax.h); exp itself owes a few ulps.
  return {row<Softmax>("relax.nn.softmax", 16), row<LogSoftmax>("relax.nn.log_softmax", 4)};
}

}  // namespace passdiff
