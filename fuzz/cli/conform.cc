// passdiff conform: do the interpreter and the compiler's compiled code agree on what ops mean?
#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/documents/files.h"
#include "fuzz/cli/command_line.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/signals.h"
#include "fuzz/conform/op_run.h"
#include "fuzz/conform/prim_funcs.h"

namespace passdiff {
namespace {

struct ConformFlags {
  ConformOptions options;
  bool tensor_ir = false;
  std::int64_t modules = 1000;
  std::string python;
  std::string out;
  std::vector<std::string> cases;
  bool json = false;
};

// The cases in place of random calls: why each agrees or not.
int explain_cases(const ConformFlags& flags) {
  const auto subject = make_subject({.subject = "tvm", .python = flags.python});
  if (!subject) return fail(subject.error());
  bool agree = true;
  for (const std::string& folder : flags.cases) {
    const Result<CaseFolder> content = read_one_case(folder);
    if (!content) return fail(content.error());
    const Result<DrawnCall> call = call_in(content->test);
    if (!call) return fail({call.error().code, folder + ": " + call.error().message});
    const CallReport report = conform_call(**subject, *call);
    fmt::print("# {}\n{}# {}\n", folder, report.text, report.agrees ? "agrees" : "disagrees");
    agree &= report.agrees;
  }
  return agree ? kExitClean : kExitFindings;
}

template <class Conformance>
int write_found(const Conformance& result, const ConformFlags& flags) {
  if (!flags.out.empty()) {
    const auto written = write_disagreements(result, "tvm", flags.out);
    if (!written) return fail(written.error());
    fmt::print(stderr, "{} cases written to {}\n", *written, flags.out);
  }
  return result.conforms() ? kExitClean : kExitFindings;
}

int compare_prim_funcs(const ConformFlags& flags) {
  PrimFuncOptions options{
      .folders = {}, .modules = flags.modules, .seed = flags.options.seed, .jobs = flags.options.jobs, .batch = flags.options.batch};
  for (const std::string& root : flags.cases) {
    const std::vector<std::filesystem::path> found = find_cases(root);
    if (found.empty()) return fail({"usage.case", root + ": no case is there; a case is a folder with a case.json"});
    options.folders.insert(options.folders.end(), found.begin(), found.end());
  }
  const auto progress = [](const PrimFuncConformance& so_far) {
    fmt::print(stderr, "{} modules, {} functions: {} agree, {} differ, {} refused\n", so_far.modules, so_far.functions, so_far.agreed, so_far.differ,
               so_far.refused);
  };
  const auto make = [&] { return make_subject({.subject = "tvm", .python = flags.python}); };
  const Result<PrimFuncConformance> result = conform_prim_funcs(make, options, progress, stop_requested());
  if (!result) return fail(result.error());
  if (stop_requested()) fmt::print(stderr, "passdiff: stopped before the end; the counts are not whole\n");
  std::fputs(prim_func_table(*result).c_str(), flags.json ? stderr : stdout);
  if (flags.json) fmt::print("{}\n", prim_func_json(*result));
  return write_found(*result, flags);
}

int run_conform_command(const ConformFlags& flags) {
  if (!flags.cases.empty() && !flags.tensor_ir) return explain_cases(flags);
  // Whether there will be something to write is known only after all calls.
  if (!flags.out.empty()) {
    if (const auto error = make_writable(flags.out)) return fail(*error);
  }
  stop_on_signals();
  if (flags.tensor_ir) return compare_prim_funcs(flags);
  int done = 0;
  const auto progress = [&](const OpConformance& op) {
    fmt::print(stderr, "{:>3} {}: {} of {} agree\n", ++done, op.op, op.agreed + op.explained,
               op.calls - op.undefined);
  };
  const auto make = [&] { return make_subject({.subject = "tvm", .python = flags.python}); };
  const Result<ConformResult> result = run_conform(make, flags.options, progress, stop_requested());
  if (!result) return fail(result.error());
  std::fputs(conform_table(*result).c_str(), flags.json ? stderr : stdout);
  if (flags.json) fmt::print("{}\n", conform_json(*result));
  return write_found(*result, flags);
}

}  // namespace

void add_conform(CLI::App& app, Run& run) {
  auto flags = std::make_shared<ConformFlags>();
  CLI::App* command = app.add_subcommand(
      "conform",
      "Random calls of each op: the interpreter's values and types against those of TVM's compiled code");
  command->add_option(
      "cases", flags->cases,
      "Case folders of one call each, in place of random calls: both results, tolerance, types. With --tensor-ir: trees of cases, whose "
      "modules are lowered in place of generated ones");
  CLI::Option* ops =
      command->add_option("--ops", flags->options.ops, "Ops, separated by commas, with or without `relax.` (default: all)")->delimiter(',');
  CLI::Option* calls = command->add_option("--calls", flags->options.calls, "Calls of each op")->check(CLI::Range(1, 1 << 20))->capture_default_str();
  CLI::Option* tensor_ir =
      command
          ->add_flag("--tensor-ir", flags->tensor_ir,
                     "Compare functions of TensorIR, those that LegalizeOps makes of modules, in place of ops: each once, on what it was called with")
          ->excludes(ops)
          ->excludes(calls);
  command->add_option("--modules", flags->modules, "Modules to generate for them")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->capture_default_str()
      ->needs(tensor_ir);
  add_seed(*command, flags->options.seed, "Where the calls come from");
  add_jobs(*command, flags->options.jobs, "Threads, each with a compiler process of its own (default: one for each core)");
  command->add_option("--batch", flags->options.batch, "Calls, or functions, that are compiled as one module")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command->add_option("-o,--out", flags->out, "Folder for a case of each distinct disagreement");
  command->add_option("--python", flags->python, "The Python whose tvm is used (default: build/venv's)");
  command->add_flag("--type-variants", flags->options.variants,
                    "Compare types of variants of each call, too: operands less known or unfit, other attributes");
  command->add_flag("--json", flags->json, "The last line of standard output is a JSON object");
  command->callback([flags, &run] { run = [flags] { return run_conform_command(*flags); }; });
}

}  // namespace passdiff
