// Writes any module of the compiler as a document (core/documents/json.md), ill-formed ones too.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "passes/tvm/adapter/ffi.h"

namespace passdiff {

// The module holds what documents lack; what() names it: "type DTensorType", "function ExternFunc".
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::vector<std::uint8_t> encode_module(const ObjectRef& module);

}  // namespace passdiff
