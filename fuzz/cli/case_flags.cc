#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "fuzz/cli/command_line.h"
#include "fuzz/cli/commands.h"
#include "oracle/replay.h"

namespace passdiff {

void add_case_flags(CLI::App& app, CaseFlags& flags) {
  app.add_option("case", flags.folder, "A case folder")->required();
  app.add_option("--entry", flags.entry,
                 "Of a recorded case: the function to call (default: its first public one)");
  add_seed(app, flags.seed, "Of a recorded case: where its arguments come from");
}

Result<CaseFolder> read_one_case(const std::string& folder) {
  const std::filesystem::path path = folder;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return Error{"usage.case", folder + ": no such folder"};
  if (!std::filesystem::is_directory(path, error)) {
    return Error{"usage.case", folder + ": a file; what is wanted is a case folder, which holds case.json"};
  }
  if (std::filesystem::exists(path / "case.json", error)) return read_judged_case(path);
  if (find_cases(path).empty()) return Error{"usage.case", folder + ": no case folder: it holds no case.json"};
  return Error{"usage.case", folder + ": a tree of case folders, not one of them; `passdiff replay`, `causes` and `matrix` take trees"};
}

Result<CaseFolder> with_arguments(CaseFolder content, const CaseFlags& flags, const Subject& subject) {
  if (content.arguments_given) {
    if (flags.entry.empty() || flags.entry == content.test.entry) return content;
    return Error{"usage.entry", fmt::format("--entry {}: the case gives the arguments of {}; --entry is for recorded cases", flags.entry, content.test.entry)};
  }
  if (!flags.entry.empty()) {
    if (content.test.module.find(flags.entry) == nullptr) {
      return Error{"usage.entry", flags.entry + ": the module has no such function"};
    }
    content.test.entry = flags.entry;
  }
  std::vector<Error> refused;
  std::vector<TestCase> tests = test_cases_for(subject, content, flags.seed, refused);
  if (tests.empty()) {
    if (!refused.empty()) return refused.front();
    return Error{"usage.entry", flags.folder + ": the module has no public function"};
  }
  content.test = std::move(tests.front());
  content.arguments_given = true;
  return content;
}

}  // namespace passdiff
