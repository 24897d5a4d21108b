// The request "transform" of PROTOCOL.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "passes/tvm/adapter/ffi.h"

namespace passdiff {

using Passes = ffi::Array<ObjectRef>;

struct TransformRequest {
  std::int64_t id = 0;
  std::span<const std::uint8_t> document;
  ObjectRef module{
      nullptr};  // the document's module, if it is built already: options may refer to parts of it
  ffi::Array<Any> pipelines;  // Passes, or the RESULT as JSON where they could not be made
  bool snapshots = false;
  bool well_formed = false;
  bool again = false;        // the last pass of each pipeline is run even if what it makes is known from an earlier run
  std::size_t together = 0;  // so many of the last passes are run by the compiler's Sequential
  bool interprets_constants = false;  // constants.h
  bool trusts_types = false;          // types are not inferred only to hold declared ones against them
};

// The reply as a frame.
std::vector<std::uint8_t> transform(const TransformRequest& request);

}  // namespace passdiff
