// TVM's passes over TensorIR.
#pragma once

#include <vector>

#include "passes/pass.h"

namespace passdiff {

// The passes of the default pipeline that lowers functions of TensorIR on a CPU (s_tir/pipeline.py), up to the one that splits host
// from device, each after those before it; and passes beside that pipeline. They see the functions that LegalizeOps and FuseTIR make.
std::vector<Pass> tir_passes();

}  // namespace passdiff
