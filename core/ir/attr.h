// Attributes of op calls, functions and modules. A header of its own, without expressions: TVM's adapter, which does not
// link the IR, makes the compiler's attributes of these.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/ir/index_map.h"
#include "core/match.h"
#include "core/tensor/dtype.h"

namespace passdiff {

struct VDeviceRef {
  int index = 0;  // into Module::vdevices
  bool operator==(const VDeviceRef&) const = default;
};

struct MeshRef {
  int index = 0;  // into Module::meshes
  bool operator==(const MeshRef&) const = default;
};

// How many virtual devices and meshes a module has, which types and attributes name by their indices.
struct GlobalInfos {
  std::size_t vdevices = 0;
  std::size_t meshes = 0;
  auto operator<=>(const GlobalInfos&) const = default;
};

struct AttrValue;
// A list of anything but integers alone: those, and the empty list, are a std::vector<std::int64_t> (see list_attr).
struct AttrList {
  std::vector<AttrValue> items;
  friend bool operator==(const AttrList& a, const AttrList& b);
};
struct AttrMap {
  std::map<std::string, AttrValue> entries;
  friend bool operator==(const AttrMap& a, const AttrMap& b);
};

using AttrKinds = std::variant<std::monostate, bool, std::int64_t, double, std::string, DType, VDeviceRef,
                               std::vector<std::int64_t>, AttrList, AttrMap, IndexMap, MeshRef>;
// The value of an attribute. monostate is Python's None. It is copied, moved and destroyed out of line (attr.cc): each file that includes this would
// compile that for all kinds.
struct AttrValue : AttrKinds {
  using AttrKinds::AttrKinds;
  AttrValue();
  AttrValue(const AttrValue& other);
  AttrValue(AttrValue&& other) noexcept;
  AttrValue& operator=(const AttrValue& other);
  AttrValue& operator=(AttrValue&& other) noexcept;
  ~AttrValue();
};
inline bool operator==(const AttrList& a, const AttrList& b) {
  return a.items == b.items;
}
inline bool operator==(const AttrMap& a, const AttrMap& b) {
  return a.entries == b.entries;
}
// A writer of attributes tells all kinds apart with match (core/match.h), so that a new kind does not compile before it says
// what it does with it. A reader cannot be told so; each asserts that it knows this many kinds.
inline constexpr std::size_t kAttrKinds = std::variant_size_v<AttrKinds>;

// The list of these values, in the kind that such a list has.
inline AttrValue list_attr(std::vector<AttrValue> items) {
  std::vector<std::int64_t> numbers;
  for (const AttrValue& item : items) {
    const auto* number = std::get_if<std::int64_t>(&item);
    if (number == nullptr) return AttrList{std::move(items)};
    numbers.push_back(*number);
  }
  return numbers;
}

// Calls `visit` with each virtual device in the attribute.
template <class Visit>
void for_each_vdevice(const AttrValue& value, Visit&& visit) {
  match(
      value, [&](const VDeviceRef& device) { visit(device); },
      [&](const AttrList& list) {
        for (const AttrValue& item : list.items) for_each_vdevice(item, visit);
      },
      [&](const AttrMap& map) {
        for (const auto& [key, item] : map.entries) for_each_vdevice(item, visit);
      },
      [](const OneOf<std::monostate, bool, std::int64_t, double, std::string, DType,
                     std::vector<std::int64_t>, IndexMap, MeshRef> auto&) {});
}
inline bool names_vdevice(const AttrValue& value) {
  bool found = false;
  for_each_vdevice(value, [&](VDeviceRef) { found = true; });
  return found;
}

// Attributes of an op call, in the order of the attribute parameters of its OpDef.
using Attrs = std::vector<AttrValue>;
// Attributes of a function or module, by name.
using NamedAttrs = std::map<std::string, AttrValue>;

}  // namespace passdiff
