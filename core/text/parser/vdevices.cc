#include "core/text/parser/vdevices.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/form/devices.h"
#include "core/text/parser/literals.h"

namespace passdiff {
namespace {

// The target of I.vdevice: its kind, given alone, with options ("llvm -mcpu=..."), or as a dict.
std::string target_kind(const Nodes& nodes, NodeIndex target) {
  if (target != kNoNode && nodes[target].kind == NodeKind::dict) {
    for (NodeIndex key = nodes[target].first; key != kNoNode;) {
      const NodeIndex value = nodes[key].sibling;
      if (nodes[key].text == "kind") {
        target = value;
        break;
      }
      key = nodes[value].sibling;
    }
  }
  if (target == kNoNode || nodes[target].kind != NodeKind::string) return VDevice().target;
  const std::string_view text = nodes[target].text;
  return std::string(text.substr(0, text.find(' ')));
}

// I.vdevice("llvm", 0, "global").
Result<VDevice> parse_vdevice(const Nodes& nodes, NodeIndex call) {
  const std::vector<NodeIndex> values =
      TRY(nodes.match_arguments(call, {"target", "vdevice_id", "memory_scope"}));
  const std::optional<std::int64_t> id = values[1] == kNoNode ? 0 : TRY(parse_int(nodes, values[1]));
  constexpr std::int64_t kMaxDevices = 1 << 16;
  if (!id || *id < 0 || *id > kMaxDevices) return nodes.error(call, "parse.vdevice", "a vdevice needs an id");
  VDevice device{.target = target_kind(nodes, values[0]), .id = static_cast<int>(*id)};
  if (values[2] != kNoNode) device.memory_scope = nodes[values[2]].text;
  return device;
}

// The device that the module does not list, as if it did. Its id is not in the text: there is one such device of a target and a scope.
VDeviceRef unlisted(std::vector<VDevice>& vdevices, std::string_view target, std::string_view scope) {
  VDevice device{.target = std::string(target)};
  if (!scope.empty()) device.memory_scope = scope;
  const auto found = std::find(vdevices.begin(), vdevices.end(), device);
  const auto index = static_cast<int>(found - vdevices.begin());
  if (found == vdevices.end()) vdevices.push_back(std::move(device));
  return {index};
}

Result<VDeviceRef> by_name(const Nodes& nodes, std::vector<VDevice>& vdevices, NodeIndex node) {
  const std::string_view text = nodes[node].text;
  const std::size_t colon = text.find(':');
  const std::string_view target = text.substr(0, colon);
  int wanted = 0;
  if (colon != std::string_view::npos) {
    const std::string_view number = text.substr(colon + 1);
    std::from_chars(number.data(), number.data() + number.size(), wanted);
    const std::size_t scope = number.find(':');
    if (wanted == -1) return unlisted(vdevices, target, scope == std::string_view::npos ? "" : number.substr(scope + 1));
  }
  int ordinal = 0;
  for (std::size_t i = 0; i < vdevices.size(); ++i) {
    const bool matches = target == "vdevice" || vdevices[i].target == target;
    if (matches && ordinal++ == wanted) return VDeviceRef{static_cast<int>(i)};
  }
  return nodes.error(node, "parse.vdevice", fmt::format("the module has no vdevice {}", text));
}

Result<VDeviceRef> by_declaration(const Nodes& nodes, std::span<const VDevice> vdevices, NodeIndex node) {
  const VDevice wanted = TRY(parse_vdevice(nodes, node));
  const auto found = std::find(vdevices.begin(), vdevices.end(), wanted);
  if (found != vdevices.end()) return VDeviceRef{static_cast<int>(found - vdevices.begin())};
  return nodes.error(node, "parse.vdevice", "the module has no such vdevice");
}

// R.device(device_type=1, index=0), R.device("cuda", 0), R.cpu(0), tvm.cuda(). `function` is what is called.
Result<VDeviceRef> by_device(const Nodes& nodes, std::span<const VDevice> vdevices, NodeIndex node,
                             std::string_view function) {
  const bool generic = function == "device";
  const std::vector<NodeIndex> values = generic ? TRY(nodes.match_arguments(node, {"device_type", "index"}))
                                                : TRY(nodes.match_arguments(node, {"dev_id"}));
  const std::optional<std::int64_t> index =
      values.back() == kNoNode ? 0 : TRY(parse_int(nodes, values.back()));
  std::int64_t wanted = device_type(function);
  if (generic && values[0] != kNoNode) {
    const bool named = nodes[values[0]].kind == NodeKind::string;
    wanted = named ? device_type(nodes[values[0]].text) : TRY(parse_int(nodes, values[0])).value_or(0);
  }
  for (std::size_t i = 0; wanted != 0 && i < vdevices.size(); ++i) {
    if (vdevices[i].id == index && device_type(vdevices[i].target) == wanted) {
      return VDeviceRef{static_cast<int>(i)};
    }
  }
  return nodes.error(node, "parse.vdevice", "the module has no vdevice of that device");
}

}  // namespace

Result<std::vector<NodeIndex>> parse_global_infos(const Nodes& nodes, NodeIndex call, std::string_view kind) {
  const NodeIndex dict = nodes.child(call, 1);
  if (dict == kNoNode || nodes[dict].kind != NodeKind::dict) {
    return nodes.error(call, "parse.vdevice", "a dict is expected");
  }
  std::vector<NodeIndex> entries;
  for (NodeIndex key = nodes[dict].first; key != kNoNode; key = nodes[nodes[key].sibling].sibling) {
    if (nodes[key].text != kind) continue;
    for (const NodeIndex one : nodes.children(nodes[key].sibling)) entries.push_back(one);
  }
  return entries;
}

Result<std::vector<VDevice>> parse_vdevices(const Nodes& nodes, NodeIndex call) {
  std::vector<VDevice> vdevices;
  for (const NodeIndex one : TRY(parse_global_infos(nodes, call, "vdevice"))) {
    if (nodes.call_path(one, "I") != "vdevice") {
      return nodes.error(one, "parse.vdevice", "I.vdevice(...) is expected");
    }
    vdevices.push_back(TRY(parse_vdevice(nodes, one)));
  }
  return vdevices;
}

Result<VDeviceRef> parse_vdevice_ref(const Nodes& nodes, std::vector<VDevice>& vdevices, NodeIndex node) {
  if (nodes[node].kind == NodeKind::string) return by_name(nodes, vdevices, node);
  if (nodes.call_path(node, "I") == "vdevice") return by_declaration(nodes, vdevices, node);
  std::string function = nodes.call_path(node, "R");
  if (function.empty()) function = nodes.call_path(node, "tvm");
  if (!function.empty()) return by_device(nodes, vdevices, node, function);
  return nodes.error(node, "parse.vdevice", "a vdevice is expected, such as \"llvm:0:global\"");
}

}  // namespace passdiff
