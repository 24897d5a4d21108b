// A pass under test, and the subjects whose passes these are.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/ops/choices.h"
#include "core/documents/case.h"
#include "passes/contract.h"

namespace passdiff {

// One pass: its name, its contract, and how a campaign draws its options.
struct Pass {
  std::string name;  // TVM's, spelled as TVM spells it
  Contract contract;
  // Options for one case as the text of a JSON object; null: always "{}". May look at the module.
  std::string (*draw_options)(Choices&, const Module&) = nullptr;
  // Is the pass meant for this module? Others are passed over by a campaign; null: it is meant for all.
  bool (*applies)(const Module&) = nullptr;
  // Adjusts the contract to the options (LiftTransformParams with shared_transform); null: as it stands.
  Contract (*contract_for)(const Contract&, std::string_view options) = nullptr;
  // Why the pass cannot be driven at all; empty if it can. Such a pass is listed, not run.
  std::string unsupported;
  unsigned one_in = 1;  // a campaign runs it on one case in so many: passes that compile are costly
  std::string source;  // native: "passes/native/..."; TVM: where the contract comes from
};

using Pipeline = std::vector<PassCall>;

// What running a pipeline over a module did.
struct Transformed {
  std::optional<Module> target;  // nothing if the target holds what our IR lacks; `unreadable` then says what
  bool unchanged = false;        // target is structurally the source, which then stands in for it
  std::string unreadable;        // "op relax.call_tir"
};
struct Refused {
  std::string kind;      // "InternalError", "TypeError", ...; native: the error code
  std::string site;      // kind + file + function of the throw site, without lines: stable
  std::string message;
};
struct Crash {
  std::string signal;    // "SIGSEGV"
  std::string site;      // innermost frames, if the subject printed any
};
struct Timeout {
  double cpu_seconds;
};
struct MemoryExceeded {};
struct CannotBuild {     // the subject refuses the source itself: its type inference and ours disagree, or a bug there
  std::string kind;
  std::string site;
  std::string message;
};
struct TransformReply {
  std::variant<Transformed, Refused, Crash, Timeout, MemoryExceeded, CannotBuild> result;
  int pass_index = 0;              // the pass of the pipeline that failed, or its last one
  bool input_mutated = false;
  std::optional<bool> subject_well_formed;  // what the subject's own checker says of the target
  double seconds_in_pass = 0;      // CPU time inside the pipeline
  std::vector<std::optional<Module>> snapshots;  // after each pass, if asked for
};

struct TransformOptions {
  bool snapshots = false;
  bool subject_well_formed = true;
  bool sequential = false;         // through the subject's own Sequential, instead of pass by pass
  double cpu_seconds = 10;         // the deadline of one pipeline
};

// Runs compiled code: what the subject's own virtual machine makes of a module.
struct VmReply {
  // Values (one per plan's final step), or why there is none: "compile" or "run" stage with the error.
  std::optional<Value> value;
  std::string stage;
  Refused error;
};

// What a script must show under the subject alone, without passdiff.
struct ReproRequest {
  TestCase test;
  Pipeline pipeline;
  CallPlan plan;
  std::string symptom;  // as verdicts print it: "mismatch"
  std::string site;     // throw site or stable code, may be empty
  std::string detail;   // one line
};

// A compiler whose passes are tested.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual std::string_view name() const = 0;     // "native", "tvm"
  virtual std::string version() const = 0;       // "0.27.0.post1"
  virtual std::span<const Pass> passes() const = 0;
  // Each pipeline on its own, over the same module.
  virtual std::vector<TransformReply> transform(const Module& module, std::span<const Pipeline> pipelines,
                                                const TransformOptions& options) = 0;

  // What some subjects can do besides. As these stand here they say that the subject cannot.

  // Applies the pipeline (may be empty) and runs the result by the plan in the subject's own machine, lowered with as few
  // passes as will do. Nothing if the subject has no machine.
  virtual std::optional<VmReply> execute(const TestCase& test, const Pipeline& pipeline, const CallPlan& plan);
  // Whether the subject's own type inference finds other types in the module than it declares. Nothing if the subject has no
  // inference: it takes types for what they declare.
  virtual std::optional<bool> contradicts_types(const Module& module, double cpu_seconds);
  // A script in the subject's own language that exits 1 while the bug is there, 0 when it is gone, 2 when the environment
  // is not fit. Nothing if the subject has no such thing.
  virtual std::optional<std::string> repro_script(const ReproRequest& request);
};

const Pass* find_pass(const Subject& subject, std::string_view name);
Contract contract_of(const Pass& pass, std::string_view options);

// The native passes. `fault` names one of all_faults() to switch on, or is empty.
std::unique_ptr<Subject> make_native_subject(std::string_view fault = {});

// A mistake that a native pass can be told to make: one that such passes really had.
struct Fault {
  std::string_view name;    // "lift-transform-params/output-dropped"
  std::string_view pass;
  std::string_view summary;
  std::string_view check;   // the check that should see it
};
std::span<const Fault> all_faults();
const Fault* find_fault(std::string_view name);  // null if no native pass has it

}  // namespace passdiff
