// Arguments that are given beforehand: by the weights and sizes that a recorded pass binds, for one.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/tensor/value.h"

namespace passdiff {

// What some arguments of a function have to be.
struct BoundArguments {
  std::map<std::string, Value> values;         // by parameter
  std::map<std::string, std::int64_t> sizes;  // by symbolic dim
};

}  // namespace passdiff
