// concat, stack: several tensors into one.
#include <algorithm>

#include "core/ops/draw.h"
#include "core/ops/literal.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct JoinAttrs {
  std::optional<std::int64_t> axis = 0;
  static constexpr auto fields() { return std::tuple(field("axis", &JoinAttrs::axis)); }
};

// A type with the common dtype (unknown if one is) and vdevice (none if two differ), and of unknown shape.
Result<TensorType> common_type(std::string_view op, const TensorTypes& tensors) {
  if (tensors.empty()) return Error{"type.arity", std::string(op) + ": no tensors"};
  TensorType common;
  bool typed = true;
  bool one_device = true;
  for (const TensorType* type : tensors) {
    if (!common.dtype) common.dtype = type->dtype;
    if (!common.vdevice) common.vdevice = type->vdevice;
    if (type->dtype && type->dtype != common.dtype) {
      return Error{"type.dtype", std::string(op) + ": dtypes " + std::string(dtype_name(*common.dtype)) +
                                     " and " + std::string(dtype_name(*type->dtype)) + " differ"};
    }
    typed = typed && type->dtype;
    one_device = one_device && (!type->vdevice || type->vdevice == common.vdevice);
  }
  if (!typed) common.dtype = std::nullopt;
  if (!one_device) common.vdevice = std::nullopt;
  return common;
}

// Fails with type.rank if a known rank is not `rank`.
std::optional<Error> check_ranks(std::string_view op, const TensorTypes& tensors, int rank) {
  for (const TensorType* type : tensors) {
    if (type->rank == kUnknownRank || type->rank == rank) continue;
    return Error{"type.rank", std::string(op) + ": ranks " + std::to_string(rank) + " and " +
                                  std::to_string(type->rank) + " differ"};
  }
  return std::nullopt;
}

// Compares the known shapes, of one rank, on every axis but `except` (-1: none). False if some sizes are not shown equal.
Result<bool> agree_except(std::string_view op, const TensorTypes& tensors, int except) {
  const Shape* first = nullptr;
  bool shown = true;
  for (const TensorType* type : tensors) {
    shown = shown && type->shape;
    if (!type->shape) continue;
    if (!first) first = &*type->shape;
    for (std::size_t i = 0; i < first->size(); ++i) {
      const Dim& a = (*first)[i];
      const Dim& b = (*type->shape)[i];
      if (static_cast<int>(i) == except) continue;
      if (proven_different(a, b)) {
        return Error{"type.shape", std::string(op) + ": sizes " + to_string(a) + " and " + to_string(b) +
                                       " on axis " + std::to_string(i) + " differ"};
      }
      shown = shown && proven_equal(a, b);
    }
  }
  return shown;
}

Result<TensorType> infer_concat(const TensorTypes& tensors, const JoinAttrs& attrs) {
  TensorType result = TRY(common_type("concat", tensors));
  // Without an axis TVM infers for rank 1 (and compiles nothing).
  if (!attrs.axis) result.rank = 1;
  for (const TensorType* type : tensors) {
    if (result.rank == kUnknownRank) result.rank = type->rank;
  }
  TRY_VOID(check_ranks("concat", tensors, result.rank));
  if (result.rank == kUnknownRank) return result;
  const int axis = TRY(normalise_axis(attrs.axis.value_or(0), result.rank));
  if (tensors.size() == 1) return *tensors[0];
  if (!TRY(agree_except("concat", tensors, axis))) return result;
  Shape shape = *tensors[0]->shape;
  Dim& total = shape[static_cast<std::size_t>(axis)];
  for (std::size_t i = 1; i < tensors.size(); ++i) {
    total = total + (*tensors[i]->shape)[static_cast<std::size_t>(axis)];
  }
  return of_shape(result, std::move(shape));
}

