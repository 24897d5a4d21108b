#include "core/form/devices.h"

#include <array>
#include <utility>

namespace passdiff {

std::int64_t device_type(std::string_view target_or_function) {
  // dlpack.h, DLDeviceType.
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 10> kTypes = {{{"cpu", 1},
                                                                                 {"llvm", 1},
                                                                                 {"c", 1},
                                                                                 {"cuda", 2},
                                                                                 {"opencl", 4},
                                                                                 {"vulkan", 7},
                                                                                 {"metal", 8},
                                                                                 {"rocm", 10},
                                                                                 {"webgpu", 15},
                                                                                 {"hexagon", 16}}};
  for (const auto& [name, type] : kTypes) {
    if (name == target_or_function) return type;
  }
  return 0;
}

}  // namespace passdiff
