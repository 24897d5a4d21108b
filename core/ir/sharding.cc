#include "core/ir/sharding.h"

#include <charconv>

namespace passdiff {

std::optional<std::int64_t> count_devices(std::span<const std::int64_t> shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size < 0 || size > kMostDevices) return std::nullopt;
    count *= size;
    if (count > kMostDevices) return std::nullopt;
  }
  return count;
}

std::string to_string(const Placement& placement) {
  std::string text;
  for (const int axis : placement) {
    if (!text.empty()) text += ", ";
    text += axis == kReplica ? "R" : "S[" + std::to_string(axis) + "]";
  }
  return text;
}

std::optional<Placement> placement_from_text(std::string_view text) {
  Placement placement;
  while (!text.empty()) {
    const char first = text.front();
    text.remove_prefix(1);
    if (first == ',' || first == ' ') continue;
    if (first == 'R') {
      placement.push_back(kReplica);
      continue;
    }
    const std::size_t end = text.find(']');
    if (first != 'S' || !text.starts_with('[') || end == std::string_view::npos) return std::nullopt;
    int axis = 0;
    const auto [rest, error] = std::from_chars(text.data() + 1, text.data() + end, axis);
    if (error != std::errc() || rest != text.data() + end || axis < 0) return std::nullopt;
    placement.push_back(axis);
    text.remove_prefix(end + 1);
  }
  return placement;
}

}  // namespace passdiff
