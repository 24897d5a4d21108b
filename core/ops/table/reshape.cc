// reshape, broadcast_to: the new shape is an operand. flatten: it is one axis.
#include <algorithm>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/literal.h"
#include "core/ops/row.h"
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

Result<TensorType> infer_reshape(const TensorType& x, const NewShapeArg& shape) {
  const auto& [values, rank] = shape.type;
  if (values) {
    TRY_VOID(check_sizes(*values));
    if (x.shape && proven_different(product(*x.shape), product(*values))) {
      return Error{"type.reshape", "reshape: " + to_string(product(*x.shape)) + " elements do not fill " +
                                       to_string(Type(shape.type))};
    }
  }
  return make_tensor_type(values, rank, x.dtype, x.vdevice);
}

std::optional<Tensor> eval_reshape(const Tensor& x, const ShapeValue& shape) {
  if (!is_affordable(shape.dims) || element_count(shape.dims) != static_cast<std::int64_t>(x.size()))
    return std::nullopt;
  return with_shape(x, shape.dims);
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
  return CallDraft({data->expr, make_shape(has_zero(source) ? source : draw_target(choices, source))});
}

TensorType infer_flatten(const TensorType& x) {
  if (x.rank == 1) return x;
  if (x.rank == 0) return of_shape(x, {1});
  return x.shape ? of_shape(x, {product(*x.shape)}) : of_unknown_shape(x, 1);
}

Tensor eval_flatten(const Tensor& x) {
  const auto size = static_cast<std::int64_t>(x.size());
  return with_shape(x, {&size, 1});
}

std::optional<CallDraft> generate_flatten(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 0, kMaxDrawnRank);
  return data ? std::optional(CallDraft({data->expr})) : std::nullopt;
}

Result<TensorType> infer_broadcast_to(const TensorType& x, const ShapeArg& shape) {
  const auto& [values, rank] = shape.type;
  if (x.rank != kUnknownRank && rank != kUnknownRank && rank < x.rank) {
    return Error{"type.rank",
                 "broadcast_to: rank " + std::to_string(x.rank) + " to rank " + std::to_string(rank)};
  }
  if (values) TRY_VOID(check_sizes(*values));
  for (std::size_t i = 1; x.shape && values && i <= x.shape->size(); ++i) {
    const Dim& from = (*x.shape)[x.shape->size() - i];
    const Dim& to = (*values)[values->size() - i];
    if (!is_static_value(from, 1) && proven_different(from, to)) {
      return Error{"type.broadcast", "broadcast_to: size " + to_string(from) + " to " + to_string(to)};
    }
  }
  // The sizes of a variable are not looked through here, though they are in reshape (manipulate.cc).
  return make_tensor_type(shape.literal ? values : std::nullopt, rank, x.dtype, x.vdevice);
}

std::optional<Tensor> eval_broadcast_to(const Tensor& x, const ShapeValue& shape) {
  if (!is_affordable(shape.dims)) return std::nullopt;
  const Extents target(shape.dims.begin(), shape.dims.end());
  if (broadcast_extents(extents_of(x), target) != target) return std::nullopt;
  return map_elements(x.dtype, target, [](auto element) { return element; }, x);
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
  return CallDraft({data->expr, make_shape(std::move(target))});
}

}  // namespace

std::vector<OpDef> reshape_rows() {
  return {
      op<infer_reshape, eval_reshape, generate_reshape>("relax.reshape", {"x", "shape"}, {.weight = 3}),
      op<infer_flatten, eval_flatten, generate_flatten>("relax.flatten", {"x"}),
      op<infer_broadcast_to, eval_broadcast_to, generate_broadcast_to>("relax.broadcast_to", {"x", "shape"}),
  };
}

}  // namespace passdiff
