// passdiff reduce, show, repro: one case at a time, a folder or an input of a libFuzzer target.
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/text/text.h"
#include "fuzz/cases/drawn_case.h"
#include "fuzz/cases/target_input.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/refused_options.h"
#include "fuzz/cli/target_inputs.h"
#include "oracle/findings/finding.h"
#include "oracle/findings/signature.h"
#include "oracle/replay.h"
#include "passes/case_options.h"

namespace passdiff {
namespace {

struct OneCaseFlags {
  SubjectFlags subject;
  CaseFlags one;
  std::string target;  // the folder is then a file, an input of this target
  std::string out;
  std::string save;
  bool explain = false;
};

struct Opened {
  CaseFolder content;
  std::unique_ptr<Subject> subject;
  Checked checked;
};

Result<Opened> judge(CaseFolder content, std::unique_ptr<Subject> subject) {
  for (const PassCall& call : content.passes) {
    TRY(drivable_pass(*subject, call.name));
  }
  Checked checked = check(*subject, content.test, content.passes, {.sampling = Sampling::every_case()});
  return Opened{std::move(content), std::move(subject), std::move(checked)};
}

Result<Opened> open_case(const OneCaseFlags& flags) {
  Result<CaseFolder> read = read_one_case(flags.one.folder);
  if (!read) return read.error();
  Result<std::unique_ptr<Subject>> subject = make_subject(flags.subject);
  if (!subject) return subject.error();
  Result<CaseFolder> content = with_arguments(*std::move(read), flags.one, **subject);
  if (!content) return content.error();
  Result<Opened> opened = judge(*std::move(content), *std::move(subject));
  if (!opened) return opened;
  // A case that waits in a folder of findings expects nothing yet: a campaign has drawn its options.
  const std::string expected = expected_for(opened->content, *opened->subject);
  const bool other_expected = !expected.empty() && expected != symptom_name(opened->checked.verdict.symptom);
  if (auto error = refused_options(opened->checked.verdict, opened->content.passes); error && other_expected) return *std::move(error);
  return opened;
}

// An input of a libFuzzer target as a case of the target's subject.
Result<Opened> open_input(const OneCaseFlags& flags) {
  if (auto error = check_target(flags.target)) return *error;
  const std::optional<TargetRule> rule = rule_of_target(flags.target);
  if (!rule) {
    return Error{"usage.target", flags.target + ": it runs no passes; `passdiff show` prints its inputs"};
  }
  const auto input = read_input(flags.one.folder);
  if (!input) return input.error();
  SubjectFlags wanted = flags.subject;
  wanted.subject = rule->subject;
  Result<std::unique_ptr<Subject>> subject = make_subject(wanted);
  if (!subject) return subject.error();
  CaseFolder content = case_of_input(*rule, **subject, *input);
  content.origin = "an input of " + flags.target;
  if (content.passes.empty()) return Opened{std::move(content), *std::move(subject), {}};
  return judge(std::move(content), *std::move(subject));
}

Result<Opened> open(const OneCaseFlags& flags) {
  return flags.target.empty() ? open_case(flags) : open_input(flags);
}

// An input may choose a pass that is not meant for its module.
bool runs_nothing(const OneCaseFlags& flags, const Opened& opened) {
  return !flags.target.empty() && opened.content.passes.empty();
}
Error nothing_runs(const OneCaseFlags& flags) {
  return {"usage.target", flags.one.folder + ": runs nothing: it chooses a pass that is not meant for its module"};
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
  if (verdict.place) std::printf("# because: %s\n", to_string(*verdict.place).c_str());
}

// Writes what was opened as a case folder that expects the verdict that it has.
std::optional<Error> save(const Opened& opened, const std::string& folder) {
  CaseFolder content = opened.content;
  const Verdict& verdict = opened.checked.verdict;
  content.expected[std::string(opened.subject->name())] = symptom_name(verdict.symptom);
  if (content.readme.empty()) content.readme = fmt::format("{}\nFrom {}.\n", to_string(verdict), content.origin);
  const auto written = write_case(content, folder);
  return written ? std::nullopt : std::optional(written.error());
}

int show_input(const OneCaseFlags& flags) {
  if (!flags.save.empty()) {
    return fail({"usage.target", flags.target + ": it runs no passes: its inputs cannot be saved as cases"});
  }
  const auto input = read_input(flags.one.folder);
  return input ? show_document(flags.target, *input) : fail(input.error());
}

int run_show(const OneCaseFlags& flags) {
  if (reads_documents(flags.target)) return show_input(flags);
  const Result<Opened> opened = open(flags);
  if (!opened) return fail(opened.error());
  std::printf("# source\n%s", print(opened->content.test.module).c_str());
  for (std::size_t i = 0; i < opened->content.test.arguments.size(); ++i) {
    std::printf("# argument %zu: %s\n", i, to_string(opened->content.test.arguments[i]).c_str());
  }
  if (runs_nothing(flags, *opened)) {
    if (!flags.save.empty()) return fail(nothing_runs(flags));
    std::printf("# no pass: the one that the input chooses is not meant for its module\n");
    return kExitClean;
  }
  for (const PassCall& call : opened->content.passes)
    std::printf("# pass: %s %s\n", call.name.c_str(), call.options.c_str());
  if (opened->checked.target) std::printf("\n# target\n%s", print(*opened->checked.target).c_str());
  std::printf("# called as\n%s\n", to_string(opened->checked.plan, opened->content.test.module).c_str());
  std::printf("# verdict: %s\n", to_string(opened->checked.verdict).c_str());
  if (flags.explain) print_explanation(*opened);
  if (!flags.save.empty()) {
    if (const auto error = save(*opened, flags.save)) return fail(*error);
    std::printf("# saved: %s\n", flags.save.c_str());
  }
  return is_finding(opened->checked.verdict.symptom) ? kExitFindings : kExitClean;
}

// "7 bindings become 2", "1 binding, as before".
std::string size_change(int before, int after) {
  const std::string bindings = fmt::format("{} binding{}", before, before == 1 ? "" : "s");
  return before == after ? bindings + ", as before" : fmt::format("{} become{} {}", bindings, before == 1 ? "s" : "", after);
}

// The name of a case's folder. Where that lies on this machine is nothing to publish with a finding.
std::string folder_name(const std::string& folder) {
  return (std::filesystem::absolute(folder) / "").lexically_normal().parent_path().filename();
}

int run_reduce(const OneCaseFlags& flags) {
  Result<Opened> opened = open(flags);
  if (!opened) return fail(opened.error());
  if (runs_nothing(flags, *opened)) return fail(nothing_runs(flags));
  // What the machine does not confirm of the whole case, because of something else in it, it may confirm of a smaller one.
  if (opened->checked.verdict.symptom == Symptom::unconfirmed) {
    opened->checked = check(*opened->subject, opened->content.test, opened->content.passes,
                            {.confirm = false, .sampling = Sampling::every_case()});
  }
  if (!is_finding(opened->checked.verdict.symptom)) {
    return fail({"usage.case",
                 fmt::format("{}: nothing to reduce: {}", flags.one.folder, first_line(to_string(opened->checked.verdict)))});
  }
  std::string why;
  const auto finding = make_finding(*opened->subject, opened->content.test, opened->content.passes, opened->checked.verdict,
                                    {.sampling = Sampling::every_case()}, {}, "reduced from " + folder_name(flags.one.folder), {.unconfirmed = &why});
  if (!finding) return fail({"usage.case", flags.one.folder + ": the finding could not be confirmed: " + why});
  const std::filesystem::path root = flags.out.empty() ? "findings" : flags.out;
  const auto folder = write_finding(*opened->subject, *finding, root);
  if (!folder) return fail(folder.error());
  std::printf("%s: %s\n", size_change(count_bindings(finding->unreduced.module), count_bindings(finding->test.module)).c_str(),
              folder->c_str());
  return kExitFindings;
}

int run_repro(const OneCaseFlags& flags) {
  const Result<Opened> opened = open(flags);
  if (!opened) return fail(opened.error());
  if (runs_nothing(flags, *opened)) return fail(nothing_runs(flags));
  const Verdict& v = opened->checked.verdict;
  // A script exits 1 while the bug is there. What the machine does not confirm, a script may show all the same.
  if (!is_finding(v.symptom) && v.symptom != Symptom::unconfirmed) {
    return fail({"usage.case", fmt::format("{}: nothing to reproduce: {}", flags.one.folder, first_line(to_string(v)))});
  }
  const auto script =
      opened->subject->repro_script({opened->content.test, with_case_values(opened->content.passes, opened->content.test), opened->checked.plan,
                                     std::string(symptom_name(v.symptom)), v.site, v.detail});
  if (!script)
    return fail({"usage.subject",
                 std::string(opened->subject->name()) + ": this subject has no repro scripts; use `passdiff show`"});
  std::fputs(script->c_str(), stdout);
  return kExitClean;
}

void add_one(CLI::App& app, Run& run, const char* name, const char* help, int (*go)(const OneCaseFlags&),
             void (*add_more)(CLI::App& command, OneCaseFlags& flags)) {
  auto flags = std::make_shared<OneCaseFlags>();
  CLI::App* command = app.add_subcommand(name, help);
  add_subject_flags(*command, flags->subject);
  add_case_flags(*command, flags->one);
  command->add_option("--target", flags->target,
                      "The case is a file: an input of this libFuzzer target, as fuzz_LiftTransformParams");
  add_more(*command, *flags);
  command->callback([flags, &run, go] { run = [flags, go] { return go(*flags); }; });
}

void add_out(CLI::App& command, OneCaseFlags& flags) {
  command.add_option("--findings", flags.out, "Folder for the reduced finding (default: findings)");
}
void add_show(CLI::App& command, OneCaseFlags& flags) {
  command.add_flag("--explain", flags.explain,
                   "Say how the verdict came about: tolerances, how many digits the source determines, the undefined line");
  command.add_option("--save", flags.save,
                     "Write the case with the verdict that it has to this folder, which must not exist");
}
void add_nothing(CLI::App&, OneCaseFlags&) {}

}  // namespace

void add_case_commands(CLI::App& app, Run& run) {
  add_one(app, run, "reduce", "Make a case that shows a bug smaller", run_reduce, add_out);
  add_one(app, run, "show", "Print a case: source, target, calls, verdict", run_show, add_show);
  add_one(app, run, "repro", "Print the script that shows a case under the subject alone", run_repro, add_nothing);
}

}  // namespace passdiff
