#include "fuzz/campaign/index.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/documents/case.h"
#include "core/documents/files.h"
#include "fuzz/campaign/ranking.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVerdictFile = "verdict.json";

std::optional<WrittenFinding> read_finding(const fs::path& folder) {
  const auto document = nlohmann::json::parse(text_of(folder / kVerdictFile), nullptr, false);
  if (!document.is_object() || !document.contains("evidence")) return std::nullopt;
  Result<Cause> cause = cause_from_json(document["evidence"]);
  if (!cause) return std::nullopt;
  try {
    return WrittenFinding{.folder = folder,
                          .cause = *std::move(cause),
                          .in_default_pipeline = document.value("in_default_pipeline", false),
                          .bindings = document.value("bindings", 0),
                          .explanation = document.value("explanation", "")};
  } catch (const nlohmann::json::exception&) {  // a field of another type
    return std::nullopt;
  }
}

// A cell of a table in Markdown.
std::string cell(std::string text) {
  constexpr std::size_t kLength = 160;
  text = text.substr(0, text.find('\n'));
  if (text.size() > kLength) text = text.substr(0, kLength) + "...";
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

}  // namespace

std::vector<fs::path> cases_to_judge(const fs::path& root) {
  std::vector<fs::path> folders = find_cases(root);
  std::erase_if(folders, [&](const fs::path& folder) {
    const fs::path below = folder.lexically_relative(root);
    return std::ranges::any_of(below, [](const fs::path& part) { return part == kWaitingFolder || part == kUnconfirmedFolder; });
  });
  return folders;
}

std::vector<fs::path> finding_folders(const fs::path& root) {
  std::vector<fs::path> folders;
  if (!fs::is_directory(root)) return folders;
  for (const fs::path& folder : find_cases(root)) {
    if (folder.parent_path() == root) folders.push_back(folder);
  }
  return folders;
}

std::vector<WrittenFinding> read_findings(const fs::path& root, std::vector<fs::path>& unreadable) {
  std::vector<WrittenFinding> found;
  for (const fs::path& folder : finding_folders(root)) {
    if (!fs::exists(folder / kVerdictFile)) continue;
    if (auto finding = read_finding(folder)) {
      found.push_back(*std::move(finding));
    } else {
      unreadable.push_back(folder);
    }
  }
  std::vector<Ranked> ranked;
  for (const WrittenFinding& finding : found) ranked.push_back({&finding.cause, finding.in_default_pipeline});
  std::vector<WrittenFinding> in_order;
  for (const std::size_t i : rank(ranked)) in_order.push_back(found[i]);
  return in_order;
}

std::optional<Error> write_index(const fs::path& root) {
  if (!fs::is_directory(root)) return std::nullopt;
  std::string text = "# Findings, by rank\n\n| | severity | passes | what is wrong | bindings | folder |\n|---|---|---|---|---|---|\n";
  int at = 0;
  std::vector<fs::path> unreadable;
  for (const WrittenFinding& finding : read_findings(root, unreadable)) {
    const std::string name = finding.folder.filename().string();
    text += fmt::format("| {} | {} | {} | {} | {} | [{}]({}/issue.md) |\n", ++at, severity_name(finding.cause.symptom),
                        fmt::join(finding.cause.passes, ", "), cell(finding.explanation), finding.bindings, name, name);
  }
  for (const fs::path& folder : unreadable) {
    const std::string name = folder.filename().string();
    text += fmt::format("| | | | {} tells no cause: the file is damaged | | [{}]({}) |\n", kVerdictFile, name, name);
  }
  return write_whole(root / "index.md", text);
}

}  // namespace passdiff
