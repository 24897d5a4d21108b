// passdiff reduce, show, repro: one case folder at a time.
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/text/text.h"
#include "fuzz/cli/commands.h"
#include "oracle/finding.h"
#include "oracle/signature.h"

namespace passdiff {
namespace {

struct OneCaseFlags {
  SubjectFlags subject;
  CaseFlags one;
  std::string out;
  bool explain = false;
};

struct Opened {
  CaseFolder content;
  std::unique_ptr<Subject> subject;
  Checked checked;
};

Result<Opened> open(const OneCaseFlags& flags) {
  Result<CaseFolder> content = read_case_with_arguments(flags.one);
  if (!content) return content.error();
  Result<std::unique_ptr<Subject>> subject = make_subject(flags.subject);
  if (!subject) return subject.error();
  for (const PassCall& call : content->passes) {
    if (find_pass(**subject, call.name) == nullptr) {
      return Error{"usage.pass",
                   fmt::format("{}: the subject {} has no such pass; see `passdiff list passes`", call.name,
                               flags.subject.subject)};
    }
  }
  Checked checked = check(**subject, content->test, content->passes, {.sampling = Sampling::every_case()});
  return Opened{*std::move(content), *std::move(subject), std::move(checked)};
}

// What the contract allows, and how the comparison came to the verdict.
void print_explanation(const Opened& opened) {
  for (const PassCall& call : opened.content.passes) {
    const Contract contract = contract_of(*find_pass(*opened.subject, call.name), call.options);
    std::printf("# because: %s computes %s by its contract\n", call.name.c_str(),
                std::string(kNumericsNames.at(static_cast<std::size_t>(contract.numerics))).c_str());
  }
  const Verdict& verdict = opened.checked.verdict;
  if (!verdict.check.empty()) std::printf("# because: the check %s decides\n", verdict.check.c_str());
  for (const std::string& reason : verdict.reasons) std::printf("# because: %s\n", reason.c_str());
}

int run_show(const OneCaseFlags& flags) {
  const Result<Opened> opened = open(flags);
  if (!opened) return fail(opened.error());
  std::printf("# source\n%s", print(opened->content.test.module).c_str());
  for (std::size_t i = 0; i < opened->content.test.arguments.size(); ++i) {
    std::printf("# argument %zu: %s\n", i, to_string(opened->content.test.arguments[i]).c_str());
  }
  for (const PassCall& call : opened->content.passes)
    std::printf("# pass: %s %s\n", call.name.c_str(), call.options.c_str());
  if (opened->checked.target) std::printf("\n# target\n%s", print(*opened->checked.target).c_str());
  std::printf("# called as\n%s\n", to_string(opened->checked.plan, opened->content.test.module).c_str());
  std::printf("# verdict: %s\n", to_string(opened->checked.verdict).c_str());
  if (flags.explain) print_explanation(*opened);
  return is_finding(opened->checked.verdict.symptom) ? kExitFindings : kExitClean;
}

int run_reduce(const OneCaseFlags& flags) {
  Result<Opened> opened = open(flags);
  if (!opened) return fail(opened.error());
  if (!is_finding(opened->checked.verdict.symptom)) {
    return fail({"usage.case",
                 fmt::format("{}: nothing to reduce: {}", flags.one.folder, to_string(opened->checked.verdict))});
  }
  std::string why;
  const auto finding =
      make_finding(*opened->subject, opened->content.test, opened->content.passes, opened->checked.verdict,
                   {.sampling = Sampling::every_case()}, {}, "reduced from " + flags.one.folder, &why);
  if (!finding) return fail({"usage.case", flags.one.folder + ": the finding could not be confirmed: " + why});
  const std::filesystem::path root = flags.out.empty() ? "findings" : flags.out;
  const auto folder = write_finding(*opened->subject, *finding, root);
  if (!folder) return fail(folder.error());
  std::printf("%d bindings become %d: %s\n", count_bindings(finding->unreduced.module),
              count_bindings(finding->test.module), folder->c_str());
  return kExitFindings;
}

int run_repro(const OneCaseFlags& flags) {
  const Result<Opened> opened = open(flags);
  if (!opened) return fail(opened.error());
  const Verdict& v = opened->checked.verdict;
  const auto script =
      opened->subject->repro_script({opened->content.test, opened->content.passes, opened->checked.plan,
                                     std::string(symptom_name(v.symptom)), v.site, v.detail});
  if (!script)
    return fail({"usage.subject",
                 flags.subject.subject + ": this subject has no repro scripts; use `passdiff show`"});
  std::fputs(script->c_str(), stdout);
  return kExitClean;
}

void add_one(CLI::App& app, Run& run, const char* name, const char* help, int (*go)(const OneCaseFlags&),
             void (*add_more)(CLI::App& command, OneCaseFlags& flags)) {
  auto flags = std::make_shared<OneCaseFlags>();
  CLI::App* command = app.add_subcommand(name, help);
  add_subject_flags(*command, flags->subject);
  add_case_flags(*command, flags->one);
  add_more(*command, *flags);
  command->callback([flags, &run, go] { run = [flags, go] { return go(*flags); }; });
}

void add_out(CLI::App& command, OneCaseFlags& flags) {
  command.add_option("--findings", flags.out, "Folder for the reduced finding (default: findings)");
}
void add_explain(CLI::App& command, OneCaseFlags& flags) {
  command.add_flag("--explain", flags.explain,
                   "Say how the verdict came about: tolerances, and how many digits the source determines");
}
void add_nothing(CLI::App&, OneCaseFlags&) {}

}  // namespace

void add_case_commands(CLI::App& app, Run& run) {
  add_one(app, run, "reduce", "Make a case that shows a bug smaller", run_reduce, add_out);
  add_one(app, run, "show", "Print a case: source, target, calls, verdict", run_show, add_explain);
  add_one(app, run, "repro", "Print the script that shows a case under the subject alone", run_repro, add_nothing);
}

}  // namespace passdiff
