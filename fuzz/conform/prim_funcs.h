// Conformance of functions of TensorIR: those that LegalizeOps makes, as the interpreter and as a compiler's compiled code run them.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/documents/case.h"
#include "core/result.h"
#include "fuzz/conform/conform.h"

namespace passdiff {

struct PrimFuncOptions {
  std::vector<std::filesystem::path> folders;  // of cases, whose modules are lowered; empty: modules are generated
  std::int64_t modules = 1000;                 // how many are generated
  std::uint64_t seed = 1;
  int jobs = 1;
  int batch = 40;  // functions that are compiled as one module
};

// Functions that were run otherwise, or not compiled, and look alike: of one name but for its number, with the same symptom and explanation.
struct PrimFuncDisagreement {
  std::string function;  // "take"
  std::string symptom;   // "mismatch", "compile InternalError@..."
  std::string why;       // why the compiler is wrong; empty: not explained
  std::string detail;    // of the first
  std::int64_t count = 0;
  std::string origin;  // where the first comes from: "seed 7, case 12"
  TestCase test;       // the first function, on the arguments that it was called with
};

// Functions are told apart by structural equality; each is compared once, on the arguments of the first call that was met. Each is counted in one of
// agreed, undefined, undetermined, not_run, explained, refused and differ.
struct PrimFuncConformance {
  std::int64_t modules = 0;      // that were looked at
  std::int64_t not_lowered = 0;  // of these: the case or the target cannot be read, or the compiler refuses them
  // Of these: the source does not take its arguments; or the target was not run to its end, and its functions are looked at up to there.
  std::int64_t not_ended = 0;
  std::int64_t calls = 0;        // of functions of TensorIR in the runs of the targets
  std::int64_t functions = 0;    // that were called
  std::int64_t agreed = 0;
  std::int64_t undefined = 0;     // the run is undefined, or wraps: any result will do
  std::int64_t undetermined = 0;  // the comparison is inconclusive
  std::int64_t not_run = 0;       // the interpreter cannot run the function
  std::int64_t explained = 0;     // it differs, or is refused, for a reason that known_prim_funcs.h knows
  std::int64_t refused = 0;       // the compiler does not compile or run it
  std::int64_t differ = 0;
  std::map<std::string, std::int64_t> reasons;  // why modules are not lowered, and functions not run
  std::vector<PrimFuncDisagreement> disagreements;
  double seconds = 0;

  // No function was run otherwise or refused for a reason that is not known, and some were compared.
  bool conforms() const { return agreed > 0 && differ == 0 && refused == 0; }
};

// Runs all; the result does not depend on `jobs`. `progress` is told what is known so far. Fails with conform.subject for a subject without a machine, and
// as the making of a subject does.
Result<PrimFuncConformance> conform_prim_funcs(const MakeConformSubject& make_subject, const PrimFuncOptions& options,
                                               const std::function<void(const PrimFuncConformance&)>& progress, const std::atomic<bool>& stop);

// The counts, a line each, then the disagreements.
std::string prim_func_table(const PrimFuncConformance& result);
// One JSON object, with the version of its format.
std::string prim_func_json(const PrimFuncConformance& result);
// Writes each disagreement as a case folder into `root`, whose entry is the function.
Result<int> write_disagreements(const PrimFuncConformance& result, std::string_view subject, const std::string& root);

}  // namespace passdiff
