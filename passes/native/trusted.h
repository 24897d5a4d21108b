// Native passes as tools: what reductions and campaigns make plainer cases with.
#pragma once

#include <optional>

#include "core/ir/module.h"
#include "passes/pass.h"

namespace passdiff {

// The module after these native passes, one after the other; nothing if they change nothing, or one of them fails.
std::optional<Module> by_native_passes(const Module& module, const Pipeline& passes);

// The expression as TirSimplify leaves it; the same object if it changes nothing.
tir::Expr simplified(const tir::Expr& expr);

}  // namespace passdiff
