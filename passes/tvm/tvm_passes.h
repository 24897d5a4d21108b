// The contract table of TVM's passes, and the contracts that a plugin declares for its own.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "core/result.h"
#include "passes/pass.h"

namespace passdiff {

// One row for each name of tvm.relax.transform, those that cannot be driven included.
std::span<const Pass> tvm_pass_table();

// An entry of the host's list that the table lacks: {"name", "contract": {"convention", "numerics", "level",
// "idempotent", "rejections"}}. All is optional but the name; without claims a pass is held to little
// (re-associated numerics, not idempotent). Fails with subject.plugin.
Result<Pass> plugin_pass(const nlohmann::json& entry);

}  // namespace passdiff
