// permute_dims, expand_dims, squeeze, flip.
#include <algorithm>
#include <numeric>

#include "core/ops/attr_access.h"
#include "core/ops/infer.h"
#include "core/ops/layout.h"
#include "core/ops/operand.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

Type unknown_shape(const TensorType& data, int rank) {
  return make_tensor_type(std::nullopt, rank, data.dtype, data.vdevice);
}

Result<Type> infer_permute(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<const TensorType*> operand = tensor_operand(args, 0);
  if (!operand) return operand.error();
  const TensorType& data = **operand;
  const Ints* given = optional_attr<Ints>(attrs, 0);
  if (data.rank == kUnknownRank) {
    if (!given) return unknown_shape(data, kUnknownRank);
    return Error{"type.rank", "permute_dims: axes are given, but the rank is unknown"};
  }
  std::vector<int> axes(static_cast<std::size_t>(data.rank));
  std::iota(axes.rbegin(), axes.rend(), 0);
  if (given) {
    if (std::ssize(*given) != data.rank) {
      return Error{"type.rank", "permute_dims: " + std::to_string(given->size()) + " axes for rank " +
                                    std::to_string(data.rank)};
    }
    Result<std::vector<int>> normal = normalise_axes(*given, data.rank);
    if (!normal) return normal.error();
    axes = *std::move(normal);
  }
  if (std::is_sorted(axes.begin(), axes.end())) return args[0]->type;
  if (!data.shape) return unknown_shape(data, data.rank);
  Shape shape;
  for (const int axis : axes) shape.push_back((*data.shape)[static_cast<std::size_t>(axis)]);
  return Type(make_tensor_type(std::move(shape), data.rank, data.dtype, data.vdevice));
}

Value eval_permute(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const Tensor& data = args[0].tensor();
  const std::vector<std::int64_t> dims = data.shape();
  const std::vector<WalkAxis> walk = row_major(dims);
  const Ints* axes = optional_attr<Ints>(attrs, 0);
  if (axes && axes->size() != dims.size()) return misfit(context);
  std::vector<WalkAxis> permuted;
  std::vector<std::int64_t> shape;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const int axis = axes ? runtime_axis((*axes)[i], dims.size()) : static_cast<int>(dims.size() - 1 - i);
    if (axis < 0) return misfit(context);
    permuted.push_back(walk[static_cast<std::size_t>(axis)]);
    shape.push_back(permuted.back().size);
  }
  return make_tensor(copy_strided(data, shape, 0, permuted));
}

std::optional<CallDraft> generate_permute(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data =
      draw_operand(choices, scope, kAllDTypes, choices.one_in(8) ? 0 : 2, 5, Known::rank);
  if (!data) return std::nullopt;
  if (choices.one_in(3)) return CallDraft{{data->expr}, {AttrValue()}};
  Ints axes;
  const bool swap_last = data->rank() >= 2 && choices.flip();
  if (swap_last) {  // the transposition that passes look for
    axes.resize(data->dims.size());
    std::iota(axes.begin(), axes.end(), 0);
    std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
  } else {
    for (const int axis : draw_distinct(choices, data->rank(), data->rank())) {
      axes.push_back(draw_sign(choices, axis, data->rank()));
    }
  }
  return CallDraft{{data->expr}, {std::move(axes)}};
}

Result<Type> infer_expand(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<const TensorType*> operand = tensor_operand(args, 0);
  if (!operand) return operand.error();
  const TensorType& data = **operand;
  const Ints& given = attr<Ints>(attrs, 0);
  if (given.empty()) return args[0]->type;
  if (data.rank == kUnknownRank) return unknown_shape(data, kUnknownRank);
  const int rank = data.rank + static_cast<int>(given.size());
  const Result<std::vector<int>> axes = normalise_axes(given, rank);
  if (!axes) return axes.error();
  if (!data.shape) return unknown_shape(data, rank);
  Shape shape;
  std::size_t next = 0;
  for (int i = 0; i < rank; ++i) {
    const bool is_new = std::find(axes->begin(), axes->end(), i) != axes->end();
    shape.push_back(is_new ? Dim(1) : (*data.shape)[next++]);
  }
  return Type(make_tensor_type(std::move(shape), rank, data.dtype, data.vdevice));
}

Value eval_expand(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const Tensor& data = args[0].tensor();
  const std::vector<std::int64_t> dims = data.shape();
  const Ints& given = attr<Ints>(attrs, 0);
  std::vector<std::int64_t> shape(dims.size() + given.size(), -1);
  for (const std::int64_t axis : given) {
    const int normal = runtime_axis(axis, shape.size());
    if (normal < 0 || shape[static_cast<std::size_t>(normal)] == 1) return misfit(context);
    shape[static_cast<std::size_t>(normal)] = 1;
  }
  std::size_t next = 0;
  for (std::int64_t& size : shape) {
    if (size < 0) size = dims[next++];
  }
  return make_tensor(with_shape(data, shape));
}

std::optional<CallDraft> generate_expand(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data =
      draw_operand(choices, scope, kAllDTypes, 0, kMaxDrawnRank - 1, Known::rank);
  if (!data) return std::nullopt;
  const int count = data->rank() < kMaxDrawnRank - 1 && choices.one_in(3) ? 2 : 1;
  const int rank = data->rank() + count;
  Ints axes;
  for (const int axis : draw_distinct(choices, count, rank)) axes.push_back(draw_sign(choices, axis, rank));
  return CallDraft{{data->expr}, {std::move(axes)}};
}

