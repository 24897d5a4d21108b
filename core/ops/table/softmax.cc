// nn.softmax.
#include <algorithm>
#include <cmath>

#include "core/ops/draw.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
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
  if (tensor.dtype && !is_float(*tensor.dtype)) {
    return Error{"type.dtype",
                 "nn.softmax: " + std::string(dtype_name(*tensor.dtype)) + " is no float dtype"};
  }
  TRY(normalise_axis(attrs.axis, tensor.rank));
  return type;
}

// One line: the largest element is subtracted first, as in topi/nn/softmax.h. A NaN or +inf makes all of it NaN.
void soften(const double* in, double* out, std::int64_t size, std::int64_t stride) {
  double largest = -INFINITY;
  for (std::int64_t k = 0; k < size; ++k) largest = std::max(largest, in[k * stride]);
  double sum = 0;
  for (std::int64_t k = 0; k < size; ++k) sum += out[k * stride] = std::exp(in[k * stride] - largest);
  for (std::int64_t k = 0; k < size; ++k) out[k * stride] /= sum;
}

std::optional<Tensor> eval_softmax(const Tensor& data, const SoftmaxAttrs& attrs, EvalContext& context) {
  const Ints shape = data.shape();
  const int axis = runtime_axis(attrs.axis, shape.size());
  if (axis < 0 || !is_float(data.dtype)) return std::nullopt;
  const AxisSplit split = split_at(shape, axis);
  Tensor::Floats result = float_array(shape);
  if (data.size() == 0) return Tensor{data.dtype, std::move(result)};
  for (std::int64_t line = 0; line < split.outer * split.inner; ++line) {
    const std::int64_t at = line / split.inner * split.size * split.inner + line % split.inner;
    soften(data.floats().data() + at, result.data() + at, split.size, split.inner);
  }
  return round_floats(data.dtype, std::move(result), context.rounding);
}

std::optional<CallDraft> generate_softmax(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kFloatDTypes, 1, 4, Known::rank);
  if (!data) return std::nullopt;
  return CallDraft({data->expr}, SoftmaxAttrs{choices.flip() ? draw_axis(choices, data->rank()) : -1});
}

}  // namespace

std::vector<OpDef> softmax_rows() {
  // exp, a sum and a division, each rounded to the dtype (topi/nn/softmax.h); exp itself owes a few ulps.
  return {op<infer_softmax, eval_softmax, generate_softmax>("relax.nn.softmax", {"data"}, {.ulps = 16})};
}

}  // namespace passdiff
