// Builds the compiler's module from a document (core/documents/json.md), exactly as the document has it: nothing is renamed, no blocks
// are merged. The compiler infers the type of each binding, which is compared with the one in the document.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "passes/tvm/adapter/ffi.h"

namespace passdiff {

// The bytes are no module document, or one that cannot be built.
struct DocumentError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The adapter refuses a source. Errors of the compiler itself are ffi::Errors.
struct Refusal : std::runtime_error {
  Refusal(const char* refusal_kind, const std::string& message)
      : std::runtime_error(message), kind(refusal_kind) {}
  const char* kind;  // "TypeDiffers": its inference and ours contradict each other
};

// Whose types the bindings and results of the built module have. declared: the document's, or the compiler's own where it knows
// less; what contradicts the compiler's inference is refused. trusted: as declared, but of op calls types whose dtype and dimensions are given
// are taken unseen. inferred: the compiler's own everywhere.
enum class BuiltTypes : std::uint8_t { declared, trusted, inferred };

// Throws Refusal, ffi::Error or DocumentError.
ObjectRef build_module(std::span<const std::uint8_t> document, BuiltTypes types = BuiltTypes::declared);

}  // namespace passdiff
