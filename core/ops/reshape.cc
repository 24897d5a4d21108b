// reshape, broadcast_to: the new shape is an operand.
#include <algorithm>

#include "core/ops/attr_access.h"
#include "core/ops/infer.h"
#include "core/ops/layout.h"
#include "core/ops/literal.h"
#include "core/ops/operand.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

bool is_static_value(const Dim& dim, std::int64_t value) {
  return dim.is_static() && dim.value() == value;
}

Dim product(const Shape& shape) {
  Dim total = 1;
  for (const Dim& dim : shape) total = is_static_value(total, 1) ? dim : total * dim;
  return total;
}

// TVM's builder replaces -1 and 0 in a ShapeExpr before there is a call (ConvertNewShapeToExpr,
// manipulate.cc): no call holds a -1, and a 0 that stands in one is a size.
std::optional<Error> check_sizes(const Shape& shape) {
  for (const Dim& dim : shape) {
    if (dim.is_static() && dim.value() < 0) {
      return Error{"type.shape", "size " + to_string(dim) + " is negative"};
    }
  }
  return std::nullopt;
}

Result<Type> infer_reshape(std::span<const ExprPtr> args, const Attrs&) {
  const Result<const TensorType*> operand = tensor_operand(args, 0);
  if (!operand) return operand.error();
  const Result<const ShapeType*> target = shape_operand(args, 1);
  if (!target) return target.error();
  const TensorType& data = **operand;
  const ShapeType& shape = **target;
  if (shape.values) {
    if (std::optional<Error> error = check_sizes(*shape.values)) return *std::move(error);
    if (data.shape && proven_different(product(*data.shape), product(*shape.values))) {
      return Error{"type.reshape", "reshape: " + to_string(product(*data.shape)) + " elements do not fill " +
                                       to_string(args[1]->type)};
    }
  }
  return Type(make_tensor_type(shape.values, shape.rank, data.dtype, data.vdevice));
}

Value eval_reshape(std::span<const Value> args, const Attrs&, const Type&, EvalContext& context) {
  const Tensor& data = args[0].tensor();
  const std::vector<std::int64_t>& dims = args[1].shape().dims;
  if (!is_affordable(dims) || element_count(dims) != static_cast<std::int64_t>(data.size()))
    return misfit(context);
  return make_tensor(with_shape(data, dims));
}

// Two neighbouring axes become one.
void merge_axes(Choices& choices, Shape& shape) {
  if (shape.size() < 2) return;
  const std::size_t at = choices.index(shape.size() - 1);
  shape[at] = shape[at] * shape[at + 1];
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(at) + 1);
}

// A static axis becomes two.
void split_axis(Choices& choices, Shape& shape) {
  if (shape.empty() || shape.size() >= static_cast<std::size_t>(kMaxDrawnRank)) return;
  const std::size_t at = choices.index(shape.size());
  if (!shape[at].is_static()) return;
  const std::int64_t size = shape[at].value();
  std::vector<std::int64_t> factors{1};
  for (std::int64_t f = 2; f <= size; ++f) {
    if (size % f == 0) factors.push_back(f);
  }
  const std::int64_t factor = choices.pick(factors);
  shape[at] = size / factor;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), factor);
}

Shape draw_target(Choices& choices, const Shape& source) {
  enum Way : std::size_t { merge, split, both, flatten, reorder, same };
  constexpr unsigned kWeights[] = {4, 4, 3, 2, 2, 1};
  const std::size_t way = choices.weighted(kWeights);
  Shape shape = source;
  if (way == flatten) return {product(source)};
  if (way == merge || way == both) merge_axes(choices, shape);
  if (way == split || way == both) split_axis(choices, shape);
  if (way == reorder) std::reverse(shape.begin(), shape.end());
  return shape;
}

// TVM's builder takes a 0 for "as in the source at this place": a source with one keeps its shape.
bool has_zero(const Shape& shape) {
  return std::any_of(shape.begin(), shape.end(), [](const Dim& dim) { return is_static_value(dim, 0); });
}

