// Runtime devices: R.hint_on_device names one of these, where types and R.to_vdevice name a virtual device of the
// module.
#pragma once

#include <cstdint>
#include <string_view>

namespace passdiff {

// DLPack's number of the runtime device that a target kind ("llvm", "cuda") runs on, or that one of TVM's functions
// (R.cpu, tvm.cuda) stands for; 0 if the name is not known.
std::int64_t device_type(std::string_view target_or_function);

}  // namespace passdiff
