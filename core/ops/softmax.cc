// nn.softmax.
#include <algorithm>
#include <cmath>

#include "core/ops/attr_access.h"
#include "core/ops/family.h"
#include "core/ops/infer.h"
#include "core/ops/numeric.h"
#include "core/ops/operand.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

Result<Type> infer_softmax(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<const TensorType*> operand = tensor_operand(args, 0);
  if (!operand) return operand.error();
  const TensorType& data = **operand;
  // TVM looks at dtype and axis only if the rank is known.
  if (data.rank == kUnknownRank) return args[0]->type;
  if (data.dtype && !is_float(*data.dtype)) {
    return Error{"type.dtype", "nn.softmax: " + std::string(dtype_name(*data.dtype)) + " is no float dtype"};
  }
  const Result<int> axis = normalise_axis(attr<std::int64_t>(attrs, 0), data.rank);
  if (!axis) return axis.error();
  return args[0]->type;
}

// One line: the largest element is subtracted first, as in topi/nn/softmax.h. A NaN or +inf makes all of it
// NaN.
void soften(const double* in, double* out, std::int64_t size, std::int64_t stride) {
  double largest = -INFINITY;
  for (std::int64_t k = 0; k < size; ++k) largest = std::max(largest, in[k * stride]);
  double sum = 0;
  for (std::int64_t k = 0; k < size; ++k) {
    out[k * stride] = std::exp(in[k * stride] - largest);
    sum += out[k * stride];
  }
  for (std::int64_t k = 0; k < size; ++k) out[k * stride] /= sum;
}

Value eval_softmax(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const Tensor& data = args[0].tensor();
  const std::vector<std::int64_t> shape = data.shape();
  const int axis = runtime_axis(attr<std::int64_t>(attrs, 0), shape.size());
  if (axis < 0 || !is_float(data.dtype)) return misfit(context);
  const AxisSplit split = split_at(shape, axis);
  if (data.size() == 0) return args[0];
  const double* in = data.floats().data();
  Tensor::Floats result = float_array(shape);
  for (std::int64_t outer = 0; outer < split.outer; ++outer) {
    for (std::int64_t inner = 0; inner < split.inner; ++inner) {
      const std::int64_t at = outer * split.size * split.inner + inner;
      soften(in + at, result.data() + at, split.size, split.inner);
    }
  }
  return make_tensor(round_floats(data.dtype, std::move(result), context.rounding));
}

std::optional<CallDraft> generate_softmax(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kFloatDTypes, 1, 4, Known::rank);
  if (!data) return std::nullopt;
  const std::int64_t axis = choices.flip() ? draw_axis(choices, data->rank()) : -1;
  return CallDraft{{data->expr}, {axis}};
}

const Param kSoftmaxParams[] = {
    {"data", ParamKind::tensor},
    {"axis", ParamKind::attr_int, false, AttrValue(std::int64_t{-1})},
};

}  // namespace

std::span<const OpDef> softmax_ops() {
  static const OpDef kRows[] = {
      // exp, a sum and a division, each rounded to the dtype (topi/nn/softmax.h); exp itself owes a few ulps.
      {{"relax.nn.softmax"},
       .params = kSoftmaxParams,
       .ulps = 16,
       .infer = infer_softmax,
       .eval = eval_softmax,
       .generate = generate_softmax},
  };
  return kRows;
}

}  // namespace passdiff
