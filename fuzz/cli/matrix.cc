// passdiff matrix: for which versions of a compiler cases are findings.
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/documents/files.h"
#include "fuzz/campaign/index.h"
#include "fuzz/cli/commands.h"
#include "oracle/replay.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;

struct MatrixFlags {
  std::vector<std::string> paths;
  std::vector<std::string> pythons;
  std::string plugin;
  bool write = false;
};

struct Column {
  std::unique_ptr<Subject> subject;
  std::string title;  // "tvm 0.27.0.post1", as case.json names it
};

Result<std::vector<Column>> start_all(const MatrixFlags& flags) {
  std::vector<Column> columns;
  for (const std::string& python : flags.pythons) {
    SubjectFlags one;
    one.python = python;
    one.plugin = flags.plugin;
    Result<std::unique_ptr<Subject>> subject = make_subject(one);
    if (!subject) return Error{subject.error().code, python + ": " + subject.error().message};
    std::string title = full_name(**subject);
    columns.push_back({*std::move(subject), std::move(title)});
  }
  return columns;
}

// Sets the expected verdicts in case.json, and leaves all else in it alone.
std::optional<Error> write_expected(const fs::path& folder, const std::map<std::string, std::string>& actual) {
  const fs::path file = folder / "case.json";
  auto document = nlohmann::ordered_json::parse(text_of(file), nullptr, false);
  if (!document.is_object()) return Error{"case.field", file.string() + ": no JSON object"};
  for (const auto& [version, symptom] : actual) document["expected"][version] = symptom;
  return write_whole(file, document.dump(2) + "\n");
}

// What the case shows. Where the folder gives no arguments they are drawn, and the first of its functions counts that shows a finding.
Symptom symptom_of(Subject& subject, CaseFolder content) {
  std::vector<Error> refused;
  Symptom symptom = Symptom::unsupported;
  for (TestCase& test : test_cases_for(subject, content, kArgumentsSeed, refused)) {
    content.test = std::move(test);
    symptom = replay(subject, content).actual.symptom;
    if (is_finding(symptom)) break;
  }
  return symptom;
}

// The folder's name, with its pass where the name does not tell one, as those of recorded cases.
std::string title_of(const fs::path& folder, const CaseFolder& content) {
  const std::string name = folder.lexically_normal().filename().string();
  return content.arguments_given || content.passes.empty() ? name : fmt::format("{} {}", content.passes.back().name, name);
}

std::optional<Error> matrix_row(const fs::path& folder, std::vector<Column>& columns, bool write, int& findings) {
  Result<CaseFolder> content = read_case(folder);
  if (!content) return content.error();
  if (write && !content->arguments_given)
    return Error{"usage.write", folder.string() + ": the case gives no arguments, so that no verdict can be expected of it; leave out --write"};
  std::map<std::string, std::string> actual;
  std::string row = fmt::format("{:<56}", title_of(folder, *content));
  for (Column& column : columns) {
    const Symptom symptom = symptom_of(*column.subject, *content);
    actual[column.title] = symptom_name(symptom);
    findings += is_finding(symptom) ? 1 : 0;
    row += fmt::format(" {:<18}", symptom_name(symptom));
  }
  while (row.back() == ' ') row.pop_back();
  fmt::print("{}\n", row);
  std::fflush(stdout);
  return write ? write_expected(folder, actual) : std::nullopt;
}

int run_matrix(const MatrixFlags& flags) {
  std::vector<fs::path> folders;
  for (const std::string& path : flags.paths) {
    const auto found = fs::exists(path) ? cases_to_judge(path) : std::vector<fs::path>();
    if (found.empty()) return fail({"usage.path", path + ": no case folder here (a folder with case.json)"});
    folders.insert(folders.end(), found.begin(), found.end());
  }
  Result<std::vector<Column>> columns = start_all(flags);
  if (!columns) return fail(columns.error());
  std::string head = fmt::format("{:<56}", "");
  for (const Column& column : *columns) head += fmt::format(" {:<18}", column.title);
  fmt::print("{}\n", head);
  int findings = 0;
  for (const fs::path& folder : folders) {
    if (auto error = matrix_row(folder, *columns, flags.write, findings)) return fail(*error);
  }
  return findings > 0 ? kExitFindings : kExitClean;
}

}  // namespace

void add_matrix(CLI::App& app, Run& run) {
  auto flags = std::make_shared<MatrixFlags>();
  CLI::App* command = app.add_subcommand("matrix", "Replay cases with several versions of TVM: which of them have the bug");
  command->add_option("--python", flags->pythons, "A Python with one of the versions; once for each")->required();
  command->add_option("--plugin", flags->plugin, "A Python file that registers passes of your own");
  command->add_flag("--write", flags->write, "Write the verdicts into the cases, as what is expected of these versions");
  command->add_option("paths", flags->paths, "Case folders, or trees of them")->required();
  command->callback([flags, &run] { run = [flags] { return run_matrix(*flags); }; });
}

}  // namespace passdiff
