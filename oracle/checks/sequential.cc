#include <algorithm>

#include "core/ir/structural.h"
#include "oracle/check_row.h"

namespace passdiff {
namespace checks::sequential {
namespace {

// Whether a run of the last `together` passes as one makes another target.
bool differs(const CheckContext& context, std::size_t together) {
  const auto through = context.transformed(context.test.module, {.together = together});
  return through && !structural_equal(*through, *context.target);
}

// Within a Sequential nothing but the next pass holds on to what a pass made, which it may then change in place. Two passes as one show
// that; what came before them is known.
constexpr std::size_t kAsOne = 2;

// Direct runs before a Sequential is held to be at fault. A pass that orders two things by where they lie in memory makes another target in every
// other run.
constexpr int kDirectRuns = 8;

// Whether direct runs all make the target. If they do not, the pass is not deterministic, which is for the check `repeatable` to report.
bool is_repeatable(const CheckContext& context) {
  for (int run = 0; run < kDirectRuns; ++run) {
    const auto again = context.transformed(context.test.module);
    if (!again || !structural_equal(*again, *context.target)) return false;
  }
  return true;
}

std::optional<Verdict> judge(const CheckContext& context) {
  const std::size_t length = context.pipeline.size();
  if (!differs(context, std::min(length, kAsOne)) || (length > kAsOne && !differs(context, length))) return std::nullopt;
  if (!is_repeatable(context)) return std::nullopt;
  return Verdict{.symptom = Symptom::sequential_differs,
                 .stage = Stage::check,
                 .detail = "Sequential gives another target"};
}

}  // namespace
}  // namespace checks::sequential

std::vector<Check> sequential_rows() {
  using namespace checks::sequential;
  return {{.name = "sequential",
           .promise = "the subject's Sequential does what calling the passes one by one does",
           .after = "repeatable",
           .one_in = 64,
           .judge = judge}};
}

}  // namespace passdiff
