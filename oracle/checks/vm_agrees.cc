#include <utility>

#include "oracle/check_row.h"
#include "oracle/judged_targets.h"
#include "oracle/witness.h"

namespace passdiff {
namespace {

std::optional<Verdict> judge(const CheckContext& context) {
  if (context.unchanged || context.target == nullptr) return std::nullopt;
  return context.machine_judged
      .of(context,
          [&]() -> Judgement {
            Verdict verdict = context.witness.judge(context.pipeline, context.contract, context.plan, {});
            // If the machine cannot judge, the verdict of the interpreter stands.
            if (!is_finding(verdict.symptom)) return {};
            return {std::move(verdict)};
          })
      .verdict;
}

}  // namespace

std::vector<Check> vm_agrees_rows() {
  return {{.name = kVmAgrees,
           .promise = "the subject's own machine, running the target, returns what the interpreter says of the source",
           .after = "sequential",
           .one_in = 4096,
           .compiles = true,
           .judge = judge}};
}

}  // namespace passdiff
