// The runtime devices that the targets of vdevices run on. R.hint_on_device names a device, not a vdevice.
#pragma once

#include <cstdint>
#include <string_view>

namespace passdiff {

// DLPack's number for the device of a target kind or of TVM's function for it ("cuda", "llvm", "cpu"); 0 if
// unknown.
std::int64_t device_type(std::string_view target_or_function);

}  // namespace passdiff
