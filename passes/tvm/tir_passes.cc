#include "passes/tvm/tir_passes.h"

#include <array>
#include <utility>

namespace passdiff {
namespace {

using Needs = std::vector<std::string_view>;

// What makes functions of TensorIR of a graph, with as much in each as fusion allows.
constexpr std::array<std::string_view, 4> kMakesFunctions = {"LegalizeOps", "AnnotateTIROpPattern", "FuseOps", "FuseTIR"};

// The default pipeline in its order. Those that concern GPUs alone are left out: they find nothing here to change.
constexpr std::array<std::string_view, 26> kPipeline = {
    "s_tir.CanonicalizeLoop",
    "s_tir.LowerInitBlock",
    "s_tir.PlanAndUpdateBufferAllocationLocation",
    "s_tir.ConvertBlocksToOpaque",
    "s_tir.CompactBufferAllocation",
    "s_tir.LowerAutoCopy",
    "s_tir.LowerMatchBuffer",
    "s_tir.StmtSimplify",
    "s_tir.AnnotateIrregularLoop",
    "s_tir.InjectSoftwarePipeline",
    "s_tir.LowerOpaqueBlock",
    "tirx.FlattenBuffer",
    "tirx.BF16ComputeLegalize",
    "tirx.NarrowDataType",
    "s_tir.LoopPartition",
    "tirx.VectorizeLoop",
    "s_tir.InjectVirtualThread",
    "s_tir.InjectDoubleBuffer",
    "tirx.StorageRewrite",
    "s_tir.HoistIfThenElse",
    "tirx.UnrollLoop",
    "s_tir.RenormalizeSplitPattern",
    "tirx.RemoveNoOp",
    "s_tir.RewriteUnsafeSelect",
    "tirx.CommonSubexprElim",
    "tirx.FP8ComputeLegalize",
};

// Passes that stand in no pipeline of the CPU, or take functions as LegalizeOps leaves them.
constexpr std::array<std::string_view, 5> kBesides = {
    "s_tir.HoistExpression", "s_tir.RemoveStoreUndef", "s_tir.UseAssumeToReduceBranches", "tirx.ConvertSSA", "tirx.RemoveAssume",
};

// In its place in the pipeline, behind simplifications, it finds nothing left.
constexpr std::string_view kAlone = "tirx.RemoveNoOp";

// BF16ComputeLegalize and its like keep buffers of a function's own, and sums, in float32.
Numerics numerics_of(std::string_view name) {
  return name.ends_with("ComputeLegalize") ? Numerics::widened : Numerics::exact;
}

Pass tir_pass(std::string_view name, Needs needs) {
  const std::size_t dot = name.find('.');
  const std::string source = "tvm." + std::string(name.substr(0, dot)) + ".transform" + std::string(name.substr(dot));
  return {.name = std::string(name),
          .contract = {.numerics = numerics_of(name), .level = Level::legalised, .idempotent = false, .needs = std::move(needs), .alters = {kAltersVDevices}},
          .source = source};
}

}  // namespace

std::vector<Pass> tir_passes() {
  std::vector<Pass> passes;
  Needs before(kMakesFunctions.begin(), kMakesFunctions.end());
  for (const std::string_view name : kBesides) passes.push_back(tir_pass(name, before));
  const Needs functions = before;
  for (const std::string_view name : kPipeline) {
    passes.push_back(tir_pass(name, name == kAlone ? functions : before));
    passes.back().in_default_pipeline = true;
    before.push_back(name);
  }
  return passes;
}

}  // namespace passdiff
