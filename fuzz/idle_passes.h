// Passes of TVM that by their nature change nothing in generated modules.
#pragma once

#include <string_view>

namespace passdiff {

// Why the pass of this name cannot be expected to change generated modules; empty if it can.
std::string_view idle_because(std::string_view pass);

}  // namespace passdiff
