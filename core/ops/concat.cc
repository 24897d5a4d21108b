// concat, stack: several tensors into one.
#include <algorithm>

#include "core/ops/attr_access.h"
#include "core/ops/infer.h"
#include "core/ops/layout.h"
#include "core/ops/operand.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

using Tensors = std::vector<const TensorType*>;

// The common dtype (unknown if one is) and vdevice (none if two differ).
Result<TensorType> common_traits(std::string_view op, const Tensors& tensors) {
  TensorType common;
  bool untyped = false;
  bool mixed_devices = false;
  for (const TensorType* type : tensors) {
    if (!type->dtype) {
      untyped = true;
    } else if (common.dtype && *common.dtype != *type->dtype) {
      return Error{"type.dtype", std::string(op) + ": dtypes " + std::string(dtype_name(*common.dtype)) +
                                     " and " + std::string(dtype_name(*type->dtype)) + " differ"};
    } else {
      common.dtype = type->dtype;
    }
    if (!type->vdevice) continue;
    if (common.vdevice && *common.vdevice != *type->vdevice) mixed_devices = true;
    common.vdevice = common.vdevice ? common.vdevice : type->vdevice;
  }
  if (untyped) common.dtype = std::nullopt;
  if (mixed_devices) common.vdevice = std::nullopt;
  return common;
}

