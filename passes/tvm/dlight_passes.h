// The rows of dlight's schedule rules, which give functions of TensorIR the loops and the memory of a device.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "passes/pass.h"

namespace passdiff {

// "dlight.gpu.Matmul" is tvm.s_tir.dlight.gpu.Matmul, applied alone by tvm.s_tir.dlight.ApplyDefaultSchedule, under a device of its kind: the option
// "$target", or `dlight_target`. No such device is needed: what a rule makes is interpreted, and compiled for the CPU, thread by thread.
std::vector<Pass> dlight_passes();

bool is_dlight(std::string_view pass);
// The device under which the rule is run where options leave it out, as Target's constructor takes it.
std::string_view dlight_target(std::string_view pass);

}  // namespace passdiff
