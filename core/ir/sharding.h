// How distributed tensors (`R.DTensor`) are spread over the devices of a mesh. A header without types, which TVM's adapter uses, too.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace passdiff {

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
