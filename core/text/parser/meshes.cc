#include "core/text/parser/meshes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "core/text/parser/literals.h"
#include "core/text/parser/vdevices.h"

namespace passdiff {
namespace {

// I.Range(0, 4), with the end that it does not reach; R.Range where TVM prints a mesh by itself.
Result<std::vector<std::int64_t>> parse_range(const Nodes& nodes, NodeIndex call) {
  const bool is_range = nodes.call_path(call, "I") == "Range" || nodes.call_path(call, "R") == "Range";
  if (!is_range) return nodes.error(call, "parse.mesh", "the ids of devices are a list or a range");
  const std::vector<NodeIndex> values = TRY(nodes.match_arguments(call, {"begin", "end"}));
  if (values[0] == kNoNode || values[1] == kNoNode) return nodes.error(call, "parse.mesh", "a range needs two ends");
  const std::optional<std::int64_t> begin = TRY(parse_int(nodes, values[0]));
  const std::optional<std::int64_t> end = TRY(parse_int(nodes, values[1]));
  if (!begin || !end || *begin < 0 || *end < *begin || *end > kMostDevices) return nodes.error(call, "parse.mesh", "no range of devices");
  std::vector<std::int64_t> ids(static_cast<std::size_t>(*end - *begin));
  std::iota(ids.begin(), ids.end(), *begin);
  return ids;
}

Result<DeviceMesh> parse_mesh(const Nodes& nodes, NodeIndex call) {
  const std::vector<NodeIndex> values = TRY(nodes.match_arguments(call, {"shape", "device_ids"}));
  const std::optional<std::vector<std::int64_t>> shape =
      values[0] == kNoNode ? std::nullopt : TRY(parse_ints(nodes, values[0]));
  if (!shape || values[1] == kNoNode) return nodes.error(call, "parse.mesh", "a mesh needs a shape and the ids of devices");
  DeviceMesh mesh{.shape = *shape, .device_ids = {}};
  if (std::optional<std::vector<std::int64_t>> ids = TRY(parse_ints(nodes, values[1]))) {
    mesh.device_ids = *std::move(ids);
  } else {
    mesh.device_ids = TRY(parse_range(nodes, values[1]));
    mesh.is_range = true;
  }
  const std::optional<std::int64_t> places = count_devices(mesh.shape);
  if (!places) return nodes.error(call, "parse.mesh", "a mesh of no such size");
  if (*places != std::ssize(mesh.device_ids))
    return nodes.error(call, "parse.mesh", fmt::format("a mesh of {} places has {} devices", *places, mesh.device_ids.size()));
  return mesh;
}

}  // namespace

Result<std::vector<DeviceMesh>> parse_meshes(const Nodes& nodes, NodeIndex call) {
  std::vector<DeviceMesh> meshes;
  for (const NodeIndex one : TRY(parse_global_infos(nodes, call, "mesh"))) {
    if (nodes.call_path(one, "R") != "device_mesh") return nodes.error(one, "parse.mesh", "R.device_mesh(...) is expected");
    meshes.push_back(TRY(parse_mesh(nodes, one)));
  }
  return meshes;
}

Result<MeshRef> parse_mesh_ref(const Nodes& nodes, std::vector<DeviceMesh>& meshes, NodeIndex node) {
  if (nodes.call_path(node, "R") == "device_mesh") {
    DeviceMesh mesh = TRY(parse_mesh(nodes, node));
    const auto found = std::find(meshes.begin(), meshes.end(), mesh);
    const auto index = static_cast<int>(found - meshes.begin());
    if (found == meshes.end()) meshes.push_back(std::move(mesh));
    return MeshRef{index};
  }
  constexpr std::string_view kBefore = "mesh[";
  const std::string_view text = nodes[node].kind == NodeKind::string ? nodes[node].text : std::string_view();
  if (!text.starts_with(kBefore) || !text.ends_with(']'))
    return nodes.error(node, "parse.mesh", "a mesh is expected, such as \"mesh[0]\"");
  std::size_t index = 0;
  const char* const end = text.data() + text.size() - 1;
  const auto [rest, error] = std::from_chars(text.data() + kBefore.size(), end, index);
  if (error != std::errc() || rest != end || index >= meshes.size())
    return nodes.error(node, "parse.mesh", fmt::format("the module has no {}", text));
  return MeshRef{static_cast<int>(index)};
}

Result<Placement> parse_placement(const Nodes& nodes, NodeIndex node) {
  const bool is_text = nodes[node].kind == NodeKind::string;
  if (std::optional<Placement> read = is_text ? placement_from_text(nodes[node].text) : std::nullopt) return *std::move(read);
  return nodes.error(node, "parse.mesh", "a placement is expected, such as \"S[0], R\"");
}

}  // namespace passdiff
