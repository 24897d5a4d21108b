#include "fuzz/cli/status_line.h"

#include <unistd.h>
#include <cstdio>

namespace passdiff {

StatusLine::StatusLine() : terminal_(isatty(STDERR_FILENO) != 0) {}

void StatusLine::show(const std::string& text) const {
  if (!terminal_) return;
  std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
  std::fflush(stderr);
}

}  // namespace passdiff
