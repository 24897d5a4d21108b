#include "fuzz/cli/streams.h"

#include <fcntl.h>
#include <unistd.h>
#include <cstdlib>

#include <gtest/gtest.h>

namespace passdiff {
namespace {

TEST(Streams, OnlyTerminalsThatAreNotDumbDraw) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) GTEST_SKIP() << "no pseudoterminals here";
  ::setenv("TERM", "xterm", 1);
  EXPECT_TRUE(can_draw(terminal));
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(can_draw(terminal));
  ::unsetenv("TERM");
  EXPECT_FALSE(can_draw(terminal));
  ::close(terminal);
  ::setenv("TERM", "xterm", 1);
  EXPECT_FALSE(can_draw(::open("/dev/null", O_WRONLY)));
}

}  // namespace
}  // namespace passdiff
