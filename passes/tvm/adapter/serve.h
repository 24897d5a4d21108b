// Requests that are answered without a step through Python: "transform" with passes that were made before.
#pragma once

#include <optional>
#include <string_view>

#include "passes/tvm/adapter/ffi.h"
#include "passes/tvm/adapter/worker.h"

namespace passdiff {

// Keeps the pass of this name for requests that ask for it with these options, a JSON object. The options must not refer to the module at hand.
void remember_pass(std::string_view name, std::string_view options, ObjectRef pass);

// Answers such requests. Returns the parts of the first that needs Python, or nothing after `most` answers. Ends the process if the client is
// gone; throws for what is no frame.
std::optional<Worker::Frame> serve(std::int64_t most);

}  // namespace passdiff
