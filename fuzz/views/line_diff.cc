#include "fuzz/views/line_diff.h"

#include <algorithm>

namespace passdiff {
namespace {

using Texts = std::span<const std::string_view>;

// Cells of the table of common subsequences: 4 million take 32 MB, and some milliseconds to fill.
constexpr std::size_t kMostCells = std::size_t{1} << 22;

// common[i][j]: the length of the longest common subsequence of a from i on and b from j on.
std::vector<std::vector<std::size_t>> common_lengths(Texts a, Texts b) {
  std::vector common(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  return common;
}

// Appends the steps of two sequences that start at `start` in both.
void add_steps(Texts a, Texts b, std::size_t start, std::vector<DiffStep>& steps) {
  const bool too_long = a.size() > 0 && b.size() > kMostCells / a.size();
  const auto common = too_long ? std::vector<std::vector<std::size_t>>() : common_lengths(a, b);
  std::size_t i = 0;
  std::size_t j = 0;
  const auto add = [&](DiffKind kind) { steps.push_back({kind, start + i, start + j}); };
  while (i < a.size() || j < b.size()) {
    if (!too_long && i < a.size() && j < b.size() && a[i] == b[j]) {
      add(DiffKind::kept);
      ++i, ++j;
    } else if (j == b.size() || (i < a.size() && (too_long || common[i + 1][j] >= common[i][j + 1]))) {
      add(DiffKind::removed);
      ++i;
    } else {
      add(DiffKind::added);
      ++j;
    }
  }
}

}  // namespace

std::vector<DiffStep> difference(Texts before, Texts after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  std::vector<DiffStep> steps;
  for (std::size_t i = 0; i < head; ++i) steps.push_back({DiffKind::kept, i, i});
  add_steps(before.subspan(head, before.size() - head - tail),
            after.subspan(head, after.size() - head - tail), head, steps);
  for (std::size_t i = tail; i > 0; --i)
    steps.push_back({DiffKind::kept, before.size() - i, after.size() - i});
  return steps;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace passdiff
