#include "fuzz/recording.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/documents/files.h"
#include "core/text/text.h"
#include "oracle/report_format.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The error without its place: "line 3, column 5: R.nn.conv2d is not supported" is one reason wherever it stands.
std::string reason_of(const Error& error) {
  const std::string_view message = error.message;
  const std::size_t place = message.starts_with("line ") ? message.find(": ") : std::string_view::npos;
  return error.code + ": " +
         std::string(place == std::string_view::npos ? message : message.substr(place + 2));
}

// Why the file cannot be read; nothing if it can, or is not there.
std::optional<Error> fault_of(const fs::path& file) {
  if (!fs::exists(file)) return std::nullopt;
  const auto module = parse_text(text_of(file));
  return module ? std::nullopt : std::optional(module.error());
}

struct Log {
  std::map<std::string, std::int64_t> applications;  // by folder
  std::map<std::string, std::string> passes;         // by folder
};

void read_line(const std::string& line, RecordingSummary& summary, Log& log) {
  const json entry = json::parse(line, nullptr, false);
  if (!entry.is_object()) return;
  if (entry.contains("fault")) ++summary.faults[entry["fault"].get<std::string>()];
  if (entry.contains("left_out")) ++summary.left_out;
  if (!entry.contains("folder")) return;
  const auto folder = entry["folder"].get<std::string>();
  ++summary.applications;
  ++log.applications[folder];
  log.passes[folder] = entry.value("pass", std::string());
}

void summarise_case(const fs::path& recording, const std::string& name, std::int64_t applications, RecordingSummary& summary) {
  const fs::path folder = recording / name;
  ++summary.distinct;
  if (!fs::exists(folder / "target.py")) ++summary.failed;
  std::optional<Error> fault = fault_of(folder / "source.py");
  if (!fault) {
    fault = fault_of(folder / "target.py");
    // The pass has left it so, and a replay judges that.
    if (fault && fault->code == "parse.undefined-name") {
      ++summary.undefined;
      fault.reset();
    }
  }
  if (fault) {
    const std::string reason = reason_of(*fault);
    ++summary.unreadable[reason];
    summary.examples.emplace(reason, name);
    return;
  }
  ++summary.readable;
  summary.applications_readable += applications;
}

std::string by_count(const std::map<std::string, std::int64_t>& counts, const std::map<std::string, std::string>& examples = {}) {
  std::vector<std::pair<std::string, std::int64_t>> rows(counts.begin(), counts.end());
  const auto often_first = [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  };
  std::sort(rows.begin(), rows.end(), often_first);
  std::string text;
  for (const auto& [name, count] : rows) {
    const auto example = examples.find(name);
    text += fmt::format("  {:>6}  {}{}\n", count, name, example == examples.end() ? "" : " (" + example->second + ")");
  }
  return text;
}

}  // namespace

Result<RecordingSummary> summarise_recording(const fs::path& folder) {
  std::ifstream stream(folder / "applications.jsonl");
  if (!stream) {
    return Error{"record.folder", folder.string() +
                                      ": nothing was recorded: no Python that reads PYTHONPATH "
                                      "imported tvm.relax"};
  }
  RecordingSummary summary;
  Log log;
  for (std::string line; std::getline(stream, line);) read_line(line, summary, log);
  for (const auto& [name, applications] : log.applications) {
    if (!fs::is_directory(folder / name)) continue;
    ++summary.by_pass[log.passes[name]];
    summarise_case(folder, name, applications, summary);
  }
  return summary;
}

std::int64_t recorded_applications(const fs::path& folder) {
  std::ifstream stream(folder / "applications.jsonl");
  RecordingSummary summary;
  Log log;
  for (std::string line; std::getline(stream, line);) read_line(line, summary, log);
  return summary.applications;
}

std::string table(const RecordingSummary& summary) {
  std::string text =
      fmt::format("{} applications, {} distinct, of which {} can be read here ({} applications)\n",
                  summary.applications, summary.distinct, summary.readable, summary.applications_readable);
  if (summary.earlier > 0) {
    text += fmt::format("all counts are of all runs that recorded into this folder: {} of the applications were there before, {} {} new\n",
                        summary.earlier, summary.applications - summary.earlier, summary.applications - summary.earlier == 1 ? "is" : "are");
  }
  if (summary.failed > 0)
    text += fmt::format("{} in which the pass threw: they have no target\n", summary.failed);
  if (summary.undefined > 0)
    text += fmt::format("{} whose target uses what nothing defines: `passdiff replay` tells whether the pass errs\n", summary.undefined);
  if (summary.left_out > 0) {
    text += fmt::format("{} applications to modules without Relax functions, as of passes over TensorIR alone, were not recorded\n",
                        summary.left_out);
  }
  if (!summary.unreadable.empty()) text += "Cannot be read, by reason:\n" + by_count(summary.unreadable, summary.examples);
  if (!summary.faults.empty()) text += "Faults of the recorder:\n" + by_count(summary.faults);
  return text;
}

std::string json_line(const RecordingSummary& summary) {
  const json object = {
      {"format", kReportFormat},      {"applications", summary.applications}, {"earlier", summary.earlier},
      {"distinct", summary.distinct}, {"readable", summary.readable},         {"applications_readable", summary.applications_readable},
      {"failed", summary.failed},     {"undefined", summary.undefined},       {"left_out", summary.left_out},
      {"by_pass", summary.by_pass},   {"unreadable", summary.unreadable},     {"examples", summary.examples},
      {"faults", summary.faults}};
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace passdiff
