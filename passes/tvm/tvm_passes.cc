#include "passes/tvm/tvm_passes.h"

#include <algorithm>

#include <nlohmann/json.hpp>
#include <vector>

#include "core/documents/json.h"
#include "passes/case_options.h"
#include "passes/tvm/applies.h"
#include "passes/tvm/build_pipelines.h"
#include "passes/tvm/distributed_passes.h"
#include "passes/tvm/dlight_passes.h"
#include "passes/tvm/options.h"
#include "passes/tvm/tir_passes.h"

namespace passdiff {
namespace {

using Rejections = std::vector<std::string_view>;
using Needs = std::vector<std::string_view>;
using Alters = std::vector<std::string_view>;

// Passes that others need to have run before: parts of TVM's default build pipeline, in its order.
const Needs kAfterLegalize = {"LegalizeOps"};
const Needs kAfterAnnotate = {"LegalizeOps", "AnnotateTIROpPattern"};
const Needs kAfterFuseOps = {"LegalizeOps", "AnnotateTIROpPattern", "FuseOps"};
const Needs kAfterPurity = {"LegalizeOps", "ToNonDataflow", "RemovePurityChecking"};
const Needs kAfterCallTir = {"LegalizeOps", "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite"};
const Needs kAfterAlloc = {"LegalizeOps", "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite",
                           "LowerAllocTensor"};
// LazyTransformParams' documentation asks for these.
const Needs kBeforeLazyTransform = {"LiftTransformParams", "ToNonDataflow", "RemovePurityChecking"};
const Needs kAfterMemory = {"LegalizeOps",     "ToNonDataflow",         "RemovePurityChecking",
                            "CallTIRRewrite",  "StaticPlanBlockMemory", "LowerAllocTensor",
                            "KillAfterLastUse"};
// VMShapeLower knows neither local functions nor scalars that are computed of sizes.
const Needs kBeforeShapes = {"LegalizeOps",           "LambdaLift",       "ToNonDataflow",    "RemovePurityChecking", "CallTIRRewrite",
                             "StaticPlanBlockMemory", "LowerAllocTensor", "KillAfterLastUse", "ComputePrimValue"};

// The errors with which passes refuse a module by design, as kinds or parts of throw sites.
// LazyTransformParams takes functions as LiftTransformParams makes them, with a tuple of weights behind the inputs; LazyGetInput leaves none.
const Rejections kNoTupleOfWeights = {"IndexError@lazy_transform_params.py:transform"};
// RealizeVDevice, where one value would have to be on two devices: type inference reports the conflict.
const Rejections kConflictingDevices = {"says:must have the same VDevice"};
// LiftTransformParams with a shared transformation: functions must have num_input and equal weights, and no match_cast.
const Rejections kSharedTransform = {"GlobalLiftableBindingCollector::Collect",
                                     "says:MatchCast is not supported in global lifting",
                                     "says:The number of parameters should be the same for all target functions",
                                     "says:The type of the parameters should be the same for all target functions",
                                     "says:all functions in the list must have the kNumInput"};
// CanonicalizeBindings, where two match_casts give a dim two sizes, so that one of them fails in every run.
const Rejections kContradictingCasts = {"says:MatchCast statements must be consistent"};
// Functions that call the host are not pure; the callback counts as an input.
const Alters kCallsTheHost = {kAltersPurity, "relax.force_pure", "num_input"};
// FuseTIR makes functions of TensorIR of what FuseOps has fused; StaticPlanBlockMemory consumes the attribute that says for whom it plans.
const Alters kFused = {kAltersVDevices, kAltersFunctions};
const Alters kPlanned = {kAltersVDevices, "relax.memory_plan_dynamic_func_output"};
// AllocateWorkspace gives functions that an external code generator compiles another parameter and, with it, another name.
const Alters kGivesWorkspaces = {kAltersFunctions, "WorkspaceSize"};
// UpdateParamType, by its documentation, hands on the errors of type inference: ops may ask for what the new types do not tell.
// Nor can all ops be compiled for tensors of unknown shape.
// A call of a function asks for the rank of its parameter, which squeeze and the like do not tell of an unknown shape; a rank that is told, and
// another one, is wrong.
const Rejections kInferenceErrors = {"tvm::relax::InferType",
                                     "tvm::relax::NormalizeCallTIRInPlace",
                                     kRefusesUnknownRank,
                                     "tvm::relax::LowerBuiltinView",
                                     "says:only supports Tensor that has ShapeExpr shape",
                                     "says:non-symbolic shape is not supported",
                                     "says:CodeGenVM cannot emit this Relax operator",
                                     "says:Expecting a expr with known shape"};
// FastMathTransform makes functions of TensorIR, too.
const Rejections kUnknownShape = {"says:only supports Tensor that has ShapeExpr shape"};
// What the options name may be gone since an earlier pass, or run, bound it.
const Rejections kNoSuchParam = {"says:Function does not have parameter with name"};
const Rejections kNoSuchSize = {"says:Function does not use symbolic var",
                                "says:did not correspond to any symbolic variables in the module"};
// FuseOpsByPattern leaves it to its patterns to rule cycles out (test_cyclic_dependency of its tests).
const Rejections kCycles = {"says:A cyclic dependency detected"};
// MergeCompositeFunctions merges in the function main alone, and has no rule for bindings that are an If or a match_cast.
const Rejections kNoComposite = {"says:Cannot find global var \"main\"", "says:Do not have a default for relax.expr.If",
                                 "says:Invalid type: relax.expr.MatchCast"};
// ConvertLayout starts from plain layouts: pools and the like in blocked ones are refused. It says of squeeze that its shape must be known.
const Rejections kBlockedLayout = {"says:Unsupported initial layout", "says:Only support static shape for now"};
// LegalizeOps: what topi defines for fewer operands than type inference takes, and literals that their dtype cannot hold, whose cast is
// undefined.
const Rejections kNoTopi = {"says:lead to negative output shape", "says:power only applies to float", "says:exceeds range of",
                            "says:the dtype of both operands must be known", "says:target spatial dims should be greater than 1 when align_corners"};
// The Python of DispatchSampling and DispatchSortScan says of these that they are not supported.
const Rejections kSamplesInColumns = {"says:should be a 2D tensor with shape (N, 1)", "says:Expecting a expr with known shape"};
const Rejections kNoShape = {"says:non-symbolic shape is not supported for now", "says:only supports Tensor that has ShapeExpr shape"};
// StaticPlanBlockMemory reads the bounds of symbolic sizes from attributes, and refuses those that are no integers.
const Rejections kNoBounds = {"says:to `Map<str, ir.IntImm>`"};
// LowerRuntimeBuiltin refuses allocations that LowerAllocTensor would have lowered.
const Rejections kStillAllocates = {"says:VMBuiltinLower encountered"};
// VMShapeLower refuses what LambdaLift, which TVM's own pipelines leave to their users, would take out. It takes shapes out of types, without
// which ops that are left cannot be compiled: sorts and scans of symbolic sizes, which TVM's own pipelines dispatch first.
const Rejections kTakesShapesOut = {"says:VMShapeLower do not work for local functions", "says:only supports Tensor that has ShapeExpr shape",
                                    "says:non-symbolic shape is not supported for now", "TypeError@dispatch_sort_scan.py:visit_call_"};
// SplitLayoutRewritePreproc takes PrimFuncs as the meta-schedule makes them.
const Rejections kNotScheduled = {"says:The body of the primfunc should be a root block"};
// Gradient: ops without a registered gradient; forms that those which have one do not take, symbolic sizes where they compute with integers of
// Python among them; and bindings other than of a value to a variable.
// It also refuses what is no target of a derivative, variables that are no parameters, and call_tir_with_grad where the function that it names
// is registered nowhere: recorded programs registered it.
const Rejections kNotDifferentiable = {"says:FPrimalGradient",
                                       "says:Function tvm.relax.te_grad._register.",
                                       "says:The differentiation target must be a float scalar",
                                       "says:target_index can only be 0",
                                       "says:target_index should be in the range",
                                       "says:Target must be a Var",
                                       "says:The return value of the function must be Var or Tuple",
                                       "says:the function has no parameter",
                                       "says:Cannot find global var",
                                       "says:is not a Relax Function",
                                       "says:now only support one dataflow block",
                                       "says:Now only support",
                                       "CheckpointCollector::VisitBinding",
                                       "says:Now does not support",
                                       "says:only support NC",
                                       "says:only support OI",
                                       "says:There is no Var named",
                                       "says:int() argument must be a string, a bytes-like object or a real number",
                                       "_op_gradient.py:_get_shape_prod"};
// UpdateVDevice, where its options name a vdevice that the module lacks.
const Rejections kNoVDevice = {"KeyError@options", "IndexError@options"};

Contract graph(Numerics numerics = Numerics::exact, Rejections rejections = {}, Alters alters = {}) {
  return {.numerics = numerics,
          .idempotent = false,
          .rejections = std::move(rejections),
          .alters = std::move(alters)};
}

// TVM's tests or documentation say so.
Contract idempotent(Contract contract) {
  contract.idempotent = true;
  return contract;
}

Contract calls(Convention convention, Rejections rejections = {}, Needs needs = {}, Alters alters = {}) {
  return {.convention = convention,
          .idempotent = false,
          .rejections = std::move(rejections),
          .needs = std::move(needs),
          .alters = std::move(alters)};
}

Contract inlines(Contract contract) {
  contract.inlines = true;
  return contract;
}

Contract binds(Contract contract) {
  contract.binds_arguments = true;
  return contract;
}

// The options as JSON, if they are about the function; else nothing.
nlohmann::json options_for(std::string_view function, std::string_view options) {
  nlohmann::json document = nlohmann::json::parse(options, nullptr, false);
  if (!document.is_object()) return {};
  const auto named = document.find("func_name");
  const bool others = named != document.end() && named->is_string() && *named != function;
  return others ? nlohmann::json() : document;
}

// BindSymbolicVars, as recorded in a program, binds the sizes of that program's arguments.
BoundArguments bound_sizes(std::string_view function, std::string_view options) {
  const nlohmann::json document = options_for(function, options);
  BoundArguments bound;
  const auto map = document.find("binding_map");
  if (map == document.end() || !map->is_object()) return bound;
  for (const auto& [name, size] : map->items()) {
    if (size.is_number_integer()) bound.sizes.emplace(name, size.get<std::int64_t>());
  }
  return bound;
}

// BindParams, as recorded in a program, binds that program's weights.
BoundArguments bound_values(std::string_view function, std::string_view options) {
  const nlohmann::json document = options_for(function, options);
  BoundArguments bound;
  const auto params = document.find("params");
  if (params == document.end() || !params->is_object()) return bound;
  for (const auto& [name, tensor] : params->items()) {
    if (!tensor.is_object() || !tensor.contains("$tensor")) continue;
    if (Result<Value> value = value_from_json(tensor["$tensor"])) bound.values.emplace(name, *std::move(value));
  }
  return bound;
}

// It joins what FuseOpsByPattern has fused.
Contract merged_composites() {
  Contract contract = graph(Numerics::exact, kNoComposite);
  contract.needs = {"FuseOpsByPattern"};
  return contract;
}

// The result of these passes holds PrimFuncs, which get fresh names in each run: they are not idempotent.
Contract legalised(Needs needs, Numerics numerics = Numerics::exact, Rejections rejections = {}, Alters alters = {kAltersVDevices}) {
  return {.numerics = numerics,
          .level = Level::legalised,
          .idempotent = false,
          .rejections = std::move(rejections),
          .needs = std::move(needs),
          .alters = std::move(alters)};
}

// Where a value is, allocations say from here on, and types no more.
Contract lowered(Needs needs, Alters alters = {kAltersVDevices}, Rejections rejections = {}) {
  return {.level = Level::lowered,
          .idempotent = false,
          .rejections = std::move(rejections),
          .needs = std::move(needs),
          .alters = std::move(alters)};
}

Contract shared_transform(const Contract& contract, std::string_view options) {
  Contract result = contract;
  const nlohmann::json document = nlohmann::json::parse(options, nullptr, false);
  if (!document.is_object()) return result;
  const auto shared = document.find("shared_transform");
  if (shared != document.end() && *shared != false) result.convention = Convention::shared_transform_params;
  return result;
}

// What _op_gradient.py says is not differentiated: the value of full and full_like, weights of nll_loss; the derivative of a power by its
// exponent "makes sense only when x > 0".
constexpr std::array<Derivatives::Operand, 4> kConstantOperands = {
    {{"relax.full", 1}, {"relax.full_like", 1}, {"relax.nn.nll_loss", 2}, {"relax.power", 1}}};

// Gradient adds a function, and leaves the one that it differentiates as it is.
Contract differentiates(const Contract& contract, std::string_view options) {
  Contract result = contract;
  const nlohmann::json document = nlohmann::json::parse(options, nullptr, false);
  if (!document.is_object() || !document.contains("func_name") || !document["func_name"].is_string()) return result;
  Derivatives wanted{.of = document["func_name"], .constant = kConstantOperands};
  const auto target = document.find("target_index");
  if (target != document.end() && target->is_number_integer()) wanted.target = *target;
  // One parameter or several; None is the same as no such option.
  if (const auto given = document.find("require_grads"); given != document.end() && !given->is_null()) {
    wanted.by.emplace();
    for (const nlohmann::json& param : given->is_array() ? *given : nlohmann::json::array({*given})) {
      const bool named = param.is_object() && param.contains("$param") && param["$param"].is_string();
      wanted.by->push_back(named ? param["$param"].get<std::string>() : std::string());
    }
  }
  result.derivatives = std::move(wanted);
  return result;
}

// These leave all but the ops that they know in the graph. Of those they make functions of TensorIR, where LegalizeOps would later.
Pass dispatches(std::string name, Rejections rejections) {
  std::string source = "tvm.relax.backend." + name;
  return {.name = std::move(name),
          .contract = graph(Numerics::reassociated, std::move(rejections)),
          .source = std::move(source)};
}

Pass unsupported(std::string name, std::string reason) {
  return {.name = std::move(name), .unsupported = std::move(reason)};
}

const Numerics kReassociated = Numerics::reassociated;

std::vector<Pass> structural_passes() {
  return {
      {.name = "Normalize", .contract = idempotent(graph())},
      {.name = "NormalizeGlobalVar", .contract = graph()},
      {.name = "CanonicalizeBindings", .contract = graph(Numerics::exact, kContradictingCasts)},
      {.name = "ConvertToDataflow", .contract = graph(), .draw_options = draw_convert_to_dataflow},
      {.name = "ToNonDataflow", .contract = graph()},
      {.name = "DeadCodeElimination", .contract = graph(), .draw_options = draw_dead_code_elimination},
      {.name = "TopologicalSort", .contract = graph(), .draw_options = draw_topological_sort},
      {.name = "EliminateCommonSubexpr", .contract = graph(), .draw_options = draw_eliminate_common_subexpr},
      {.name = "LambdaLift", .contract = graph()},
      {.name = "InlinePrivateFunctions", .contract = inlines(graph())},
      // Its documentation says so: calls that it makes impure must not stand in dataflow blocks.
      {.name = "RemovePurityChecking", .contract = calls(Convention::unchanged, {}, {"ToNonDataflow"})},
      {.name = "RemoveUnusedParameters", .contract = graph()},
      {.name = "RemoveUnusedOutputs", .contract = graph()},
      {.name = "ExpandTupleArguments", .contract = graph()},
      {.name = "AttachGlobalSymbol", .contract = graph()},
      {.name = "RealizeVDevice", .contract = idempotent(graph(Numerics::exact, kConflictingDevices, {kAltersVDevices}))},
      {.name = "UpdateVDevice",
       .contract = graph(Numerics::exact, kNoVDevice, {kAltersVDevices}),
       .draw_options = draw_update_vdevice,
       .applies = has_vdevices},
      {.name = "AllocateWorkspace", .contract = graph(Numerics::exact, {}, kGivesWorkspaces)},
  };
}

std::vector<Pass> rewriting_passes() {
  return {
      {.name = "AdjustMatmulOrder", .contract = idempotent(graph(kReassociated))},
      {.name = "ExpandMatmulOfSum", .contract = graph(kReassociated)},
      {.name = "ReorderTakeAfterMatmul", .contract = graph(kReassociated)},
      {.name = "ReorderPermuteDimsAfterConcat", .contract = graph()},
      {.name = "CombineParallelMatmul", .contract = graph(kReassociated), .draw_options = draw_combine_parallel_matmul},
      {.name = "FuseTransposeMatmul", .contract = graph(kReassociated)},
      {.name = "FoldConstant", .contract = {.numerics = kReassociated, .idempotent = false, .executes = true}},
      {.name = "RemoveRedundantReshape", .contract = graph()},
      {.name = "OptimizeLayoutTransform", .contract = graph()},
      {.name = "ConvertLayout", .contract = graph(kReassociated, kBlockedLayout), .draw_options = draw_convert_layout},
      {.name = "DecomposeOpsForInference", .contract = graph(kReassociated), .draw_options = draw_decompose_ops, .applies = is_for_inference},
      {.name = "DecomposeOpsForTraining", .contract = graph(kReassociated), .draw_options = draw_decompose_ops, .applies = is_for_training},
      {.name = "FoldBatchnormToConv2D", .contract = graph(kReassociated), .applies = is_for_inference},
      {.name = "FastMathTransform", .contract = graph(Numerics::approximate, kUnknownShape)},
      {.name = "ToMixedPrecision", .contract = graph(Numerics::lowered), .draw_options = draw_to_mixed_precision},
      {.name = "LegalizeOps", .contract = graph(kReassociated, kNoTopi), .draw_options = draw_legalize_ops},
      {.name = "Gradient",
       .contract = graph(Numerics::exact, kNotDifferentiable),
       .draw_options = draw_gradient,
       .applies = returns_loss,
       .contract_for = differentiates},
      {.name = "FuseOpsByPattern", .contract = graph(Numerics::exact, kCycles), .draw_options = draw_fuse_ops_by_pattern},
      {.name = "MergeCompositeFunctions", .contract = merged_composites()},
  };
}

std::vector<Pass> parameter_passes() {
  return {
      {.name = "LiftTransformParams",
       .contract = idempotent(calls(Convention::lift_transform_params, kSharedTransform)),
       .draw_options = draw_lift_transform_params,
       .applies = has_weights,
       .contract_for = shared_transform},
      {.name = "BundleModelParams",
       .contract = calls(Convention::bundle_model_params),
       .draw_options = draw_bundle_model_params,
       .applies = has_weights},
      {.name = "LazyGetInput", .contract = calls(Convention::lazy_get_input, {}, {}, kCallsTheHost)},
      {.name = "LazySetOutput", .contract = calls(Convention::lazy_set_output, {}, {}, kCallsTheHost)},
      {.name = "LazyTransformParams",
       .contract = calls(Convention::lazy_transform_params, kNoTupleOfWeights, kBeforeLazyTransform, kCallsTheHost),
       .applies = has_weights_to_lift},
      {.name = "BindParams",
       .contract = binds(calls(Convention::bind_params, kNoSuchParam)),
       .draw_options = draw_bind_params,
       .applies = has_tensor_params,
       .bound = bound_values},
      {.name = "BindSymbolicVars",
       .contract = binds(graph(Numerics::exact, kNoSuchSize)),
       .draw_options = draw_bind_symbolic_vars,
       .applies = has_symbolic_params,
       .bound = bound_sizes},
      {.name = "UpdateParamType",
       .contract = graph(Numerics::exact, kInferenceErrors),
       .draw_options = draw_update_param_type,
       .applies = has_static_params},
  };
}

std::vector<Pass> lowering_passes() {
  return {
      dispatches("DispatchSampling", kSamplesInColumns),
      dispatches("DispatchSortScan", kNoShape),
      {.name = "AnnotateTIROpPattern", .contract = legalised(kAfterLegalize)},
      {.name = "FuseOps", .contract = legalised(kAfterAnnotate), .draw_options = draw_fuse_ops},
      {.name = "FuseTIR", .contract = legalised(kAfterFuseOps, kReassociated, {}, kFused)},
      {.name = "RewriteDataflowReshape", .contract = legalised(kAfterLegalize)},
      // It makes functions of the ops that may write into an operand: after LegalizeOps there are none left.
      {.name = "DataflowUseInplaceCalls", .contract = graph(kReassociated, kNoTopi)},
      {.name = "AttachAttrLayoutFreeBuffers", .contract = legalised(kAfterLegalize)},
      {.name = "SplitLayoutRewritePreproc", .contract = legalised(kAfterLegalize, Numerics::exact, kNotScheduled)},
      {.name = "SpecializePrimFuncBasedOnCallSite", .contract = legalised(kAfterLegalize)},
      {.name = "CallTIRRewrite", .contract = lowered(kAfterPurity)},
      {.name = "StaticPlanBlockMemory", .contract = lowered(kAfterCallTir, kPlanned, kNoBounds)},
      {.name = "LowerAllocTensor", .contract = lowered(kAfterCallTir)},
      {.name = "KillAfterLastUse", .contract = lowered(kAfterAlloc)},
      {.name = "ComputePrimValue", .contract = lowered(kAfterAlloc)},
      {.name = "LowerRuntimeBuiltin", .contract = lowered(kAfterMemory, {kAltersVDevices}, kStillAllocates)},
      {.name = "VMBuiltinLower", .contract = lowered(kAfterMemory)},
      {.name = "VMShapeLower", .contract = lowered(kBeforeShapes, {kAltersVDevices}, kTakesShapesOut), .draw_options = draw_vm_shape_lower},
  };
}

std::vector<Pass> undriven_names() {
  const std::string not_a_pass = "not a pass, but a part of pass infrastructure";
  const std::string patterns = "it takes patterns for an external code generator";
  const std::string gpu = "it needs a GPU";
  const std::string tuning = "it needs a tuning database";
  return {
      unsupported("FunctionPass", not_a_pass),
      unsupported("DataflowBlockPass", not_a_pass),
      unsupported("FusionPattern", not_a_pass),
      unsupported("PatternCheckContext", not_a_pass),
      unsupported("AlterOpImpl", "it takes hand-written PrimFuncs as replacements"),
      unsupported("AttachExternModules", "it takes compiled external modules"),
      unsupported("SplitCallTIRByPattern", patterns),
      unsupported("RunCodegen", "it needs an external code generator"),
      unsupported("IPCAllReduceRewrite", gpu),
      unsupported("LowerGPUIPCAllocStorage", gpu),
      // src/relax/transform/rewrite_cuda_graph.cc
      unsupported("RewriteCUDAGraph",
                  "it changes nothing unless the PassContext sets relax.backend.use_cuda_graph, and then calls builtins of the CUDA runtime"),
      unsupported("MetaScheduleApplyDatabase", tuning),
      unsupported("MetaScheduleTuneIRMod", tuning),
      unsupported("MetaScheduleTuneTIR", tuning),
  };
}

bool is_in_build_pipeline(std::string_view pass) {
  return std::ranges::any_of(tvm_build_pipelines(), [&](const BuildPipeline& build) {
    return std::ranges::find(build.passes, pass) != build.passes.end();
  });
}

std::vector<Pass> build_table() {
  std::vector<Pass> table;
  for (std::vector<Pass> (*part)() :
       {structural_passes, rewriting_passes, parameter_passes, lowering_passes, tir_passes, dlight_passes,
        distributed_passes, undriven_names}) {
    for (Pass& pass : part()) {
      if (pass.source.empty()) pass.source = "tvm.relax.transform." + pass.name;
      pass.in_default_pipeline |= is_in_build_pipeline(pass.name);
      table.push_back(std::move(pass));
    }
  }
  return table;
}

}  // namespace

std::span<const Pass> tvm_pass_table() {
  static const std::vector<Pass> table = build_table();
  return table;
}

}  // namespace passdiff
