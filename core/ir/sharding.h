// Meshes of devices, and how distributed tensors (`R.DTensor`) are spread over them. A header without types, which TVM's adapter uses, too.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace passdiff {

// A logical grid of devices, over which tensors are spread (Sharding).
struct DeviceMesh {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> device_ids;  // in row-major order
  bool is_range = false;                 // TVM keeps whether they were given as one: I.Range(0, 4)
  bool operator==(const DeviceMesh&) const = default;
};

// The most devices that readers take in a mesh.
inline constexpr std::int64_t kMostDevices = 1 << 16;
// How many devices a mesh of this shape has; nothing if a size is negative, or if there are more than kMostDevices.
std::optional<std::int64_t> count_devices(std::span<const std::int64_t> shape);

// By dim of a mesh: the axis of the tensor that is split along it, or kReplica where each device has all of the tensor.
using Placement = std::vector<int>;
inline constexpr int kReplica = -1;

// That of one tensor. Its shape and its values are those of the whole tensor.
struct Sharding {
  int mesh = 0;  // index into Module::meshes
  Placement placement;
  bool operator==(const Sharding&) const = default;
};

// The placement as TVMScript has it: "S[0], R".
std::string to_string(const Placement& placement);
// Nothing for what is no placement. Commas and spaces may be missing.
std::optional<Placement> placement_from_text(std::string_view text);

}  // namespace passdiff
