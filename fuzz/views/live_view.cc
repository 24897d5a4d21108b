#include "fuzz/views/live_view.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "oracle/symptom.h"

namespace passdiff {
namespace {

constexpr int kNameWidth = 36;   // the longest name of a pass, but for a few
constexpr int kCountWidth = 9;
constexpr int kLeastBar = 4;

std::string clock(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::max(seconds, 0.0));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

// A bar of `width` characters, of which `share` are full, in eighths of a character.
std::string bar(double share, int width) {
  constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int eighths = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width * 8));
  std::string text;
  for (int i = 0; i < eighths / 8; ++i) text += "█";
  text += kEighths[eighths % 8];
  const int used = eighths / 8 + (eighths % 8 > 0 ? 1 : 0);
  return text + std::string(static_cast<std::size_t>(width - used), ' ');
}

std::int64_t count_in(const std::map<std::string, std::int64_t>& counts, const std::string& name) {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

std::string cut(std::string text, int width) {
  if (static_cast<int>(text.size()) > width) text.resize(static_cast<std::size_t>(std::max(width, 0)));
  return text;
}

std::string rates(const Progress& p) {
  const double rate = p.seconds > 0 ? static_cast<double>(p.checks) / p.seconds : 0;
  const double job_seconds = p.seconds * std::max(p.jobs, 1);
  const auto share = [&](double CheckCounts::*seconds) {
    return job_seconds > 0 && p.counts != nullptr ? 100 * p.counts->*seconds / job_seconds : 0;
  };
  return fmt::format("{} cases, {} checks, {:.0f}/s, of the jobs' time {:.0f} % inside passes, {:.0f} % in reductions", p.cases, p.checks, rate,
                     share(&CheckCounts::seconds_in_passes), share(&CheckCounts::seconds_reducing));
}

std::string findings(const Progress& p) {
  std::string text;
  for (const std::string& severity : severity_names()) {
    const auto severity_value = severity_from_name(severity);
    const auto found = severity_value ? p.by_severity.find(*severity_value) : p.by_severity.end();
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", found == p.by_severity.end() ? 0 : found->second, severity);
  }
  return text;
}

// The passes that were given most, changed ones beside them.
std::vector<std::string> pass_rows(const CheckCounts& counts, int columns, std::size_t most) {
  std::vector<std::pair<std::int64_t, std::string>> order;
  for (const auto& [pass, given] : counts.checks_by_pass) order.emplace_back(-count_in(counts.changed_by_pass, pass), pass);
  std::sort(order.begin(), order.end());
  if (order.size() > most) order.resize(most);
  const int width = (columns - kNameWidth - 2 * kCountWidth - 4) / 2;
  if (order.empty() || width < kLeastBar) return {};
  std::int64_t largest = 1;
  for (const auto& [changed, pass] : order) largest = std::max(largest, count_in(counts.checks_by_pass, pass));
  std::vector<std::string> rows = {fmt::format("{:<{}} {:>{}} {:<{}} {:>{}}", "pass", kNameWidth, "given", kCountWidth, "", width, "changed", kCountWidth)};
  for (const auto& [changed, pass] : order) {
    const std::int64_t given = count_in(counts.checks_by_pass, pass);
    const auto share = [&](std::int64_t n) { return static_cast<double>(n) / static_cast<double>(largest); };
    rows.push_back(fmt::format("{:<{}} {:>{}} {} {:>{}} {}", cut(pass, kNameWidth), kNameWidth, given, kCountWidth, bar(share(given), width),
                               -changed, kCountWidth, bar(share(-changed), width)));
  }
  return rows;
}

}  // namespace

std::vector<std::string> live_view(const Progress& progress, double limit, const TerminalSize& size) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{}{}: {}", clock(progress.seconds), limit > 0 ? " of " + clock(limit) : "", progress.doing));
  lines.push_back(rates(progress));
  lines.push_back(fmt::format("{} new: {}", progress.findings, findings(progress)));
  lines.push_back(fmt::format("{} known; the last new one {}", progress.known,
                              progress.last_new ? clock(progress.seconds - *progress.last_new) + " ago" : "is to come"));
  for (std::string& line : lines) line = cut(std::move(line), size.columns - 1);
  const int left = size.rows - static_cast<int>(lines.size()) - 3;  // an empty line, the head of the table, the cursor's line
  if (progress.counts == nullptr || left < 1) return lines;
  std::vector<std::string> rows = pass_rows(*progress.counts, size.columns - 1, static_cast<std::size_t>(left));
  if (rows.empty()) return lines;
  lines.emplace_back();
  lines.insert(lines.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
  return lines;
}

}  // namespace passdiff
