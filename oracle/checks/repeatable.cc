#include "core/ir/structural.h"
#include "oracle/check_row.h"

namespace passdiff {
namespace checks::repeatable {
namespace {

std::optional<Verdict> judge(const CheckContext& context) {
  const auto again = context.transformed(context.test.module);
  if (!again || structural_equal(*again, *context.target)) return std::nullopt;
  return Verdict{.symptom = Symptom::nondeterministic,
                 .stage = Stage::check,
                 .detail = "two runs of the pass differ"};
}

}  // namespace
}  // namespace checks::repeatable

std::vector<Check> repeatable_rows() {
  using namespace checks::repeatable;
  return {{.name = "repeatable", .promise = "two runs of the pass give equal targets", .after = "outputs-refine", .one_in = 64, .judge = judge}};
}

}  // namespace passdiff
