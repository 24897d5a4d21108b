#include "passes/tvm/dlight_passes.h"

#include <fmt/format.h>

#include "core/choices/choices.h"
#include "passes/tvm/applies.h"

namespace passdiff {
namespace {

constexpr std::string_view kPrefix = "dlight.";

// The devices whose limits and sizes of groups the rules for GPUs tell apart. Metal is left out: TVM parses its intrinsics when they are first used,
// which takes a quarter of a minute.
constexpr std::string_view kDevices[] = {"nvidia/geforce-rtx-3090", "vulkan", "rocm", "webgpu", "opencl"};

std::string draw_device(Choices& choices, const Module&) {
  const std::string_view device = choices.pick(kDevices);
  return device == kDevices[0] ? "{}" : fmt::format(R"({{"$target":"{}"}})", device);
}

// The pass that applies rules.
constexpr std::string_view kRuleOf = "ApplyDefaultSchedule";
// To interpret what gpu.Matmul makes takes 40 ms, four times what most others take.
constexpr unsigned kMatmulWeight = 1, kWeight = 4;
// Of rules for which few cases have what they are about.
constexpr unsigned kSeldomMeant = 16;

// With as much in each function as fusion allows: rules inline what stands around the operation that they are about.
Pass rule(std::string_view name, bool (*applies)(const Module&) = nullptr, unsigned weight = kWeight) {
  const bool for_gpus = name.starts_with("gpu.");
  return {.name = std::string(kPrefix) + std::string(name),
          .contract = {.numerics = Numerics::reassociated,
                       .level = Level::legalised,
                       .idempotent = false,
                       .needs = {"LegalizeOps", "AnnotateTIROpPattern", "FuseOps", "FuseTIR"},
                       .alters = {"tirx.is_scheduled", kAltersVDevices}},
          .draw_options = for_gpus ? draw_device : nullptr,
          .applies = applies,
          .rule_of = kRuleOf,
          .weight = weight,
          .source = "tvm.s_tir.dlight." + std::string(name)};
}

// The rules of relax.backend.cuda's default pipeline, and of its like for other GPUs.
Pass default_rule(std::string_view name, bool (*applies)(const Module&) = nullptr, unsigned weight = kWeight) {
  Pass pass = rule(name, applies, weight);
  pass.in_default_pipeline = true;
  return pass;
}

Pass unsupported_rule(std::string_view name, std::string why) {
  Pass pass = rule(name);
  pass.unsupported = std::move(why);
  return pass;
}

}  // namespace

std::vector<Pass> dlight_passes() {
  const std::string textures = "it schedules functions over textures, which no pass here makes";
  return {
      default_rule("gpu.Matmul", nullptr, kMatmulWeight),
      default_rule("gpu.GEMV", has_matmul_by_vector, kSeldomMeant),
      default_rule("gpu.Reduction"),
      default_rule("gpu.GeneralReduction"),
      default_rule("gpu.Fallback"),
      rule("gpu.Transpose", has_permute_dims),
      rule("gpu.LowBatchGEMV", has_symbolic_matmul, kSeldomMeant),
      rule("gpu.RMSNorm", has_rms_norm, kSeldomMeant),
      rule("cpu.GEMV", has_matmul_by_vector, kSeldomMeant),
      rule("cpu.Reduction"),
      unsupported_rule("adreno.Conv2d", textures),
      unsupported_rule("adreno.Fallback", textures),
      unsupported_rule("adreno.LayoutTransform", textures),
      unsupported_rule("adreno.Pool2D", textures),
  };
}

bool is_dlight(std::string_view pass) {
  return pass.starts_with(kPrefix);
}

std::string_view dlight_target(std::string_view pass) {
  return pass.starts_with("dlight.cpu.") ? "llvm" : kDevices[0];
}

}  // namespace passdiff
