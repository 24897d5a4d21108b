// Passes under test, and the subjects (compilers) that they belong to.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/choices/choices.h"
#include "core/documents/bound_arguments.h"
#include "core/documents/case.h"
#include "passes/block_claim.h"
#include "passes/contract.h"

namespace passdiff {

// One pass: its name, its contract, and how a campaign uses it.
struct Pass {
  std::string name;  // TVM's, spelled as TVM spells it
  Contract contract;
  // Draws the options for one case, the text of a JSON object; null: the pass is always run with "{}".
  std::string (*draw_options)(Choices&, const Module&) = nullptr;
  // Whether the pass is meant for this module: a campaign does not run it on others. Null: it is meant for all.
  bool (*applies)(const Module&) = nullptr;
  // The contract under these options (LiftTransformParams with shared_transform); null: options do not change it.
  Contract (*contract_for)(const Contract&, std::string_view options) = nullptr;
  // What these options bind parameters and symbolic dims of the function to: its target can be judged on no other arguments. Null: nothing.
  BoundArguments (*bound)(std::string_view function, std::string_view options) = nullptr;
  // Why the pass cannot be driven at all; empty if it can. Such a pass is listed, not run.
  std::string unsupported;
  // Why the pass cannot be made without options; empty if it can. A campaign, which draws none for it, does not run such a pass.
  std::string unmade;
  bool over_distributed = false;  // it is about distributed tensors: it is given modules that have some, and no other pass is
  // The compiler's pass that applies this rule, where the row is one of a pass's rules: a campaign gives that pass one of its rules on each case, drawn
  // by weight. Empty: the row is a pass of its own.
  std::string_view rule_of;
  unsigned weight = 1;
  // Native: the file "passes/native/...". TVM: "tvm.<relax|tirx|s_tir>.transform.<name>", "tvm.relax.backend.<name>" or "plugin".
  std::string source;
  // Whether the compiler runs the pass without being asked to: it is in one of its default pipelines. Bugs in it reach every user.
  bool in_default_pipeline = false;
};

using Pipeline = std::vector<PassCall>;

// A pipeline that the compiler itself runs when it builds a module, as the names of its passes, which have no options there.
struct BuildPipeline {
  std::string name;
  std::vector<std::string_view> passes;
};

// The pipeline ran to its end.
struct Transformed {
  std::optional<Module> target;  // nothing if the target holds what our IR lacks; `unreadable` then says what
  bool unchanged = false;        // the target is structurally equal to the source; `target` may then be missing
  std::string unreadable;        // "op relax.call_tir"
};
// A pass ended with an error.
struct Refused {
  std::string kind;      // "InternalError", "TypeError", ...; native: the error code
  std::string site;      // kind + file + function of the throw site, without lines: stable
  std::string message;
};
struct Crash {
  std::string signal;    // "SIGSEGV"
  std::string site;      // the compiler's innermost function, if the subject printed any frames
};
struct Timeout {
  double cpu_seconds;
};
// A pass is said to hang once it has run for so long, in seconds: a finding is reported after as much CPU time, and its script waits for as
// long.
inline constexpr int kHangClaimSeconds = 60;
struct MemoryExceeded {};
// The subject refuses the source before any pass: its type inference and ours disagree, or it has a bug there.
struct CannotBuild {
  std::string kind;
  std::string site;
  std::string message;
};
struct TransformReply {
  std::variant<Transformed, Refused, Crash, Timeout, MemoryExceeded, CannotBuild> result;
  int pass_index = 0;              // the pass of the pipeline that failed, or its last one
  bool input_mutated = false;
  std::optional<bool> subject_well_formed;  // what the subject's own checker says of the target
  std::string subject_complaint;   // why it refuses the target, in its own words; may be empty
  std::string subject_fault;       // the code that our checker has for what these words say: "form.undefined-var"; may be empty
  double seconds_in_pass = 0;      // CPU time that the passes took, the allowed time where one of them took longer
  std::vector<std::optional<Module>> snapshots;  // after each pass, if asked for
};

struct TransformOptions {
  bool snapshots = false;
  bool subject_well_formed = true;
  // A subject may remember what passes made of the module of its last requests. With `again` it runs the last pass of each pipeline anew.
  bool again = false;
  std::size_t together = 0;        // so many of the last passes run in the subject's own Sequential, in place of one by one
  double cpu_seconds = 10;         // the deadline of one pipeline
  // Where a pass has code made in order to run it (FoldConstant does, for constants), a subject that can do so lets the interpreter run the function
  // instead, which takes a hundredth of the time.
  bool interprets_constants = false;
  // A subject that infers types anew, only to hold against them those that the source declares or a pass left in the target, may spare itself that:
  // it takes TVM as long as four cheap passes do. So may it spare itself to ask whether the source is well-formed, unless a pass is to be blamed.
  bool trusts_types = false;
};

// How the subject's own compiler makes code for its machine.
struct MachineCode {
  // What is undefined often shows in optimised code alone, which takes some three times as long to make.
  bool optimised = false;
  // The name of a pass that the compiler's build, which may run it as well, leaves out; empty: none.
  std::string_view without = {};
  // With an assertion before each access of a buffer that its indices are within it. Code that fails then says what was out of bounds.
  bool asserts_bounds = false;
  // The code is made, but not run, which takes half the time: the value is the empty tuple then.
  bool only_compiled = false;
};

// What the subject's own virtual machine returned.
struct VmReply {
  // The result of the plan's last step, or of the call; or nothing, with the stage that failed and its error:
  // - "build", "transform", "compile", "run": the source cannot be built, the pipeline fails, its target does not compile or does not run;
  // - "lower": the module compiles no further than to an op for which the machine has no code, only code generators of others, or asks for a device
  //   that the machine does not have;
  // - "read": call_functions alone; the result of a call is no value of our IR;
  // - "timeout", "memory", "crash": the process took too long or too much memory, or died;
  // - "lost": the process cannot be kept alive; "protocol": its reply cannot be read.
  std::optional<Value> value;
  std::string stage;
  Refused error;
  bool answered = true;              // else nothing is known: the subject's process is gone, or does not say what it should
  bool overwrote_arguments = false;  // the call left other values in the tensors that it was given
};

// A call of a function of a module, on its own.
struct FunctionCall {
  std::string function;
  std::vector<Value> arguments;
};
// What became of several calls of one module, compiled once for all of them.
struct CallsReply {
  std::vector<VmReply> results;  // one per call; none if the module as a whole failed
  std::string stage;             // the stage in which it did, with the error
  Refused error;
};
// The module with the types that the subject infers, or why it infers none.
struct InferReply {
  std::optional<Module> module;
  Refused error;
};

// What a finding says where the code that shows it is made without the last pass, which the compiler's build may run as well.
inline constexpr std::string_view kCompiledWithoutPass = "compiled without the pass";
// The like, where a build that runs the pass makes the same of the source.
inline constexpr std::string_view kBuildErrsToo = "the build runs it on the source, too; compiled without the pass";
static_assert(kBuildErrsToo.ends_with(kCompiledWithoutPass));  // whoever looks for the one finds the other
// What it says where the build cannot do without the pass, and makes of the source what the pass does, or fails at that as it does at the target.
inline constexpr std::string_view kBuildErrsAlike = "the build needs the pass, and makes the same of the source";

// What it says where code that asserts its bounds runs the source, and ends in such an assertion of the target.
inline constexpr std::string_view kBoundsAsserted = "its bounds asserted";

// What the subject's own analysis says of what a block of TensorIR declares.
struct BlockAnalysis {
  std::optional<std::string> contradiction;  // what it finds beyond that, in words; nothing if it finds nothing, or cannot tell
  bool answered = true;                      // else nothing is known: the subject's process is gone
  Refused error;                             // why it is gone
};

// The finding that a script must show with the subject alone, without passdiff.
struct ReproRequest {
  TestCase test;
  Pipeline pipeline;
  CallPlan plan;
  std::string symptom;  // as verdicts print it: "mismatch"
  std::string site;     // throw site or stable code; may be empty
  // One line for people. If it holds kCompiledWithoutPass, code for the script's calls is made without the last pass; if kBoundsAsserted, with assertions;
  // if kBuildErrsAlike, the script compiles and runs the target alone, and compares with the numbers that the interpreter makes of the source.
  std::string detail;
};

// A compiler whose passes are tested.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual std::string_view name() const = 0;     // "native", "tvm"
  virtual std::string version() const = 0;       // "0.27.0.post1"
  virtual std::span<const Pass> passes() const = 0;
  // Runs each pipeline over the module, one independently of the other. A reply per pipeline, in their order.
  std::vector<TransformReply> transform(const Module& module, std::span<const Pipeline> pipelines, const TransformOptions& options);
  // The CPU time, in seconds, that passes took in all calls of `transform` so far, as its replies tell it.
  double seconds_in_passes() const { return seconds_in_passes_; }

