// Builds the compiler's module from a document (core/documents/json.md), exactly as the document has it: no
// renaming, no merging of blocks. The type of each binding is the compiler's own inference, which is compared
// with the document's.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "passes/tvm/adapter/ffi.h"

namespace passdiff {

// The bytes are no module document, or one that cannot be.
struct DocumentError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Why a source is refused by the adapter itself. Errors that the compiler throws are ffi::Errors.
struct Refusal : std::runtime_error {
  Refusal(const char* refusal_kind, const std::string& message)
      : std::runtime_error(message), kind(refusal_kind) {}
  const char* kind;  // "TypeDiffers": its inference and ours contradict each other
};

// Throws Refusal, ffi::Error or DocumentError.
ObjectRef build_module(std::span<const std::uint8_t> document);

}  // namespace passdiff
