#include <CLI/CLI.hpp>

#include "core/gen/recorded.h"
#include "fuzz/cli/command_line.h"
#include "fuzz/cli/commands.h"
#include "passes/case_options.h"

namespace passdiff {

void add_case_flags(CLI::App& app, CaseFlags& flags) {
  app.add_option("case", flags.folder, "A case folder")->required();
  app.add_option("--entry", flags.entry,
                 "Of a recorded case: the function to call (default: its first public one)");
  add_seed(app, flags.seed, "Of a recorded case: where its arguments come from");
}

Result<CaseFolder> with_arguments(CaseFolder content, const CaseFlags& flags, const Subject& subject) {
  if (content.arguments_given) return content;
  if (!flags.entry.empty()) {
    if (content.test.module.find(flags.entry) == nullptr) {
      return Error{"usage.entry", flags.entry + ": the module has no such function"};
    }
    content.test.entry = flags.entry;
  }
  std::vector<Error> refused;
  const BoundBy bound = [&](const std::string& function) { return bound_arguments(subject, content.passes, function); };
  std::vector<TestCase> tests = test_cases_of(content, flags.seed, refused, bound);
  if (tests.empty()) {
    if (!refused.empty()) return refused.front();
    return Error{"usage.entry", flags.folder + ": the module has no public function"};
  }
  content.test = std::move(tests.front());
  content.arguments_given = true;
  return content;
}

}  // namespace passdiff