Result<TensorType> infer_stack(const TensorTypes& tensors, const JoinAttrs& attrs) {
  TensorType result = TRY(common_type("stack", tensors));
  TRY_VOID(check_ranks("stack", tensors, tensors[0]->rank));
  // If the first rank is unknown this is rank 0, which has no axis: TVM rejects it by the same accident.
  result.rank = tensors[0]->rank + 1;
  const int axis = TRY(normalise_axis(attrs.axis.value_or(0), result.rank));
  if (!TRY(agree_except("stack", tensors, -1))) return result;
  Shape shape = *tensors[0]->shape;
  shape.insert(shape.begin() + axis, Dim(std::ssize(tensors)));
  return of_shape(result, std::move(shape));
}

// The result has the shape that `infer` says. In it the tensors' elements take turns: for each index along the axes
// before the one where they are joined, a block of each tensor.
template <Result<TensorType> (*infer)(const TensorTypes&, const JoinAttrs&)>
std::optional<Tensor> eval_join(const Tensors& tensors, const JoinAttrs& attrs) {
  std::vector<TensorType> types;
  TensorTypes operands;
  for (const Tensor* tensor : tensors) types.push_back(exact_type(*tensor));
  for (const TensorType& type : types) operands.push_back(&type);
  const std::int64_t axis = attrs.axis.value_or(0);
  const std::optional<Ints> shape = exact_shape(infer(operands, JoinAttrs{axis}));
  if (!shape) return std::nullopt;
  const std::int64_t turns = split_at(*shape, runtime_axis(axis, shape->size())).outer;
  Tensor result = zeros(tensors[0]->dtype, *shape);
  const auto copy_blocks = [&]<class Elements>(Elements& to) {
    auto* next = to.data();
    for (std::int64_t turn = 0; turn < turns; ++turn) {
      for (const Tensor* tensor : tensors) {
        const std::int64_t block = static_cast<std::int64_t>(tensor->size()) / turns;
        next = std::copy_n(std::get<Elements>(tensor->values).data() + turn * block, block, next);
      }
    }
  };
  std::visit(copy_blocks, result.values);
  return result;
}

// Joins `first` and tensors of its dtype: along an axis of theirs, where their sizes may differ, or along a new one.
std::optional<CallDraft> draw_join(Choices& choices, Scope& scope, const Drawn& first, int count,
                                   bool new_axis) {
  if (element_count(first.dims) * count > kMaxResult) return std::nullopt;
  const std::int64_t axis = choices.flip() ? draw_axis(choices, first.rank() + (new_axis ? 1 : 0)) : 0;
  const int along = new_axis ? -1 : runtime_axis(axis, first.dims.size());
  std::vector<ExprPtr> fields{first.expr};
  while (std::ssize(fields) < count) {
    Shape shape = *first.type.shape;
    if (along >= 0 && choices.flip()) shape[static_cast<std::size_t>(along)] = scope.dim(choices);
    const Want want{.dtype = first.dtype(), .shape = std::move(shape)};
    const std::optional<Drawn> other = draw_operand(choices, scope, want);
    if (!other) return std::nullopt;
    fields.push_back(other->expr);
  }
  return CallDraft({make_tuple(std::move(fields))}, JoinAttrs{axis});
}

std::optional<CallDraft> generate_concat(Choices& choices, Scope& scope) {
  const std::optional<Drawn> first = draw_operand(choices, scope, kAllDTypes, 1, 4);
  if (!first) return std::nullopt;
  constexpr unsigned kCountWeights[] = {6, 3, 1};
  constexpr int kCounts[] = {2, 3, 1};
  return draw_join(choices, scope, *first, kCounts[choices.weighted(kCountWeights)], false);
}

std::optional<CallDraft> generate_stack(Choices& choices, Scope& scope) {
  const std::optional<Drawn> first = draw_operand(choices, scope, kAllDTypes, 0, kMaxDrawnRank - 1);
  if (!first) return std::nullopt;
  return draw_join(choices, scope, *first, static_cast<int>(choices.index(3)) + 1, true);
}

}  // namespace

std::vector<OpDef> concat_rows() {
  return {
      op<infer_concat, eval_join<infer_concat>, generate_concat>("relax.concat", {"tensors"}, {.weight = 3}),
      op<infer_stack, eval_join<infer_stack>, generate_stack>("relax.stack", {"tensors"}),
  };
}

}  // namespace passdiff
