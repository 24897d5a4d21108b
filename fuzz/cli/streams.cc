#include "fuzz/cli/streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "fuzz/cli/commands.h"

namespace passdiff {
namespace {

// Whether nobody reads standard output any more. An error that was met earlier has left no errno: the pipe itself is asked.
bool reader_is_gone() {
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace

void open_missing_streams() {
  // Output is opened for reading, so that writing there fails; what is written to standard error is of no use to anyone, and no error.
  for (const auto [stream, mode] : {std::pair(STDIN_FILENO, O_RDONLY), {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}}) {
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) static_cast<void>(::open("/dev/null", mode));  // gets the lowest free number
  }
}

int flush_output(int code) {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int error = flushed ? 0 : errno;
  if ((flushed && std::ferror(stdout) == 0) || reader_is_gone()) return code;
  std::fprintf(stderr, "passdiff: standard output cannot be written%s%s\n", error == 0 ? "" : ": ", error == 0 ? "" : std::strerror(error));
  return code == kExitClean || code == kExitFindings ? kExitUsage : code;
}

bool can_draw(int stream) {
  const char* terminal = std::getenv("TERM");
  return ::isatty(stream) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace passdiff