// An axis that is given goes if its size is 1 or symbolic; one of another size stays, as in PyTorch
// (manipulate.cc).
Result<Type> infer_squeeze(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<const TensorType*> operand = tensor_operand(args, 0);
  if (!operand) return operand.error();
  const TensorType& data = **operand;
  const Ints* given = optional_attr<Ints>(attrs, 0);
  if (given && given->empty()) return args[0]->type;
  if (data.rank == kUnknownRank) return unknown_shape(data, kUnknownRank);
  std::vector<int> axes;
  if (given) {
    Result<std::vector<int>> normal = normalise_axes(*given, data.rank);
    if (!normal) return normal.error();
    axes = *std::move(normal);
    if (!data.shape) return unknown_shape(data, data.rank - static_cast<int>(axes.size()));
  } else {
    if (!data.shape || !is_static(*data.shape)) return unknown_shape(data, kUnknownRank);
    axes.resize(data.shape->size());
    std::iota(axes.begin(), axes.end(), 0);
  }
  Shape shape;
  for (int i = 0; i < data.rank; ++i) {
    const Dim& dim = (*data.shape)[static_cast<std::size_t>(i)];
    const bool asked = std::find(axes.begin(), axes.end(), i) != axes.end();
    if (!asked || (dim.is_static() && dim.value() != 1)) shape.push_back(dim);
  }
  return Type(make_tensor_type(std::move(shape), kUnknownRank, data.dtype, data.vdevice));
}

Value eval_squeeze(std::span<const Value> args, const Attrs& attrs, const Type& result,
                   EvalContext& context) {
  const Tensor& data = args[0].tensor();
  const std::vector<std::int64_t> dims = data.shape();
  const Ints* axes = optional_attr<Ints>(attrs, 0);
  std::vector<bool> asked(dims.size(), axes == nullptr);
  for (std::size_t i = 0; axes && i < axes->size(); ++i) {
    const int axis = runtime_axis((*axes)[i], dims.size());
    if (axis < 0) return misfit(context);
    asked[static_cast<std::size_t>(axis)] = true;
  }
  std::vector<std::int64_t> shape;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (!asked[i] || dims[i] != 1) shape.push_back(dims[i]);
  }
  // A symbolic axis was squeezed that is not 1 after all.
  const TensorType* type = result.as_tensor();
  if (type && type->rank != kUnknownRank && type->rank != std::ssize(shape)) return misfit(context);
  return make_tensor(with_shape(data, shape));
}

std::optional<CallDraft> generate_squeeze(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 0, 5);
  if (!data) return std::nullopt;
  if (is_static(*data->type.shape) && choices.one_in(3)) return CallDraft{{data->expr}, {AttrValue()}};
  Ints axes;
  for (int i = 0; i < data->rank(); ++i) {
    const Dim& dim = data->dim(i);
    const bool goes = dim.is_static() && (dim.value() == 1 ? !choices.one_in(4) : choices.one_in(8));
    if (goes) axes.push_back(draw_sign(choices, i, data->rank()));
  }
  return CallDraft{{data->expr}, {std::move(axes)}};
}

Result<Type> infer_flip(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<const TensorType*> operand = tensor_operand(args, 0);
  if (!operand) return operand.error();
  if ((*operand)->rank != kUnknownRank) {
    const Result<int> axis = normalise_axis(attr<std::int64_t>(attrs, 0), (*operand)->rank);
    if (!axis) return axis.error();
  }
  return args[0]->type;
}

Value eval_flip(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const Tensor& data = args[0].tensor();
  const std::vector<std::int64_t> dims = data.shape();
  const int axis = runtime_axis(attr<std::int64_t>(attrs, 0), dims.size());
  if (axis < 0) return misfit(context);
  std::vector<WalkAxis> walk = row_major(dims);
  WalkAxis& flipped = walk[static_cast<std::size_t>(axis)];
  const std::int64_t offset = (flipped.size - 1) * flipped.stride;
  flipped.stride = -flipped.stride;
  return make_tensor(copy_strided(data, dims, offset, walk));
}

std::optional<CallDraft> generate_flip(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 5, Known::rank);
  if (!data) return std::nullopt;
  return CallDraft{{data->expr}, {draw_axis(choices, data->rank())}};
}

const Param kPermuteParams[] = {{"x", ParamKind::tensor}, {"axes", ParamKind::attr_ints, true, AttrValue()}};
const Param kExpandParams[] = {{"x", ParamKind::tensor}, {"axis", ParamKind::attr_ints}};
const Param kSqueezeParams[] = {{"x", ParamKind::tensor}, {"axis", ParamKind::attr_ints, true, AttrValue()}};
const Param kFlipParams[] = {{"data", ParamKind::tensor}, {"axis", ParamKind::attr_int}};

}  // namespace

std::span<const OpDef> axes_rows() {
  static const OpDef kRows[] = {
      {{"relax.permute_dims"},
       .params = kPermuteParams,
       .traits = Trait::data_movement,
       .infer = infer_permute,
       .eval = eval_permute,
       .generate = generate_permute},
      {{"relax.expand_dims"},
       .params = kExpandParams,
       .traits = Trait::data_movement,
       .infer = infer_expand,
       .eval = eval_expand,
       .generate = generate_expand},
      {{"relax.squeeze"},
       .params = kSqueezeParams,
       .traits = Trait::data_movement,
       .infer = infer_squeeze,
       .eval = eval_squeeze,
       .generate = generate_squeeze},
      {{"relax.flip"},
       .params = kFlipParams,
       .traits = Trait::data_movement,
       .infer = infer_flip,
       .eval = eval_flip,
       .generate = generate_flip},
  };
  return kRows;
}

}  // namespace passdiff
