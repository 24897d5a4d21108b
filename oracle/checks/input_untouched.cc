#include "oracle/check_row.h"

namespace passdiff {
namespace checks::input_untouched {
namespace {

std::optional<Verdict> judge(const CheckContext& context) {
  if (!context.reply.input_mutated) return std::nullopt;
  return Verdict{.symptom = Symptom::input_mutated,
                 .stage = Stage::transform,
                 .detail = "the pass changed the module it was given"};
}

}  // namespace
}  // namespace checks::input_untouched

std::vector<Check> input_untouched_rows() {
  using namespace checks::input_untouched;
  return {{.name = "input-untouched",
           .promise = "the pass leaves the module it is given as it was",
           .after = "transforms",
           .judge = judge}};
}

}  // namespace passdiff
