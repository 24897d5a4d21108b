// meshgrid: vectors as the axes of a grid.
#include <algorithm>

#include "core/ops/draw.h"
#include "core/ops/literal.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

enum class Indexing : std::uint8_t { ij, xy };
constexpr std::array<std::string_view, 2> words_of(Indexing) {
  return {"ij", "xy"};
}
struct MeshgridAttrs {
  std::optional<Indexing> indexing = Indexing::ij;
  static constexpr auto fields() { return std::tuple(field("indexing", &MeshgridAttrs::indexing)); }
};

// TVM infers the sizes in the order of the vectors, also for xy, whose kernel exchanges the first two. A
// vector of unknown dtype is passed over, with its size and its vdevice.
Result<Type> infer_meshgrid(const TensorTypes& tensors, const MeshgridAttrs&) {
  if (tensors.empty()) return Error{"type.arity", "meshgrid: no tensors"};
  TensorType common =
      make_tensor_type(std::nullopt, static_cast<int>(tensors.size()), std::nullopt, std::nullopt);
  Shape shape;
  bool one_device = true;
  for (const TensorType* type : tensors) {
    if (type->rank != 1) return Error{"type.rank", "meshgrid: rank " + std::to_string(type->rank)};
    if (!type->dtype) continue;
    if (!common.dtype) common.dtype = type->dtype;
    if (type->dtype != common.dtype) return Error{"type.dtype", "meshgrid: dtypes differ"};
    if (type->shape) shape.push_back(type->shape->front());
    if (!common.vdevice) common.vdevice = type->vdevice;
    one_device = one_device && (!type->vdevice || type->vdevice == common.vdevice);
  }
  if (!one_device) common.vdevice = std::nullopt;
  if (shape.size() == tensors.size()) common.shape = std::move(shape);
  return tuple_type(std::vector<Type>(tensors.size(), Type(common)));
}

std::optional<Value> eval_meshgrid(const Tensors& tensors, const MeshgridAttrs& attrs) {
  const bool exchanged = attrs.indexing == Indexing::xy && tensors.size() > 1;
  const auto axis_of = [=](std::size_t i) { return exchanged && i < 2 ? 1 - i : i; };
  std::vector<WalkAxis> axes(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i)
    axes[axis_of(i)] = {static_cast<std::int64_t>(tensors[i]->size()), 0};
  TupleValue grids;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    std::vector<WalkAxis> along = axes;
    along[axis_of(i)].stride = 1;
    grids.fields.push_back(make_tensor(copy_strided(*tensors[i], 0, along)));
  }
  return Value(std::move(grids));
}

std::optional<CallDraft> generate_meshgrid(Choices& choices, Scope& scope) {
  const std::optional<Drawn> first = draw_operand(choices, scope, kAllDTypes, 1, 1);
  if (!first) return std::nullopt;
  MeshgridAttrs attrs;
  if (choices.flip()) attrs.indexing = choices.flip() ? std::optional(Indexing::xy) : std::nullopt;
  std::vector<ExprPtr> fields{first->expr};
  std::int64_t elements = first->size(0);
  // Of one vector TVM returns the grid itself, not a tuple of it (measured).
  for (std::int64_t i = choices.integer(1, 3); i > 0; --i) {
    // Where xy exchanges different sizes, TVM's type is not that of its result.
    Shape shape = attrs.indexing == Indexing::xy && fields.size() == 1 ? *first->type.shape
                                                                       : scope.shape(choices, 1, 1);
    const auto next = draw_operand(choices, scope, {.dtype = first->dtype(), .shape = std::move(shape)});
    if (!next || (elements *= std::max<std::int64_t>(next->size(0), 1)) > kMaxResult / 4) return std::nullopt;
    fields.push_back(next->expr);
  }
  return CallDraft({make_tuple(std::move(fields))}, attrs);
}

}  // namespace

std::vector<OpDef> meshgrid_rows() {
  return {op<infer_meshgrid, eval_meshgrid, generate_meshgrid>("relax.meshgrid", {"tensors"})};
}

}  // namespace passdiff