  // The rest is what only some subjects can do. The definitions here say that the subject cannot.

  // The compiler's own pipelines. They may hold passes that cannot be driven alone.
  virtual std::span<const BuildPipeline> build_pipelines() const { return {}; }
  // Applies the pipeline (which may be empty) and runs the result by the plan in the subject's own machine, lowered with as few
  // other passes as possible. Nothing if the subject has no machine, or its build runs no pass of the name that is to be left out.
  virtual std::optional<VmReply> execute(const TestCase& test, const Pipeline& pipeline, const CallPlan& plan, const MachineCode& code);
  // Whether the subject's own type inference finds other types in the module than it declares. Nothing if the subject has no
  // inference: it takes types for what they declare.
  virtual std::optional<bool> contradicts_types(const Module& module, double cpu_seconds);
  // Whether the subject has an analysis of its own of what blocks of TensorIR access.
  virtual bool analyses_blocks() const { return false; }
  // Asks it of a block in the target of the pipeline.
  virtual BlockAnalysis analyse_block(const Module& module, const Pipeline& pipeline, const BlockClaim& claim);
  // Compiles the module once and makes each call, independently of the others. Nothing if the subject has no machine.
  virtual std::optional<CallsReply> call_functions(const Module& module, std::span<const FunctionCall> calls);
  // Each module with the types that the subject itself infers for bindings and results, in place of those declared. Nothing if
  // the subject has no inference.
  virtual std::optional<std::vector<InferReply>> infer_types(std::span<const Module> modules);
  // The names of all operations that the subject knows. Nothing if it cannot tell.
  virtual std::optional<std::vector<std::string>> op_names();
  // A script in the subject's own language that exits 1 while the bug is there, 0 when it is gone, 2 when the environment
  // is not fit. Nothing if the subject has no such thing.
  virtual std::optional<std::string> repro_script(const ReproRequest& request);
  // What the subject's documentation promises of its passes and a finding of this symptom and site (as verdicts have them) breaks: a
  // sentence that names the place. Empty where nothing of the kind is documented.
  virtual std::string documented_promise(std::string_view symptom, std::string_view site) const;
  // How often its process has died and was started again; 0 for a subject without one.
  virtual std::int64_t restarts() const { return 0; }

 private:
  // What `transform` does.
  virtual std::vector<TransformReply> run_pipelines(const Module& module, std::span<const Pipeline> pipelines, const TransformOptions& options) = 0;

  double seconds_in_passes_ = 0;
};

const Pass* find_pass(const Subject& subject, std::string_view name);
// With its version: "tvm 0.27.0.post1".
std::string full_name(const Subject& subject);
Contract contract_of(const Pass& pass, std::string_view options);

// The native passes. `fault` names one of all_faults() to switch on, or is empty.
std::unique_ptr<Subject> make_native_subject(std::string_view fault = {});

// A mistake that a native pass can be told to make; mostly one that such passes really made.
struct Fault {
  std::string_view name;    // "lift-transform-params/output-dropped"
  std::string_view pass;
  std::string_view summary;
  std::string_view check;   // the check that should see it
};
std::span<const Fault> all_faults();
const Fault* find_fault(std::string_view name);  // null if no native pass has it

}  // namespace passdiff
