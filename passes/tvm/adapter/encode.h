// Writes any module of the compiler as a document (core/documents/json.md), ill-formed ones too.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "passes/tvm/adapter/ffi.h"
#include "passes/tvm/adapter/known_prim_funcs.h"

namespace passdiff {

// The module holds what documents lack; what() names it: "type DTensorType", "function ExternFunc".
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Functions of TensorIR that are in `known` are not walked through again, and others are added to it; null: all are walked through.
std::vector<std::uint8_t> encode_module(const ObjectRef& module, KnownPrimFuncs* known = nullptr);

}  // namespace passdiff
