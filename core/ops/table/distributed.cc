// dist.annotate_sharding dist.redistribute: how a tensor is, or is to be, spread over the devices of a mesh. Neither changes the value of the
// whole tensor. Inference follows src/relax/op/distributed/distributed.cc.
#include <algorithm>

#include "core/ops/row.h"

namespace passdiff {
namespace {

struct DistributionAttrs {
  MeshRef device_mesh;
  std::string placement;  // in TVMScript's words
  static constexpr auto fields() {
    return std::tuple(required("device_mesh", &DistributionAttrs::device_mesh), required("placement", &DistributionAttrs::placement));
  }
  void complete() {
    if (const std::optional<Placement> read = placement_from_text(placement)) placement = to_string(*read);
  }
};

Result<Placement> placement_of(const TensorType& tensor, const DistributionAttrs& attrs) {
  std::optional<Placement> placement = placement_from_text(attrs.placement);
  const auto has_axis = [&](int axis) { return tensor.rank == kUnknownRank || axis < tensor.rank; };
  if (placement && std::ranges::all_of(*placement, has_axis)) return *std::move(placement);
  return Error{"type.attribute", "\"" + attrs.placement + "\" is no placement of a " + to_string(Type(tensor))};
}

// An annotation leaves the type alone: PropagateSharding is what writes it into types.
Result<Type> infer_annotated(const AnyTensor& input, const DistributionAttrs& attrs) {
  static_cast<void>(TRY(placement_of(input.tensor, attrs)));
  return input.type;
}

Result<TensorType> infer_redistributed(const TensorType& input, const DistributionAttrs& attrs) {
  TensorType result = input;
  result.sharding = Sharding{.mesh = attrs.device_mesh.index, .placement = TRY(placement_of(input, attrs))};
  return result;
}

Value eval_whole(const Value& input) {
  return input;
}

constexpr Claims kWholeUnchanged{.elementwise = true, .attrs_class = "relax.attrs.DistributionAttrs"};

}  // namespace

std::vector<OpDef> distributed_rows() {
  return {
      op<infer_annotated, eval_whole>("relax.dist.annotate_sharding", {"input"}, kWholeUnchanged),
      op<infer_redistributed, eval_whole>("relax.dist.redistribute", {"input"}, kWholeUnchanged),
  };
}

}  // namespace passdiff
