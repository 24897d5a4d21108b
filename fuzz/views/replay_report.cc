#include "fuzz/views/replay_report.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace passdiff {
namespace {

constexpr std::array<std::string_view, 6> kWords = {"ok", "FIXED", "DIFFERS", "FINDING", "unsupported", "unreadable"};

std::string_view word(ReplayOutcome outcome) {
  return kWords.at(static_cast<std::size_t>(outcome));
}

// Text for XML 1.0, which has no control characters but tab and line ends, not even escaped.
std::string xml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' ? '?' : c;
    }
  }
  return escaped;
}

// A path as a URI: whatever is no plain character of one is written by its bytes (RFC 3986, section 2.1). A relative one stays relative.
std::string uri(const std::filesystem::path& path) {
  constexpr std::string_view kPlain = "-._~/";
  std::string text = path.is_absolute() ? "file://" : "";
  for (const char c : path.generic_string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 || kPlain.find(c) != std::string_view::npos);
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return text;
}

std::string title(const ReplayedCase& replayed) {
  const std::string name = replayed.folder.filename().string();
  return replayed.entry.empty() ? name : fmt::format("{} ({})", name, replayed.entry);
}

// The folder that the case's folder is in: of "a", which names none, the last part of the current one.
std::string class_name(const std::filesystem::path& folder) {
  if (folder.has_parent_path()) return folder.parent_path().string();
  const std::filesystem::path parent = std::filesystem::absolute(folder).lexically_normal().parent_path();
  return (parent.has_filename() ? parent.filename() : parent).string();
}

// What JUnit calls the case: nothing of one that is as expected.
std::string_view junit_element(ReplayOutcome outcome) {
  switch (outcome) {
    case ReplayOutcome::as_expected: return {};
    case ReplayOutcome::unsupported: return "skipped";
    case ReplayOutcome::unreadable: return "error";
    case ReplayOutcome::fixed:
    case ReplayOutcome::differs:
    case ReplayOutcome::finding: break;
  }
  return "failure";
}

std::string junit_case(const ReplayedCase& one) {
  const std::string_view element = junit_element(one.outcome);
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", xml(class_name(one.folder)), xml(title(one)), one.seconds);
  if (element.empty()) return text + "/>\n";
  text += fmt::format("><{}", element);
  if (element != "skipped") text += fmt::format(" type=\"{}\"", word(one.outcome));
  return text + fmt::format(" message=\"{}\"/></testcase>\n", xml(one.text));
}

}  // namespace

bool is_good(ReplayOutcome outcome) {
  return outcome == ReplayOutcome::as_expected || outcome == ReplayOutcome::unsupported;
}

std::string replay_line(const ReplayedCase& replayed) {
  return fmt::format("{:<12} {}{}: {}", word(replayed.outcome), replayed.folder.string(),
                     replayed.entry.empty() ? "" : fmt::format(" ({})", replayed.entry), replayed.text);
}

std::string junit_text(const std::vector<ReplayedCase>& replayed, const std::string& subject,
                       std::chrono::system_clock::time_point when) {
  const auto count = [&](std::string_view element) {
    return std::count_if(replayed.begin(), replayed.end(), [&](const ReplayedCase& one) { return junit_element(one.outcome) == element; });
  };
  double seconds = 0;
  for (const ReplayedCase& one : replayed) seconds += one.seconds;
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  // Attributes and elements without a meaning here are those that the schema of Ant's reports demands.
  text += fmt::format("  <testsuite id=\"0\" package=\"passdiff\" hostname=\"localhost\" timestamp=\"{:%Y-%m-%dT%H:%M:%S}\" ",
                      fmt::gmtime(std::chrono::floor<std::chrono::seconds>(when)));
  text += fmt::format("name=\"passdiff replay, {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n    <properties/>\n",
                      xml(subject), replayed.size(), count("failure"), count("error"), count("skipped"), seconds);
  for (const ReplayedCase& one : replayed) text += junit_case(one);
  return text + "    <system-out/>\n    <system-err/>\n  </testsuite>\n</testsuites>\n";
}

std::string sarif_text(const std::vector<ReplayedCase>& replayed, const std::string& subject) {
  using nlohmann::json;
  std::set<std::string> rules;
  json results = json::array();
  for (const ReplayedCase& one : replayed) {
    if (is_good(one.outcome)) continue;
    const std::string rule(one.outcome == ReplayOutcome::finding ? std::string_view(one.symptom) : word(one.outcome));
    rules.insert(rule);
    const json location = {{"physicalLocation", {{"artifactLocation", {{"uri", uri(one.folder / "source.py")}}}}}};
    results.push_back({{"ruleId", rule},
                       {"level", one.outcome == ReplayOutcome::fixed ? "note" : "error"},
                       {"message", {{"text", fmt::format("{}: {} ({})", title(one), one.text, subject)}}},
                       {"locations", json::array({location})}});
  }
  json ids = json::array();
  for (const std::string& rule : rules) ids.push_back({{"id", rule}});
  const json driver = {{"name", "passdiff"}, {"rules", std::move(ids)}};
  const json document = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                         {"version", "2.1.0"},
                         {"runs", json::array({{{"tool", {{"driver", driver}}}, {"results", std::move(results)}}})}};
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace passdiff
