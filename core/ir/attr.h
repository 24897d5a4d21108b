// Attributes of op calls, functions and modules. A header of its own, without expressions: TVM's adapter, which does not
// link the IR, makes the compiler's attributes of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/match.h"
#include "core/tensor/dtype.h"

namespace passdiff {

struct VDeviceRef {
  int index = 0;  // into Module::vdevices
  bool operator==(const VDeviceRef&) const = default;
};

// The value of an attribute. monostate is Python's None.
using AttrValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, DType, VDeviceRef,
                               std::vector<std::int64_t>>;
// A writer of attributes tells all kinds apart with match (core/match.h), so that a new kind does not compile before it says
// what it does with it. A reader cannot be told so; each asserts that it knows this many kinds.
inline constexpr std::size_t kAttrKinds = std::variant_size_v<AttrValue>;

// Calls `visit` with each virtual device in the attribute.
template <class Visit>
void for_each_vdevice(const AttrValue& value, Visit&& visit) {
  match(
      value, [&](const VDeviceRef& device) { visit(device); },
      [](const OneOf<std::monostate, bool, std::int64_t, double, std::string, DType, std::vector<std::int64_t>> auto&) {});
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
