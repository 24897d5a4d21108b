// A parsed document as a flat list of items in document order: what the readers of modules and values walk.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace passdiff {

enum class ItemKind : std::uint8_t { null, boolean, integer, number, string, bytes, array, map };

// Containers stand before what they hold; a map's keys and values alternate, and each key is a string.
struct Item {
  ItemKind kind = ItemKind::null;
  std::uint32_t count = 0;  // elements of an array, pairs of a map
  std::uint32_t next = 0;   // the item after this one and all that it holds
  std::int64_t integer = 0;
  double number = 0;
  std::string_view text;  // of a string; points into the input or into Document::owned
};

using ItemIndex = std::uint32_t;  // 0 is the root, so that as a child it stands for "absent"

struct Document {
  std::vector<Item> items;
  std::deque<std::string> owned;  // texts that the input holds in pieces

  const Item& operator[](ItemIndex at) const { return items[at]; }
  ItemIndex after(ItemIndex at) const { return items[at].next; }
  // The value of a key, or 0.
  ItemIndex find(ItemIndex map, std::string_view key) const;
  // Where an item is: functions[0].body[1], or "document" for the root.
  std::string path(ItemIndex at) const;
};

}  // namespace passdiff
