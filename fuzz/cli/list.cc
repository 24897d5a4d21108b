// passdiff list: what there is, printed from the tables themselves.
#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/gen/generate.h"
#include "core/ops/op.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/missing_ops.h"
#include "oracle/check_row.h"
#include "oracle/symptom.h"

namespace passdiff {
namespace {

struct ListFlags {
  SubjectFlags subject;
  std::string what;
  bool missing = false;
};

int list_passes(const ListFlags& flags) {
  Result<std::unique_ptr<Subject>> subject = make_subject(flags.subject);
  if (!subject) return fail(subject.error());
  for (const Pass& pass : (*subject)->passes()) {
    if (!pass.unsupported.empty()) {
      fmt::print("{:<32} unsupported: {}\n", pass.name, pass.unsupported);
    } else {
      fmt::print("{:<32} called {}, numerics {}{}{}\n", pass.name, kConventionNames[static_cast<std::size_t>(pass.contract.convention)],
                 kNumericsNames[static_cast<std::size_t>(pass.contract.numerics)], pass.contract.idempotent ? ", idempotent" : "",
                 pass.unmade.empty() ? "" : ", needs options");
    }
  }
  return kExitClean;
}

int list_missing_ops(const ListFlags& flags) {
  const auto subject = make_subject(flags.subject);
  if (!subject) return fail(subject.error());
  const auto names = (*subject)->op_names();
  if (!names) return fail({"usage.missing", flags.subject.subject + ": this subject does not tell its ops"});
  for (const MissingOp& op : missing_ops(*names)) fmt::print("{:<46} {}\n", op.name, op.reason);
  return kExitClean;
}

int run_list(const ListFlags& flags) {
  if (flags.missing && flags.what != "ops") return fail({"usage.missing", "--missing goes with ops alone"});
  if (flags.missing) return list_missing_ops(flags);
  if (flags.what == "passes") return list_passes(flags);
  if (flags.what == "ops") {
    for (const OpDef& op : all_ops()) {
      std::string params;
      for (const Param& param : op.params)
        params += fmt::format("{}{}{}", params.empty() ? "" : ", ", param.name, param.optional ? "?" : "");
      fmt::print("{:<28} ({})\n", op.name, params);
    }
  } else if (flags.what == "checks") {
    for (const Check& check : all_checks()) {
      const std::string sample =
          check.is_sampled() ? fmt::format(" (on one case in {})", check.one_in) : std::string();
      fmt::print("{:<20} {}{}\n", check.name, check.promise, sample);
    }
  } else if (flags.what == "symptoms") {
    for (const SymptomInfo& symptom : all_symptoms())
      fmt::print("{:<20} {:<16} {}\n", symptom.name, severity_name(symptom.symptom), symptom.meaning);
  } else if (flags.what == "faults") {
    for (const Fault& fault : all_faults())
      fmt::print("{:<52} {} (seen by {})\n", fault.name, fault.summary, fault.check);
  } else {
    for (const IdiomInfo& idiom : all_idioms()) fmt::print("{:<28} {}\n", idiom.name, idiom.summary);
  }
  return kExitClean;
}

}  // namespace

void add_list(CLI::App& app, Run& run) {
  auto flags = std::make_shared<ListFlags>();
  CLI::App* command = app.add_subcommand("list", "List passes, ops, checks, symptoms, faults or idioms");
  add_subject_flags(*command, flags->subject);
  command->add_option("what", flags->what, "passes, ops, checks, symptoms, faults or idioms")
      ->required()
      ->check(CLI::IsMember({"passes", "ops", "checks", "symptoms", "faults", "idioms"}));
  command->add_flag("--missing", flags->missing,
                    "ops: those of the subject's ops that passdiff leaves out, each with the reason");
  command->callback([flags, &run] { run = [flags] { return run_list(*flags); }; });
}

}  // namespace passdiff
