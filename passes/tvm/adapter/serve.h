// Requests that are answered without a step through Python: "transform" with passes that were made before.
#pragma once

#include <optional>
#include <string_view>

#include "passes/tvm/adapter/ffi.h"
#include "passes/tvm/adapter/worker.h"

namespace passdiff {

// The pass of this name that is kept for these options, a JSON object; null if there is none.
ObjectRef remembered_pass(std::string_view name, std::string_view options);
// Keeps the pass of this name for requests that ask for it with these options, which must not refer to the module at hand.
void remember_pass(std::string_view name, std::string_view options, ObjectRef pass);

// Answers such requests. Returns the parts of the first that needs Python, or nothing after `most` answers. Ends the process if the client is
// gone; throws for what is no frame.
std::optional<Worker::Frame> serve(std::int64_t most);

}  // namespace passdiff
