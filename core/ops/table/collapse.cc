// collapse_sum_like, collapse_sum_to: the sum that undoes a broadcast.
#include "core/ops/draw.h"
#include "core/ops/literal.h"
#include "core/ops/numeric.h"
#include "core/ops/reduce.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

// Fails with type.shape where a size is neither kept nor 1 in the target. Axes that only the target has go
// unseen, as in TVM.
std::optional<Error> check_collapse(const std::optional<Shape>& from, const std::optional<Shape>& to) {
  for (std::size_t i = 1; from && to && i <= std::min(from->size(), to->size()); ++i) {
    const Dim& kept = (*to)[to->size() - i];
    if ((kept.is_static() && kept.value() == 1) || proven_equal((*from)[from->size() - i], kept)) continue;
    return Error{"type.shape",
                 "collapse_sum: size " + to_string((*from)[from->size() - i]) + " to " + to_string(kept)};
  }
  return std::nullopt;
}

Result<TensorType> infer_collapse_like(const TensorType& data, const TensorType& target) {
  TRY_VOID(check_collapse(data.shape, target.shape));
  return make_tensor_type(target.shape, target.rank, data.dtype, target.vdevice);
}

Result<TensorType> infer_collapse_to(const TensorType& data, const ShapeArg& shape) {
  TRY_VOID(check_collapse(data.shape, shape.type.values));
  return make_tensor_type(shape.type.values, shape.type.rank, data.dtype, data.vdevice);
}

// The axes that are summed: those that the target lacks, and those that it has with size 1.
std::optional<Ints> collapsed_axes(std::span<const std::int64_t> from, std::span<const std::int64_t> to) {
  if (to.size() > from.size()) return std::nullopt;
  Ints axes;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const bool leading = i < from.size() - to.size();
    const std::int64_t kept = leading ? 1 : to[i - (from.size() - to.size())];
    if (leading || (kept == 1 && from[i] != 1)) axes.push_back(static_cast<std::int64_t>(i));
    if (kept != 1 && kept != from[i]) return std::nullopt;
  }
  return axes;
}

// Over no elements the sum is 0; TVM's kernel leaves whatever was in memory (measured).
std::optional<Tensor> collapsed(const Tensor& x, std::span<const std::int64_t> shape, EvalContext& context) {
  const std::optional<Ints> axes = collapsed_axes(x.shape(), shape);
  if (!axes) return std::nullopt;
  const Reduction r = reduction_of(x.shape(), axes, true).value();
  if (is_float(x.dtype)) {
    const std::vector<double> sums = fold(x.floats(), r, 0.0, [](double& to, double next) { to += next; });
    Tensor::Floats values = float_array(shape);
    std::copy(sums.begin(), sums.end(), values.data());
    return round_floats(x.dtype, std::move(values), context.rounding);
  }
  Ints storage;
  IntResult result(x.dtype, shape);
  const auto sums =
      fold(ints_of(x, storage), r, ExactInt{}, [](ExactInt& to, std::int64_t next) { to.add(next); });
  for (std::size_t i = 0; i < sums.size(); ++i) result.set(i, sums[i]);
  return std::move(result).finish("collapse_sum", context.log);
}

std::optional<Tensor> eval_collapse_like(const Tensor& data, const Tensor& target, EvalContext& context) {
  return collapsed(data, target.shape(), context);
}

std::optional<Tensor> eval_collapse_to(const Tensor& data, const ShapeValue& shape, EvalContext& context) {
  return collapsed(data, shape.dims, context);
}

// The shape without some leading axes, others of size 1.
Shape draw_collapse(Choices& choices, const Drawn& data) {
  const std::size_t lost = choices.index(data.dims.size() + 1);
  Shape shape(data.type.shape->begin() + static_cast<std::ptrdiff_t>(lost), data.type.shape->end());
  for (Dim& dim : shape) dim = choices.one_in(3) ? Dim(1) : dim;
  return shape;
}

template <bool like>
std::optional<CallDraft> generate_collapse(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) {
    const ExprPtr data = full_constant(scope, DType::int32, {2, 2}, std::int64_t{1} << 30);
    const ExprPtr target = full_constant(scope, DType::int32, {1}, std::int64_t{0});
    return CallDraft({data, like ? target : make_shape({Dim(1)})});
  }
  // TVM adds no bools.
  const std::optional<Drawn> data = draw_operand(choices, scope, kNumericDTypes, 0, kMaxDrawnRank);
  if (!data || element_count(data->dims) == 0) return std::nullopt;
  Shape shape = draw_collapse(choices, *data);
  if (!like) return CallDraft({data->expr, make_shape(std::move(shape))});
  const auto target =
      draw_operand(choices, scope, {.dtype = scope.dtype(choices), .shape = std::move(shape)});
  return target ? std::optional(CallDraft({data->expr, target->expr})) : std::nullopt;
}

// Sums accumulate in the operand's dtype in TVM: up to half an ulp of the running value per element.
constexpr Claims kSum{.undefined = kOverflow, .multilinear = true, .ulps = 8};

}  // namespace

std::vector<OpDef> collapse_rows() {
  return {
      op<infer_collapse_like, eval_collapse_like, generate_collapse<true>>("relax.collapse_sum_like",
                                                                           {"data", "collapse_target"}, kSum),
      op<infer_collapse_to, eval_collapse_to, generate_collapse<false>>("relax.collapse_sum_to",
                                                                        {"data", "shape"}, kSum),
  };
}

}  // namespace passdiff
