#include "core/documents/json_document.h"

namespace passdiff {

ItemIndex Document::find(ItemIndex map, std::string_view key) const {
  if (items[map].kind != ItemKind::map) return 0;
  ItemIndex at = map + 1;
  for (std::uint32_t i = 0; i < items[map].count; ++i) {
    const ItemIndex value = at + 1;
    if (items[at].text == key) return value;
    at = after(value);
  }
  return 0;
}

std::string Document::path(ItemIndex target) const {
  std::string path;
  ItemIndex at = 0;
  while (at != target && items[at].count > 0) {
    const bool is_map = items[at].kind == ItemKind::map;
    ItemIndex child = at + 1;
    std::uint32_t position = 0;
    std::string_view key;
    for (;; ++position) {
      if (is_map) key = items[child++].text;
      if (target < items[child].next) break;
      child = after(child);
    }
    if (is_map) {
      path += path.empty() ? "" : ".";
      path += key;
    } else {
      path += "[" + std::to_string(position) + "]";
    }
    if (child > target) break;  // the target is this member's key
    at = child;
  }
  return path.empty() ? "document" : path;
}

}  // namespace passdiff
