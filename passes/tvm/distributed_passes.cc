#include "passes/tvm/distributed_passes.h"

#include <string>
#include <utility>

#include "passes/tvm/applies.h"

namespace passdiff {
namespace {

using Names = std::vector<std::string_view>;

constexpr std::string_view kDistributed = "distributed.";

// PropagateSharding refuses annotations that contradict each other, shardings of constants, tensors that no annotation reaches or whose shape is
// not known, and ops for which nothing says how their result is spread (src/relax/distributed/transform/propagate_sharding.cc).
const Names kNotSpread = {"says:Conflict Handling logic will be added in the future", "says:is not allowed to be sharded",
                          "says:is not assigned device mesh", "says:device_mesh.defined()", "says:Cannot find the dist.FInferType attribute",
                          "says:Cannot find the dist.FInferStructInfo attribute", "says:multiple possible sharding for axis", "says:(shape) is false",
                          "says:input of distributed operator must have shape"};
// LegalizeRedistribute knows meshes of one dim, and no exchange of all parts (legalize_redistribute.cc); parts are of one size.
const Names kNotRedistributed = {"says:not implemented yet", "says:device_mesh->shape.size() == 1", "says:to be divisible by the num_workers",
                                 "says:(input_ty->device_mesh, attrs->device_mesh)"};
// The other two know meshes of one dim, too, split loops evenly, join the parts of one reduction at most, and take programs that the passes before
// them have made (lower_distir.cc, lower_global_view_to_local_view.cc).
const Names kNotLowered = {"says:device_mesh->shape.size() == 1", "says:add_allreduce_kind_", "says:A loop cannot have different sharding",
                           "says:call_tir should be lowered to call_tir_local_view", "says:floormod", "says:to be divisible by the num_workers",
                           "says:expects the size of axis"};

Pass distributed(std::string_view name, Level level, Names rejections, Names needs = {}) {
  return {.name = std::string(kDistributed) + std::string(name),
          .contract = {.level = level, .idempotent = false, .rejections = std::move(rejections), .needs = std::move(needs)},
          .applies = has_meshes,
          .over_distributed = true,
          .source = "tvm.relax.distributed.transform." + std::string(name)};
}

}  // namespace

std::vector<Pass> distributed_passes() {
  return {
      distributed("PropagateSharding", Level::graph, kNotSpread),
      distributed("LegalizeRedistribute", Level::graph, kNotRedistributed, {"distributed.PropagateSharding"}),
      distributed("LowerGlobalViewToLocalView", Level::legalised, kNotLowered, {"LegalizeOps", "distributed.PropagateSharding"}),
      distributed("LowerDistIR", Level::legalised, kNotLowered,
                  {"LegalizeOps", "distributed.PropagateSharding", "distributed.LowerGlobalViewToLocalView"}),
  };
}

bool is_distributed(std::string_view pass) { return pass.starts_with(kDistributed); }

}  // namespace passdiff
