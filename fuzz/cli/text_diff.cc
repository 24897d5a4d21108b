#include "fuzz/cli/text_diff.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace passdiff {
namespace {

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// common[i][j]: the length of the longest common subsequence of a from i on and b from j on.
std::vector<std::vector<std::size_t>> common_lengths(const Lines& a, const Lines& b) {
  std::vector common(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  return common;
}

}  // namespace

std::string text_diff(std::string_view before, std::string_view after, bool colour) {
  const Lines a = lines_of(before);
  const Lines b = lines_of(after);
  const auto common = common_lengths(a, b);
  std::string text;
  const auto put = [&](std::string_view mark, std::string_view paint, std::string_view line) {
    const bool painted = colour && !paint.empty();
    text.append(painted ? paint : "").append(mark).append(line).append(painted ? "\x1b[0m" : "").append("\n");
  };
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      put("  ", "", a[i]);
      ++i, ++j;
    } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
      put("- ", "\x1b[31m", a[i++]);
    } else {
      put("+ ", "\x1b[32m", b[j++]);
    }
  }
  return text;
}

}  // namespace passdiff
