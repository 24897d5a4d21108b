#include "core/ops/norm.h"

#include "core/ops/strided.h"

namespace passdiff {

Error norm_dtype_error(const TensorType& type) {
  return Error{"type.dtype",
               "a norm of " + std::string(type.dtype ? dtype_name(*type.dtype) : "an unknown dtype")};
}

std::optional<Error> check_norm_parameters(const TensorType& data,
                                           std::initializer_list<const TensorType*> parameters,
                                           std::size_t rank) {
  for (const TensorType* parameter : parameters) {
    if (parameter->dtype != data.dtype) return norm_dtype_error(*parameter);
    if (parameter->rank != static_cast<int>(rank))
      return Error{"type.rank", "a norm's parameter is of rank " + std::to_string(parameter->rank)};
  }
  return std::nullopt;
}

Error norm_length_error(const Dim& a, const Dim& b) {
  return Error{"type.norm", "a norm's sizes " + to_string(a) + " and " + to_string(b) + " differ"};
}

Result<Type> infer_norm_along(const AnyTensor& any, std::initializer_list<const TensorType*> parameters,
                              const Ints& axes) {
  const TensorType& data = any.tensor;
  std::vector<int> along;
  if (data.rank != kUnknownRank) along = TRY(normalise_axes(axes, data.rank));
  if (data.dtype && !is_float(*data.dtype)) return norm_dtype_error(data);
  TRY_VOID(check_norm_parameters(data, parameters, axes.size()));
  std::vector<Shape> lengths;
  if (data.shape) {
    lengths.emplace_back();
    for (const int axis : along) lengths[0].push_back((*data.shape)[static_cast<std::size_t>(axis)]);
  }
  for (const TensorType* parameter : parameters) {
    if (parameter->shape) lengths.push_back(*parameter->shape);
  }
  for (std::size_t i = 1; i < lengths.size(); ++i) {
    for (std::size_t d = 0; d < axes.size(); ++d) {
      if (proven_different(lengths[0][d], lengths[i][d]))
        return norm_length_error(lengths[0][d], lengths[i][d]);
      if (!proven_equal(lengths[0][d], lengths[i][d])) return Type(of_unknown_shape(data, data.rank));
    }
  }
  return any.type;
}

std::vector<std::size_t> parameter_places(const Ints& dims, const Ints& axes) {
  std::vector<WalkAxis> steps;
  for (const std::int64_t size : dims) steps.push_back({size, 0});
  std::int64_t stride = 1;
  for (std::size_t i = axes.size(); i-- > 0;) {
    WalkAxis& step = steps[static_cast<std::size_t>(runtime_axis(axes[i], dims.size()))];
    step.stride = stride;
    stride *= step.size;
  }
  std::vector<std::size_t> places;
  walk(steps, element_count(dims),
       [&](std::int64_t place) { places.push_back(static_cast<std::size_t>(place)); });
  return places;
}

double draw_epsilon(Choices& choices) {
  constexpr double kEpsilons[] = {1e-5, 1e-3, 0.5};
  return choices.pick(kEpsilons);
}

std::optional<CallDraft> with_parameters(Choices& choices, Scope& scope, const Drawn& data,
                                         const Shape& shape, std::initializer_list<Fill> fills, Attrs attrs) {
  std::vector<ExprPtr> operands{data.expr};
  for (const Fill fill : fills) {
    const std::optional<Drawn> parameter =
        draw_operand(choices, scope, Want{.dtype = data.dtype(), .shape = shape, .fill = {.fill = fill}});
    if (!parameter) return std::nullopt;
    operands.push_back(parameter->expr);
  }
  return CallDraft(std::move(operands), std::move(attrs));
}

std::optional<Drawn> draw_norm_data(Choices& choices, Scope& scope, DTypes dtypes, int min_rank) {
  std::optional<Drawn> data = draw_operand(choices, scope, dtypes, min_rank, 4);
  if (data && element_count(data->dims) == 0) return std::nullopt;
  return data;
}

}  // namespace passdiff
