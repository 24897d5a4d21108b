#include "fuzz/cli/progress_printer.h"

#include <sys/ioctl.h>
#include <unistd.h>
#include <cstdio>
#include <string>
#include <vector>

#include "fuzz/campaign/report.h"
#include "fuzz/cli/streams.h"
#include "fuzz/views/live_view.h"

namespace passdiff {
namespace {

TerminalSize terminal_size() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {.columns = size.ws_col, .rows = size.ws_row};
}

}  // namespace

ProgressPrinter::ProgressPrinter(double limit) : limit_(limit), terminal_(can_draw(STDERR_FILENO)) {}

void ProgressPrinter::operator()(const Progress& progress) {
  if (!progress.news.empty()) {
    end();
    std::fprintf(stderr, "found: %s\n", progress.news.c_str());
  }
  if (terminal_) {
    draw(progress);
  } else if (const auto now = std::chrono::steady_clock::now(); now >= next_line_) {
    std::fprintf(stderr, "%s\n", progress_line(progress).c_str());
    next_line_ = now + std::chrono::seconds(10);
  }
  std::fflush(stderr);
}

void ProgressPrinter::draw(const Progress& progress) {
  end();
  const std::vector<std::string> lines = live_view(progress, limit_, terminal_size());
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  std::fputs(text.c_str(), stderr);
  drawn_ = lines.size();
}

void ProgressPrinter::end() {
  if (drawn_ > 0) std::fprintf(stderr, "\x1b[%zuF\x1b[J", drawn_);  // up to the first line of the view, and clear from there
  drawn_ = 0;
}

}  // namespace passdiff