std::optional<CallDraft> generate_reshape(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 0, kMaxDrawnRank);
  if (!data) return std::nullopt;
  const Shape& source = *data->type.shape;
  Shape target = has_zero(source) ? source : draw_target(choices, source);
  return CallDraft{{data->expr, shape_literal(std::move(target))}, {}};
}

Result<Type> infer_broadcast_to(std::span<const ExprPtr> args, const Attrs&) {
  const Result<const TensorType*> operand = tensor_operand(args, 0);
  if (!operand) return operand.error();
  const Result<const ShapeType*> target = shape_operand(args, 1);
  if (!target) return target.error();
  const TensorType& data = **operand;
  const ShapeType& shape = **target;
  if (data.rank != kUnknownRank && shape.rank != kUnknownRank && shape.rank < data.rank) {
    return Error{"type.rank", "broadcast_to: rank " + std::to_string(data.rank) + " to rank " +
                                  std::to_string(shape.rank)};
  }
  if (shape.values) {
    if (std::optional<Error> error = check_sizes(*shape.values)) return *std::move(error);
  }
  for (std::size_t i = 1; data.shape && shape.values && i <= data.shape->size(); ++i) {
    const Dim& from = (*data.shape)[data.shape->size() - i];
    const Dim& to = (*shape.values)[shape.values->size() - i];
    if (is_static_value(from, 1)) continue;
    if (proven_different(from, to)) {
      return Error{"type.broadcast", "broadcast_to: size " + to_string(from) + " to " + to_string(to)};
    }
  }
  // The sizes of a variable are not looked through here, though they are in reshape (manipulate.cc).
  const bool literal = as<ShapeExpr>(args[1]) != nullptr;
  return Type(make_tensor_type(literal ? shape.values : std::nullopt, shape.rank, data.dtype, data.vdevice));
}

Value eval_broadcast_to(std::span<const Value> args, const Attrs&, const Type&, EvalContext& context) {
  const Tensor& data = args[0].tensor();
  const std::vector<std::int64_t> dims = data.shape();
  const std::vector<std::int64_t>& target = args[1].shape().dims;
  if (target.size() < dims.size() || !is_affordable(target)) return misfit(context);
  const std::vector<WalkAxis> source = row_major(dims);
  std::vector<WalkAxis> walk;
  const std::size_t added = target.size() - dims.size();
  for (std::size_t i = 0; i < target.size(); ++i) {
    const WalkAxis axis = i < added ? WalkAxis{1, 0} : source[i - added];
    if (axis.size != 1 && axis.size != target[i]) return misfit(context);
    walk.push_back({target[i], axis.size == 1 ? 0 : axis.stride});
  }
  return make_tensor(copy_strided(data, target, 0, walk));
}

std::optional<CallDraft> generate_broadcast_to(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 0, 4);
  if (!data) return std::nullopt;
  Shape target = *data->type.shape;
  std::int64_t elements = element_count(data->dims);
  const auto grow = [&]() -> Dim {
    const std::int64_t size = choices.integer(1, 3);
    if (elements * size > kMaxResult) return 1;
    elements *= size;
    return size;
  };
  for (Dim& dim : target) {
    if (is_static_value(dim, 1) && !choices.one_in(4)) dim = grow();
  }
  const std::size_t added = choices.index(static_cast<std::size_t>(kMaxDrawnRank - data->rank()) + 1) % 3;
  for (std::size_t i = 0; i < added; ++i) target.insert(target.begin(), grow());
  return CallDraft{{data->expr, shape_literal(std::move(target))}, {}};
}

const Param kShapeParams[] = {{"x", ParamKind::tensor}, {"shape", ParamKind::shape}};

}  // namespace

std::span<const OpDef> reshape_rows() {
  static const OpDef kRows[] = {
      {{"relax.reshape"},
       .params = kShapeParams,
       .traits = Trait::data_movement,
       .infer = infer_reshape,
       .eval = eval_reshape,
       .generate = generate_reshape},
      {{"relax.broadcast_to"},
       .params = kShapeParams,
       .traits = Trait::data_movement,
       .infer = infer_broadcast_to,
       .eval = eval_broadcast_to,
       .generate = generate_broadcast_to},
  };
  return kRows;
}

}  // namespace passdiff
