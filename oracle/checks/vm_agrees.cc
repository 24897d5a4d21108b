#include "oracle/check_row.h"
#include "oracle/witness.h"

namespace passdiff {
namespace {

std::optional<Verdict> judge(const CheckContext& context) {
  if (context.unchanged || context.target == nullptr) return std::nullopt;
  return judged_by_machine(context);  // if the machine cannot judge, the verdict of the interpreter stands
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
