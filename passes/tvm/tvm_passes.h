// The contract table of TVM's passes, and the contracts that a plugin declares for its own.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "core/result.h"
#include "passes/pass.h"

namespace passdiff {

// A row for each name of tvm.relax.transform, including those that cannot be driven, for the passes of tvm.relax.backend that are driven, and for
// the passes over TensorIR (tir_passes.h).
std::span<const Pass> tvm_pass_table();

// The pass of a plugin, from its entry in the host's list: {"name", "unmade", "contract": {"convention", "numerics", "level", "idempotent",
// "executes", "inlines", "rejections", "needs", "alters"}}. All but the name is optional; a pass without claims is held to little (reassociated
// numerics, not idempotent). Fails with subject.plugin.
Result<Pass> plugin_pass(const nlohmann::json& entry);

}  // namespace passdiff
