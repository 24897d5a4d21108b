#include "fuzz/cli/status_line.h"

#include <unistd.h>
#include <cstdio>

#include "fuzz/cli/streams.h"

namespace passdiff {

StatusLine::StatusLine() : terminal_(can_draw(STDERR_FILENO)) {}

void StatusLine::show(const std::string& text) const {
  if (!terminal_) return;
  std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
  std::fflush(stderr);
}

}  // namespace passdiff
