// passdiff run: what each pass of a pipeline does to a module, and how the result is called.
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/text/text.h"
#include "fuzz/cases/drawn_case.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/outcome_diff.h"
#include "fuzz/cli/pipeline_text.h"
#include "fuzz/cli/refused_options.h"
#include "fuzz/cli/streams.h"
#include "fuzz/cli/text_diff.h"
#include "oracle/check.h"
#include "oracle/execute.h"
#include "oracle/replay.h"
#include "oracle/source_run.h"
#include "passes/case_options.h"

namespace passdiff {
namespace {

struct RunFlags {
  SubjectFlags subject;
  CaseFlags one;
  std::string passes;
  bool values = false;
  bool no_colour = false;
};

// Prints the module after each pass and the calls that its convention makes; stops where a pass fails. Of the results all, or with
// `values` what each pass changes.
class Walk {
 public:
  Walk(const TestCase& test, bool values, bool colour)
      : test_(test),
        values_(values),
        colour_(colour),
        before_(test.module),
        plan_(direct_plan(test.entry, static_cast<int>(test.arguments.size()))) {
    print_heading("source");
    fmt::print("{}", print(before_));
    for (std::size_t i = 0; i < test.arguments.size(); ++i) {
      fmt::print("argument {}: {}\n", i, to_string(test.arguments[i]));
    }
    print_calls();
  }

  void step(const PassCall& call, const Contract& contract, const Module& after) {
    print_heading("after " + call.name + (call.options == "{}" ? "" : " " + call.options));
    fmt::print("{}", text_diff(print(before_), print(after), colour_));
    Result<CallPlan> next = apply_convention(contract.convention, plan_, before_, after);
    if (!next) {
      fmt::print("cannot be called as its contract says: {}\n", next.error().message);
      callable_ = false;
    }
    before_ = after;
    if (!callable_) return;
    plan_ = *std::move(next);
    print_calls();
  }

  void unreadable(const PassCall& call, const std::string& what) {
    print_heading("after " + call.name);
    fmt::print("not shown: it holds {}, which this IR lacks\n", what);
  }

 private:
  void print_heading(const std::string& text) const {
    fmt::print("{}# {}{}\n", colour_ ? "\x1b[1m" : "", text, colour_ ? "\x1b[0m" : "");
  }
  void print_calls() {
    const std::string calls = to_string(plan_, test_.module);
    fmt::print("called as\n");
    std::string_view rest = calls;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      fmt::print("    {}\n", rest.substr(0, end));
      rest.remove_prefix(std::min(rest.size(), end == std::string_view::npos ? end : end + 1));
    }
    Outcome outcome = run_plan(before_, plan_, test_.arguments);
    fmt::print("{}\n", values_ && outcome_ ? outcome_diff(*outcome_, outcome) : to_string(outcome));
    print_place(outcome);
    fmt::print("\n");
    outcome_ = std::move(outcome);
  }

  // The line at which something undefined happened, as the module's text counts them.
  void print_place(const Outcome& outcome) const {
    const UndefinedRecord* record = nullptr;
    if (const auto* undefined = std::get_if<Undefined>(&outcome)) record = &undefined->records.back();
    if (const auto* returned = std::get_if<Returned>(&outcome); returned != nullptr && !returned->overflows.empty())
      record = &returned->overflows.front();
    const auto place = record == nullptr ? std::nullopt : place_of(*record, before_, outcome_ ? kTargetFile : kSourceFile);
    if (place) fmt::print("    {}\n", to_string(*place));
  }

  const TestCase& test_;
  bool values_;
  bool colour_;
  Module before_;
  CallPlan plan_;
  std::optional<Outcome> outcome_;  // of the last module that was called
  bool callable_ = true;
};

void show_steps(Subject& subject, const TestCase& test, const Pipeline& pipeline, bool values, bool colour) {
  Walk walk(test, values, colour);
  const Pipeline bound = with_case_values(pipeline, test);
  // Each prefix of the pipeline is run anew, so that the passes before one that fails are shown too.
  for (std::size_t length = 1; length <= pipeline.size(); ++length) {
    const PassCall& call = pipeline[length - 1];
    const Pipeline prefix(bound.begin(), bound.begin() + static_cast<std::ptrdiff_t>(length));
    const auto replies = subject.transform(test.module, std::span(&prefix, 1), {});
    const auto* transformed = std::get_if<Transformed>(&replies.at(0).result);
    if (transformed == nullptr) return;  // the verdict says why there is no target
    if (!transformed->unreadable.empty()) {
      walk.unreadable(call, transformed->unreadable);
      continue;
    }
    walk.step(call, contract_of(*find_pass(subject, call.name), call.options),
              transformed->target ? *transformed->target : test.module);
  }
}

int run_run(const RunFlags& flags) {
  Result<CaseFolder> read = read_one_case(flags.one.folder);
  if (!read) return fail(read.error());
  const Result<std::unique_ptr<Subject>> subject = make_subject(flags.subject);
  if (!subject) return fail(subject.error());
  const Result<CaseFolder> content = with_arguments(*std::move(read), flags.one, **subject);
  if (!content) return fail(content.error());
  Pipeline pipeline = content->passes;
  if (!flags.passes.empty()) {
    Result<Pipeline> asked = parse_pipeline(flags.passes, **subject);
    if (!asked) return fail(asked.error());
    pipeline = *std::move(asked);
  }
  for (const PassCall& call : pipeline) {
    if (const auto pass = drivable_pass(**subject, call.name); !pass) return fail(pass.error());
  }
  const Checked checked = check(**subject, content->test, pipeline, {});
  // A case may be about the refusal of the options that it has.
  const bool refusal_expected = flags.passes.empty() && expected_for(*content, **subject) == symptom_name(checked.verdict.symptom);
  if (const auto error = refused_options(checked.verdict, pipeline); error && !refusal_expected) return fail(*error);
  const bool colour = !flags.no_colour && can_draw(STDOUT_FILENO) && std::getenv("NO_COLOR") == nullptr;
  show_steps(**subject, content->test, pipeline, flags.values, colour);
  fmt::print("verdict: {}\n", to_string(checked.verdict));
  return is_finding(checked.verdict.symptom) ? kExitFindings : kExitClean;
}

}  // namespace

void add_run(CLI::App& app, Run& run) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* command =
      app.add_subcommand("run", "Show what each pass does to a case's module, and how the result is called");
  add_subject_flags(*command, flags->subject);
  add_case_flags(*command, flags->one);
  command->add_option("--passes", flags->passes,
                      "Passes to run, separated by commas, options behind a colon: "
                      "'A,B:{\"shared_transform\": true}' (default: the case's)");
  command->add_flag("--values", flags->values,
                    "Of each result, the elements that differ from the result before the pass");
  command->add_flag("--no-colour", flags->no_colour, "Plain text on terminals too");
  command->callback([flags, &run] { run = [flags] { return run_run(*flags); }; });
}

}  // namespace passdiff
