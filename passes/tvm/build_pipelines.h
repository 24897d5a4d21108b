// The pipelines of Relax that TVM itself runs when it builds a module for a CPU.
#pragma once

#include <span>

#include "passes/pass.h"

namespace passdiff {

std::span<const BuildPipeline> tvm_build_pipelines();

}  // namespace passdiff
