#include "passes/tvm/build_pipelines.h"

namespace passdiff {
namespace {

using Names = std::vector<std::string_view>;

// relax.get_pipeline("default") (python/tvm/relax/pipeline.py), which relax.build runs if it is told no other.
const Names kDefault = {
    "DispatchSampling", "DispatchSortScan",      "LegalizeOps",      "RewriteDataflowReshape", "ToNonDataflow",    "RemovePurityChecking",
    "CallTIRRewrite",   "StaticPlanBlockMemory", "RewriteCUDAGraph", "LowerAllocTensor",       "KillAfterLastUse", "LowerRuntimeBuiltin",
    "ComputePrimValue", "VMShapeLower",          "AttachGlobalSymbol"};
// relax.get_default_pipeline(target) of a CPU (python/tvm/relax/backend/cpu_generic/pipeline.py), which tvm.compile runs. The order is the
// same in 0.25, 0.26 and 0.27.
const Names kOfTheTarget = {
    "DispatchSampling", "DispatchSortScan",      "LegalizeOps",          "AnnotateTIROpPattern", "FoldConstant",          "FuseOps",
    "FuseTIR",          "RewriteDataflowReshape", "ToNonDataflow",       "RemovePurityChecking", "CallTIRRewrite",        "StaticPlanBlockMemory",
    "LowerAllocTensor", "KillAfterLastUse",       "LowerRuntimeBuiltin", "ComputePrimValue",     "VMShapeLower",          "AttachGlobalSymbol"};

}  // namespace

std::span<const BuildPipeline> tvm_build_pipelines() {
  static const std::vector<BuildPipeline> pipelines = {{"relax.get_pipeline(\"default\")", kDefault},
                                                       {"relax.get_default_pipeline(target)", kOfTheTarget}};
  return pipelines;
}

}  // namespace passdiff
