// Standard streams: what could not be written must not go unnoticed, and what a terminal understands.
#pragma once

namespace passdiff {

// Opens each standard stream that was closed when the program started, so that no file of its own gets that number. Writing to standard
// output then fails still.
void open_missing_streams();

// Writes what standard output still holds. Returns the exit code; where some of the output could not be written, prints a message and
// returns kExitUsage in place of a code that would say that all went well. A reader that has closed the pipe, as `head` does, is no error.
int flush_output(int code);

// Whether the stream is a terminal that knows colours and moves its cursor. One whose TERM is not set, or `dumb`, does not.
bool can_draw(int stream);

}  // namespace passdiff
