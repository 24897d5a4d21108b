// Writes any module of the compiler as a document (core/documents/json.md), ill-formed ones too.
#pragma once

#include <stdexcept>
#include <string>

#include "passes/tvm/adapter/ffi.h"

namespace passdiff {

// The module holds what documents lack; what() names it: "op relax.call_tir", "function PrimFunc".
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string encode_module(const ObjectRef& module);

}  // namespace passdiff
