// one_hot: integers as rows of one `on` among `off`.
#include "core/ops/draw.h"
#include "core/ops/literal.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct OneHotAttrs {
  std::int64_t depth = 1;
  std::int64_t axis = -1;
  static constexpr auto fields() {
    return std::tuple(required("depth", &OneHotAttrs::depth), field("axis", &OneHotAttrs::axis));
  }
};

Result<TensorType> infer_one_hot(const TensorType& indices, const PrimType& on, const PrimType& off,
                                 const OneHotAttrs& attrs) {
  if (on.dtype != off.dtype || (indices.dtype && !is_integer(*indices.dtype)) || attrs.depth <= 0)
    return Error{"type.operand", "one_hot: operands of the wrong dtype, or no depth"};
  const int rank = indices.rank == kUnknownRank ? kUnknownRank : indices.rank + 1;
  if (!indices.shape) return make_tensor_type(std::nullopt, rank, on.dtype, indices.vdevice);
  Shape shape = *indices.shape;
  shape.insert(shape.begin() + TRY(normalise_axis(attrs.axis, rank)), Dim(attrs.depth));
  return make_tensor_type(std::move(shape), rank, on.dtype, indices.vdevice);
}

// The two values as a tensor.
Tensor pair_of(const ScalarValue& first, const ScalarValue& second) {
  Tensor pair = zeros(first.dtype, {{2}});
  const auto set = [&]<class T>(xt::xarray<T>& values) {
    const auto as_element = [](auto number) { return static_cast<T>(number); };
    values.data()[0] = std::visit(as_element, first.value);
    values.data()[1] = std::visit(as_element, second.value);
  };
  std::visit(set, pair.values);
  return pair;
}

// A row whose index is negative or not below `depth` is all `off`.
std::optional<Tensor> eval_one_hot(const Tensor& indices, const ScalarValue& on, const ScalarValue& off,
                                   const OneHotAttrs& attrs) {
  Ints shape = indices.shape(), storage;
  const int axis = runtime_axis(attrs.axis, shape.size() + 1);
  if (axis < 0 || is_float(indices.dtype)) return std::nullopt;
  shape.insert(shape.begin() + axis, attrs.depth);
  const AxisSplit split = split_at(shape, axis);
  const std::span<const std::int64_t> hot = ints_of(indices, storage);
  return from_places(pair_of(off, on), shape, 0, [&](std::int64_t i, std::span<const std::int64_t> at) {
    const std::int64_t row = i / (split.size * split.inner) * split.inner + i % split.inner;
    return std::int64_t{hot[static_cast<std::size_t>(row)] == at[static_cast<std::size_t>(axis)]};
  });
}

std::optional<CallDraft> generate_one_hot(Choices& choices, Scope& scope) {
  OneHotAttrs attrs{choices.integer(1, 4)};
  const FillSpec fill{.fill = Fill::indices, .limit = attrs.depth + 1, .allow_negative = true};
  constexpr DType kIndices[] = {DType::int64, DType::int32, DType::int8,
                                DType::uint8, DType::int16, DType::uint64};
  Want want{.dtype = choices.pick(kIndices), .max_rank = 4, .fill = fill};
  if (is_unsigned_int(*want.dtype)) want.fill.allow_negative = false;
  const std::optional<Drawn> indices = draw_operand(choices, scope, want);
  if (!indices || element_count(indices->dims) * attrs.depth > kMaxResult) return std::nullopt;
  // TVM's kernel knows no negative axis but -1 (one_hot in topi/transform.h).
  attrs.axis = choices.integer(0, indices->rank() + 1) - 1;
  const DType floating = scope.float_dtype(choices);
  const DType dtype = choices.flip() && kFloatDTypes.has(floating) ? floating : DType::int64;
  const auto draw_value = [&](std::int64_t usual) {
    const std::int64_t value = choices.one_in(3) ? choices.integer(0, 8) - 4 : usual;
    return is_float(dtype) ? make_expr(PrimValue{dtype, static_cast<double>(value) / 2}, prim_type(dtype))
                           : make_prim(value);
  };
  const ExprPtr on = draw_value(2);
  return CallDraft({indices->expr, on, draw_value(0)}, attrs);
}

}  // namespace

std::vector<OpDef> one_hot_rows() {
  return {op<infer_one_hot, eval_one_hot, generate_one_hot>("relax.one_hot",
                                                            {"indices", "on_value", "off_value"})};
}

}  // namespace passdiff
