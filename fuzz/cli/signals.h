// Stopping long work by SIGINT or SIGTERM.
#pragma once

#include <atomic>

namespace passdiff {

// From here on the first SIGINT or SIGTERM asks for an orderly end, with a report; the second ends the
// program at once, unless it follows within a third of a second.
void stop_on_signals();
const std::atomic<bool>& stop_requested();

}  // namespace passdiff
