#include "oracle/check_row.h"
#include "oracle/witness.h"

namespace passdiff {
namespace {

std::optional<Verdict> judge(const CheckContext& context) {
  Verdict verdict = context.witness.judge(context.pipeline, context.contract, context.plan, {});
  // If the machine cannot judge, the verdict of the interpreter stands.
  if (!is_finding(verdict.symptom)) return std::nullopt;
  return verdict;
}

}  // namespace

std::vector<Check> vm_agrees_rows() {
  return {{.name = kVmAgrees,
           .promise = "the subject's own machine, running the target, returns what the interpreter says of the source",
           .after = "sequential",
           .one_in = 64,
           .compiles = true,
           .judge = judge}};
}

}  // namespace passdiff
