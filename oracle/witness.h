// The subject's own machine as a witness: it confirms what our interpreter objects to, and judges targets that our IR cannot hold.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "oracle/compare.h"
#include "oracle/pipeline_contract.h"
#include "oracle/source_run.h"
#include "oracle/verdict.h"

namespace passdiff {

// The check that asks the machine.
inline constexpr std::string_view kVmAgrees = "vm-agrees";

// Compares what compiled code returned with what the interpreter says of the source, which must have returned, as closely as the accuracy of
// compiled code allows; only the tensor `leaf`, if one is named.
Comparison compare_with_compiled(const SourceRun& source, const Value& measured, Numerics numerics, std::string_view leaf = {});

// A subject without a machine (passes of our own) confirms everything: the interpreter is its reference. Where the subject's process is gone and
// gives no answer, the verdict becomes `unsupported`, at the site that says so (subject.lost).
class Witness {
 public:
  Witness(Subject& subject, const SourceRun& source) : subject_(subject), source_(source) {}

  // A finding on the values becomes `unconfirmed` if the machine runs the source otherwise than the interpreter, or contradicts
  // it: where the interpreter sees source and target differ, the machine sees no difference, and is accurate enough to tell. Where the target does
  // not compile, it becomes that finding. Where it names a tensor (Verdict::leaf), that alone is compared.
  // A build that runs the pass that is judged errs as that does, and on the source, too: the machine is asked without it. Where the build cannot do
  // without, and the machine makes of the source what the interpreter makes of the target, or fails where that fails, the finding stands: it is then
  // the interpreter's word on the operations of the source that counts, which `passdiff conform` holds against the subject, operation by operation.
  // `target` is what the interpreter made of the target; null: nothing, and any difference that the machine sees confirms. The
  // source must have returned.
  void confirm(const Pipeline& pipeline, const CallPlan& plan, const Value* target, Verdict& verdict);
  // An objection of our well-formedness checker alone becomes `unconfirmed` if the machine runs the target, or fails at what a pass may refuse. A
  // build that runs the pass that is judged may fail on the source, too: the machine is then asked without it. Where the build cannot do without, the
  // finding stands if source and target fail at the same place.
  void confirm_form(const Pipeline& pipeline, const CallPlan& plan, Verdict& verdict);
  // That a run contradicts what a block declares becomes `unconfirmed` if the subject's own analysis finds nothing beyond that.
  void confirm_contradiction(const Pipeline& pipeline, Verdict& verdict);
  // A finding on what a call of the target alone returns, as the interpreter sees it, becomes `unconfirmed` if the machine does not run the
  // source, or returns something else; where the target does not compile, it becomes that finding. `result` null: the call does not return; a
  // machine in which it does contradicts the finding.
  void confirm_result(const Pipeline& pipeline, const CallPlan& plan, const Value* result, Verdict& verdict);
  // The same, where the interpreter finds that call undefined, so that the machine may return anything: the finding becomes `unconfirmed` unless the
  // call ends there, or `what_is_wrong` says something of what it returns, which the detail then begins with.
  void confirm_undefined(const Pipeline& pipeline, const CallPlan& plan,
                         const std::function<std::optional<std::string>(const Value&)>& what_is_wrong, Verdict& verdict);
  // The verdict of the check kVmAgrees: compares what the machine makes of the target with what the interpreter and, where that
  // differs, the machine make of the source. `unreadable` names what of the target our IR cannot hold, if anything. The source must have returned.
  Verdict judge(const Pipeline& pipeline, const PipelineContract& contract, const CallPlan& plan,
                const std::string& unreadable);
  // The same of whether the target compiles alone: it agrees if it does, and is `unconfirmed` if the source does not compile either. Nothing runs.
  Verdict judge_compilation(const Pipeline& pipeline, const PipelineContract& contract, const CallPlan& plan);

 private:
  // The machine's run of the source, with its value. Null if there is none: the verdict then says why, unless the subject has no machine.
  const VmReply* run_of_source(Verdict& verdict);
  // What the machine answers of the source, be it that it does not run. Null if it gives no answer, which the verdict then says, or there is none.
  const VmReply* answered_baseline(Verdict& verdict);
  // Of a target that returned nothing. One that ends when it runs confirms the finding. Of one that has no code nothing shows what is wrong with its
  // values: that it does not compile is a finding of its own, unless a pass of the pipeline may refuse what the compiler does, or the machine merely
  // has no code for one of its ops.
  void judge_failure(const VmReply& target, const Pipeline& pipeline, Verdict& verdict) const;
  // What the machine makes of a call of the target alone. Nothing if it gives no answer, or does not run the source: the verdict then says so.
  std::optional<VmReply> call_target(const Pipeline& pipeline, const CallPlan& plan, Verdict& verdict);
  // What the machine made of the source in code that runs it as the interpreter does.
  struct SourceCode {
    VmReply reply;
    std::string_view without;  // the pass that was left out of the build, which errs as that does; empty: none
  };
  // Nothing if the verdict, in which the reason then stands, is settled without a run of the target, or there is no machine. `judged` is the last
  // pass of the pipeline, `target` what the interpreter made of it, or null.
  std::optional<SourceCode> code_of_source(std::string_view judged, const Value* target, Verdict& verdict);
  // Whether plain code of the target, which returned this, or optimised code shows in the results that something in it is undefined.
  bool shows_what_is_undefined(const SourceCode& source, const Pipeline& pipeline, const CallPlan& plan, const Value& target);
  // A finding that the target fails at run time, where the machine's code of the source fails as well, becomes `unconfirmed` unless the build needs the
  // last pass and code of the target fails alike; the verdict then says so.
  void confirm_failure(const Pipeline& pipeline, const CallPlan& plan, Verdict& verdict);
  // Whether such code of what the passes `before` make of the source, called as the source is, and of the target makes different results.
  // Nothing if one of the two does not run.
  std::optional<bool> differ(const Pipeline& before, const Pipeline& pipeline, const CallPlan& plan, const MachineCode& code);
  // Whether what the machine sees source and target differ in is what the passes before the last have made, as fusion that keeps intermediate
  // values wide: code of what they make, plain or optimised, makes the same as that of the target.
  bool is_made_by_passes_before(const Pipeline& pipeline, const CallPlan& plan, std::string_view without);
  // What the machine makes of the source, in plain code, which is run once; nothing if there is no machine.
  const std::optional<VmReply>& baseline();
  // Whether code that asserts its bounds runs the source as the interpreter does, and ends in such an assertion of the target; the verdict then says
  // so. What is read or written out of bounds need not show in results. The code is made without the last pass, where the build can do without it.
  bool ends_out_of_bounds(const Pipeline& pipeline, const CallPlan& plan, Verdict& verdict);
  // Whether the machine makes of the source what the interpreter makes of the target (both may differ from it in this leaf alone), and is accurate
  // enough to tell that from what the interpreter makes of the source.
  bool computes_as(const Value& target, const Value& measured, std::string_view leaf) const;
  bool agrees_with_interpreter(const Value& measured, Numerics numerics, std::string_view leaf) const;
  Subject& subject_;
  const SourceRun& source_;
  std::optional<VmReply> baseline_;
  bool asked_ = false;
};

}  // namespace passdiff