// Compares the known shapes on every axis but `except` (-1: none). False if some sizes are not shown equal.
Result<bool> agree_except(std::string_view op, const Tensors& tensors, int except) {
  const Shape* first = nullptr;
  bool shown = true;
  for (const TensorType* type : tensors) {
    if (!type->shape) {
      shown = false;
      continue;
    }
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

Error rank_error(std::string_view op, int a, int b) {
  return {"type.rank",
          std::string(op) + ": ranks " + std::to_string(a) + " and " + std::to_string(b) + " differ"};
}

Result<Type> infer_concat(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<Tensors> operand = tensors_operand(args, 0);
  if (!operand) return operand.error();
  const Tensors& tensors = *operand;
  if (tensors.empty()) return Error{"type.arity", "concat: no tensors"};
  Result<TensorType> traits = common_traits("concat", tensors);
  if (!traits) return traits.error();
  const std::int64_t* given = optional_attr<std::int64_t>(attrs, 0);
  // Without an axis TVM infers for rank 1 (and compiles nothing).
  int rank = given ? kUnknownRank : 1;
  for (const TensorType* type : tensors) {
    if (rank == kUnknownRank) {
      rank = type->rank;
    } else if (type->rank != kUnknownRank && type->rank != rank) {
      return rank_error("concat", rank, type->rank);
    }
  }
  TensorType result = *std::move(traits);
  result.rank = rank;
  if (rank == kUnknownRank) return tensors.size() == 1 ? Type(*tensors[0]) : Type(result);
  const Result<int> axis = normalise_axis(given ? *given : 0, rank);
  if (!axis) return axis.error();
  if (tensors.size() == 1) return Type(*tensors[0]);
  const Result<bool> agree = agree_except("concat", tensors, *axis);
  if (!agree) return agree.error();
  if (!*agree) return Type(result);
  result.shape = tensors[0]->shape;
  Dim& total = (*result.shape)[static_cast<std::size_t>(*axis)];
  for (std::size_t i = 1; i < tensors.size(); ++i) {
    total = total + (*tensors[i]->shape)[static_cast<std::size_t>(*axis)];
  }
  return Type(result);
}

// Copies blocks of each tensor in turn: `shape` is the result's, `axis` where they are joined.
Value join(std::span<const Value> tensors, std::span<const std::int64_t> shape, int axis) {
  Tensor result = zeros(tensors[0].tensor().dtype, shape);
  const AxisSplit whole = split_at(shape, axis);
  std::visit(
      [&](auto& to) {
        std::int64_t filled = 0;
        for (const Value& value : tensors) {
          const auto& from = std::get<std::decay_t<decltype(to)>>(value.tensor().values);
          const std::int64_t block =
              whole.outer == 0 ? 0 : static_cast<std::int64_t>(from.size()) / whole.outer;
          for (std::int64_t outer = 0; outer < whole.outer; ++outer) {
            std::copy_n(from.data() + outer * block, block,
                        to.data() + outer * whole.size * whole.inner + filled);
          }
          filled += block;
        }
      },
      result.values);
  return make_tensor(std::move(result));
}

// True if all have the first one's dtype and shape, `except` apart.
bool fit_together(std::span<const Value> tensors, int except) {
  const Tensor& first = tensors[0].tensor();
  const std::vector<std::int64_t> shape = first.shape();
  for (const Value& value : tensors) {
    const std::vector<std::int64_t> other = value.tensor().shape();
    if (value.tensor().dtype != first.dtype || other.size() != shape.size()) return false;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (static_cast<int>(i) != except && shape[i] != other[i]) return false;
    }
  }
  return true;
}

Value eval_concat(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const std::vector<Value>& tensors = args[0].tuple().fields;
  std::vector<std::int64_t> shape = tensors[0].tensor().shape();
  const std::int64_t* given = optional_attr<std::int64_t>(attrs, 0);
  const int axis = runtime_axis(given ? *given : 0, shape.size());
  if (axis < 0 || !fit_together(tensors, axis)) return misfit(context);
  std::int64_t& total = shape[static_cast<std::size_t>(axis)];
  for (std::size_t i = 1; i < tensors.size(); ++i) {
    total += static_cast<std::int64_t>(tensors[i].tensor().shape()[static_cast<std::size_t>(axis)]);
  }
  return join(tensors, shape, axis);
}

ExprPtr tuple_of(std::vector<ExprPtr> fields) {
  std::vector<Type> types;
  for (const ExprPtr& field : fields) types.push_back(field->type);
  return make_expr(Tuple{std::move(fields)}, tuple_type(std::move(types)));
}

// Partners of `first` of the same dtype, and of the same shape but for `axis` (-1: not even that).
std::optional<ExprPtr> draw_tuple(Choices& choices, Scope& scope, const Drawn& first, int count, int axis) {
  std::vector<ExprPtr> fields{first.expr};
  while (std::ssize(fields) < count) {
    Shape shape = *first.type.shape;
    if (axis >= 0 && choices.flip()) shape[static_cast<std::size_t>(axis)] = scope.dim(choices);
    const Want want{.dtype = first.dtype(), .shape = std::move(shape)};
    const std::optional<Drawn> other = draw_operand(choices, scope, want);
    if (!other) return std::nullopt;
    fields.push_back(other->expr);
  }
  return tuple_of(std::move(fields));
}

std::optional<CallDraft> generate_concat(Choices& choices, Scope& scope) {
  const std::optional<Drawn> first = draw_operand(choices, scope, kAllDTypes, 1, 4);
  if (!first) return std::nullopt;
  constexpr unsigned kCountWeights[] = {6, 3, 1};
  constexpr int kCounts[] = {2, 3, 1};
  const int count = kCounts[choices.weighted(kCountWeights)];
  if (element_count(first->dims) * count > kMaxResult) return std::nullopt;
  const std::int64_t axis = choices.flip() ? draw_axis(choices, first->rank()) : 0;
  const std::optional<ExprPtr> tuple =
      draw_tuple(choices, scope, *first, count, runtime_axis(axis, first->dims.size()));
  if (!tuple) return std::nullopt;
  return CallDraft{{*tuple}, {axis}};
}

Result<Type> infer_stack(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<Tensors> operand = tensors_operand(args, 0);
  if (!operand) return operand.error();
  const Tensors& tensors = *operand;
  if (tensors.empty()) return Error{"type.arity", "stack: no tensors"};
  Result<TensorType> traits = common_traits("stack", tensors);
  if (!traits) return traits.error();
  for (const TensorType* type : tensors) {
    if (type->rank != kUnknownRank && type->rank != tensors[0]->rank) {
      return rank_error("stack", tensors[0]->rank, type->rank);
    }
  }
  TensorType result = *std::move(traits);
  result.rank = tensors[0]->rank + 1;
  const std::int64_t* given = optional_attr<std::int64_t>(attrs, 0);
  // If the first rank is unknown this is rank 0, which has no axis: TVM rejects it by the same accident.
  const Result<int> axis = normalise_axis(given ? *given : 0, result.rank);
  if (!axis) return axis.error();
  const Result<bool> agree = agree_except("stack", tensors, -1);
  if (!agree) return agree.error();
  if (!*agree) return Type(result);
  result.shape = tensors[0]->shape;
  result.shape->insert(result.shape->begin() + *axis, Dim(static_cast<std::int64_t>(tensors.size())));
  return Type(result);
}

Value eval_stack(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const std::vector<Value>& tensors = args[0].tuple().fields;
  std::vector<std::int64_t> shape = tensors[0].tensor().shape();
  const std::int64_t* given = optional_attr<std::int64_t>(attrs, 0);
  const int axis = runtime_axis(given ? *given : 0, shape.size() + 1);
  if (axis < 0 || !fit_together(tensors, -1)) return misfit(context);
  shape.insert(shape.begin() + axis, std::ssize(tensors));
  return join(tensors, shape, axis);
}

std::optional<CallDraft> generate_stack(Choices& choices, Scope& scope) {
  const std::optional<Drawn> first = draw_operand(choices, scope, kAllDTypes, 0, kMaxDrawnRank - 1);
  if (!first) return std::nullopt;
  const int count = static_cast<int>(choices.index(3)) + 1;
  if (element_count(first->dims) * count > kMaxResult) return std::nullopt;
  const std::int64_t axis = choices.flip() ? draw_axis(choices, first->rank() + 1) : 0;
  const std::optional<ExprPtr> tuple = draw_tuple(choices, scope, *first, count, -1);
  if (!tuple) return std::nullopt;
  return CallDraft{{*tuple}, {axis}};
}

const Param kJoinParams[] = {
    {"tensors", ParamKind::tensors},
    {"axis", ParamKind::attr_int, true, AttrValue(std::int64_t{0})},
};

}  // namespace

std::span<const OpDef> concat_rows() {
  static const OpDef kRows[] = {
      {{"relax.concat"},
       .params = kJoinParams,
       .traits = Trait::data_movement,
       .infer = infer_concat,
       .eval = eval_concat,
       .generate = generate_concat},
      {{"relax.stack"},
       .params = kJoinParams,
       .traits = Trait::data_movement,
       .infer = infer_stack,
       .eval = eval_stack,
       .generate = generate_stack},
  };
  return kRows;
}

}  // namespace passdiff
