#include "fuzz/idle_passes.h"

namespace passdiff {
namespace {

struct IdlePass {
  std::string_view name, reason;
};
constexpr IdlePass kIdlePasses[] = {
    {"Normalize", "generated modules are in normal form already"},
    // src/relax/transform/normalize.cc: a function is renamed if its attribute global_symbol says another name than the module.
    {"NormalizeGlobalVar", "public functions are called as their global symbols are"},
    // src/relax/transform/allocate_workspace.cc looks for the attribute WorkspaceSize.
    {"AllocateWorkspace", "functions that need a workspace are made by external code generators alone"},
    // src/s_tir/transform/annotate_irregular_loop.cc: calls of break_loop and continue_loop.
    {"s_tir.AnnotateIrregularLoop", "loops are not left early"},
    // src/s_tir/transform/memhammer_lower_auto_copy.cc: blocks with the annotation auto_copy, which copy to or from a GPU's shared memory.
    {"s_tir.LowerAutoCopy", "only schedules for GPUs annotate blocks as copies"},
    // src/s_tir/transform/inject_double_buffer.cc: the attribute double_buffer_scope, which compute schedules wrote.
    {"s_tir.InjectDoubleBuffer", "nothing marks buffers as double"},
    // src/s_tir/transform/inject_software_pipeline.cc: loops with the annotations software_pipeline_stage and software_pipeline_order.
    {"s_tir.InjectSoftwarePipeline", "only schedules annotate loops with the stages of a pipeline"},
    // src/s_tir/transform/using_assume_to_reduce_branches.cc: assumptions about the values of padding.
    {"s_tir.UseAssumeToReduceBranches", "functions assume nothing of their arguments"},
    // src/tirx/transform/ir_utils.cc: variables that are defined twice.
    {"tirx.ConvertSSA", "functions define each variable once: verify_well_formed refuses others"},
    // src/relax/distributed/transform/propagate_sharding.cc: where inference spreads a result otherwise than annotations want it.
    {"distributed.LegalizeRedistribute", "PropagateSharding, which comes before it, seldom redistributes anything"},
    // src/tirx/transform/unsupported_dtype_legalize.cc: arithmetic in float8.
    {"tirx.FP8ComputeLegalize", "functions cast values to float8 and back, and compute nothing in it"},
};

}  // namespace

std::string_view idle_because(std::string_view pass) {
  for (const IdlePass& idle : kIdlePasses) {
    if (idle.name == pass) return idle.reason;
  }
  return {};
}

}  // namespace passdiff
