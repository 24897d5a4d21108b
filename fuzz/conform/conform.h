// Conformance: random calls of ops, as the interpreter and as a compiler's compiled code compute them, and
// their types.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/documents/case.h"
#include "core/result.h"
#include "fuzz/conform/known.h"
#include "passes/pass.h"

namespace passdiff {

struct ConformOptions {
  std::vector<std::string> ops;  // empty: all that have a generation rule; "add" stands for "relax.add"
  int calls = 200;               // of each op
  std::uint64_t seed = 1;
  int jobs = 1;
  int batch = 40;  // calls that are compiled as one module
  // Types are compared of variants of each call, too: operands less known or unfit, other attributes.
  bool variants = false;
};

// Disagreements of one op that look alike: of one kind, with the same symptom, and those of values over the
// same dtypes.
struct Disagreement {
  std::string op;
  Disagree kind = Disagree::value;
  std::string symptom;  // "nan against a number", "type", or the compiler's throw site
  std::string dtypes;   // of the operands
  std::string detail;   // of the first call
  std::string call;     // the first call, in one line
  std::string why;      // why the compiler is wrong; empty: not explained
  int count = 0;
  std::uint64_t index = 0;
  TestCase test;  // the first call
};

// What became of the calls of one op. Each call is counted in one of agreed, undefined, undetermined, refused
// and value; type counts calls whose types disagree, whatever became of their values.
struct OpConformance {
  std::string op;
  int calls = 0;
  int agreed = 0;
  int undefined =
      0;  // the call itself is undefined, or wraps, or is made of no elements: nothing is compared
  int undetermined = 0;  // the operands do not tell the result
  int refused = 0;       // the compiler does not compile or run the call
  int value = 0;         // calls whose values disagree,
  int typed =
      0;  // calls whose types were compared: each of the above and variants of it, with less known types
  int type = 0;       // of these: types that disagree, unexplained as are those of `value`
  int explained = 0;  // calls whose values disagree, or that are refused, for a known reason
  std::vector<Disagreement> disagreements;

  // No disagreement is unexplained, be it of values, types or a refusal, and something was compared.
  bool conforms() const;
};

struct ConformResult {
  std::vector<OpConformance> ops;  // in the order of the table
  double seconds = 0;
  bool conforms() const;
};

using MakeConformSubject = std::function<Result<std::unique_ptr<Subject>>()>;
// Runs all. `progress` is told of each op that is done, by one thread at a time. Fails with conform.op for an
// op that the table lacks, conform.subject for a subject without a machine, and as the making of a subject
// does.
Result<ConformResult> run_conform(const MakeConformSubject& make_subject, const ConformOptions& options,
                                  const std::function<void(const OpConformance&)>& progress,
                                  const std::atomic<bool>& stop);

// A line per op, then the disagreements, the explained ones last.
std::string conform_table(const ConformResult& result);
// One JSON object, with the version of its format.
std::string conform_json(const ConformResult& result);
// Writes each disagreement as a case folder into `root`, named after op, kind, draw and symptom.
Result<int> write_disagreements(const ConformResult& result, std::string_view subject,
                                const std::string& root);

}  // namespace passdiff
