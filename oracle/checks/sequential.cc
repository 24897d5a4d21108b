#include "core/ir/structural.h"
#include "oracle/check_row.h"

namespace passdiff {
namespace {

std::optional<Verdict> judge(const CheckContext& context) {
  const auto through = context.transformed(context.test.module, {.sequential = true});
  if (!through || structural_equal(*through, *context.target)) return std::nullopt;
  // If two direct calls differ as well, the pass is not deterministic, which is for the check `repeatable` to report.
  const auto again = context.transformed(context.test.module);
  if (!again || !structural_equal(*again, *context.target)) return std::nullopt;
  return Verdict{.symptom = Symptom::sequential_differs,
                 .stage = Stage::check,
                 .detail = "Sequential gives another target"};
}

}  // namespace

std::vector<Check> sequential_rows() {
  return {{.name = "sequential",
           .promise = "the subject's Sequential does what calling the passes one by one does",
           .after = "repeatable",
           .one_in = 32,
           .judge = judge}};
}

}  // namespace passdiff
