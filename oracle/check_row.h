// A check as a row of a table: what it promises, when it is made, and the function that holds a target against it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/documents/case.h"
#include "core/eval/outcome.h"
#include "core/form/well_formed.h"
#include "oracle/verdict.h"
#include "passes/pass.h"

namespace passdiff {

struct CheckOptions;
struct PipelineContract;
class FurtherRuns;
class JudgedTargets;
class SourceRun;
class Witness;

// What a check looks at: the subject's reply to one pipeline over one test case, and what is known of both.
struct CheckContext {
  // These are shared by all pipelines of the case.
  Subject& subject;
  const TestCase& test;
  const CheckOptions& options;
  const SourceRun& source;  // the source in our interpreter
  FurtherRuns& further;     // the same on further arguments, if these are asked for
  Witness& witness;         // source and target in the subject's own machine
  JudgedTargets& judged;    // what was said of the values of other pipelines' targets
  JudgedTargets& machine_judged;  // the same, of what the subject's machine made of them
  WellFormedPrimFuncs& well_formed_prim_funcs;
  // What our checker has said of types where the subject's machine, asked about an earlier target, showed nothing wrong.
  std::set<std::string>& settled_doubts;

  const Pipeline& pipeline;
  const PipelineContract& contract;
  const TransformReply& reply;
  // The module after the pipeline, which is the source itself where `unchanged`. Null where the pass failed, and where the
  // target holds what our IR lacks: `unreadable` then says what.
  const Module* target;
  bool unchanged;
  const std::string& unreadable;
  bool judges_unreadable;  // whether the subject's machine is asked about such a target
  // How the target is called, as the contract says; `uncallable` says why it cannot be called so.
  const CallPlan& plan;
  const std::optional<Error>& uncallable;
  std::optional<Outcome>& target_outcome;  // of target_run(); nothing before it was asked for
  // Where a check that is content may say why: the reasons of a verdict that agrees.
  std::vector<std::string>& reasons;
  // The CPU time that further runs of the pipeline take is added here.
  double& seconds_in_pass;

  // Runs the target as the plan says.
  Outcome run_target(std::span<const Value> arguments, const Rounding& rounding = {}) const;
  // The same on the case's own arguments, under faithful rounding: it is run once for all checks.
  const Outcome& target_run() const;
  // What another run of the pipeline's last pass, or of `how.together` passes as one, makes of a module: the module itself where nothing
  // changes, nothing where the pipeline fails or its target holds what our IR lacks. Of `how`, only `together` counts.
  std::optional<Module> transformed(const Module& module, const TransformOptions& how = {}) const;
  // What the pipeline makes of what it made of the source, handed on as the subject's own object: that may hold what our IR lacks, as a
  // type that was inferred before a part of the expression changed, on which a pass looks. Nothing as above.
  std::optional<Module> transformed_twice() const;
  // The first finding that `judge` makes of the source on further arguments, which become the verdict's. Whatever else it says
  // decides nothing. Not asked where the source is undefined, nor of special values where the contract is not exact.
  std::optional<Verdict> further_finding(
      const std::function<std::optional<Verdict>(const SourceRun&)>& judge) const;
};

// The finding of the subject's own machine that runs source and target, once for equal targets; nothing where it makes none, or cannot judge.
// The plan must be one by which the target can be called.
std::optional<Verdict> judged_by_machine(const CheckContext& context);

// The verdict on a target in whose run a value has not the type that is declared for it.
Verdict verdict_on(const WrongType& wrong);

// One row.
struct Check {
  std::string_view name;     // as verdicts, options and lists call it: "idempotent"
  std::string_view promise;  // what is true of a pass to which it never objects
  std::string_view after;    // the check that is made before this one; empty: none
  // A costly check is made on a sample: in campaigns, of each pipeline, on one case in so many. 1: on every case.
  unsigned one_in = 1;
  // Has the subject compile and run modules, which takes a tenth of a second and more.
  bool compiles = false;
  // The verdict, where the check decides: it objects, or it knows that nothing can be said of the target. No further check is
  // made then. Nothing, where the check is content. The verdict's `check` may be left empty: it becomes the row's name.
  std::optional<Verdict> (*judge)(const CheckContext&) = nullptr;

  bool is_sampled() const { return one_in != 1; }
};

// The rows of oracle/checks, in the order in which the checks are made: each after the one that it names, else by file name.
std::span<const Check> all_checks();
const Check* find_check(std::string_view name);  // null if there is none

// The rows of oracle/checks by file name. The build writes it.
std::vector<Check> joined_checks();

}  // namespace passdiff
