// Attributes of op calls, functions and modules. A header of its own, without expressions: TVM's adapter, which does not
// link the IR, makes the compiler's attributes of these.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/tensor/dtype.h"

namespace passdiff {

struct VDeviceRef {
  int index = 0;  // into Module::vdevices
  bool operator==(const VDeviceRef&) const = default;
};

// The value of an attribute. monostate is Python's None.
using AttrValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, DType, VDeviceRef,
                               std::vector<std::int64_t>>;
// Attributes of an op call, in the order of the attribute parameters of its OpDef.
using Attrs = std::vector<AttrValue>;
// Attributes of a function or module, by name.
using NamedAttrs = std::map<std::string, AttrValue>;

}  // namespace passdiff
