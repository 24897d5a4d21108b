#include "fuzz/cli/text_diff.h"

#include "fuzz/views/line_diff.h"

namespace passdiff {

std::string text_diff(std::string_view before, std::string_view after, bool colour) {
  const auto a = lines_of(before);
  const auto b = lines_of(after);
  std::string text;
  const auto put = [&](std::string_view mark, std::string_view paint, std::string_view line) {
    const bool painted = colour && !paint.empty();
    text.append(painted ? paint : "").append(mark).append(line).append(painted ? "\x1b[0m" : "").append("\n");
  };
  for (const DiffStep& step : difference(a, b)) {
    switch (step.kind) {
      case DiffKind::kept:
        put("  ", "", a[step.before]);
        break;
      case DiffKind::removed:
        put("- ", "\x1b[31m", a[step.before]);
        break;
      case DiffKind::added:
        put("+ ", "\x1b[32m", b[step.after]);
        break;
    }
  }
  return text;
}

}  // namespace passdiff
