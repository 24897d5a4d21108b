#include "core/form/well_formed.h"
#include "core/ir/structural.h"
#include "oracle/check_row.h"
#include "oracle/pipeline_contract.h"

namespace passdiff {
namespace checks::idempotent {
namespace {

std::optional<Verdict> judge(const CheckContext& context) {
  const bool claimed = context.contract.joined.idempotent;
  if (context.unchanged || context.target == nullptr) return std::nullopt;
  // A second run that changes the calls again says nothing of the pass.
  if (!claimed && (context.contract.changes_calls() || context.pipeline.size() > 1)) return std::nullopt;
  const auto twice = context.transformed_twice();
  if (!twice || structural_equal(*twice, *context.target)) return std::nullopt;
  // What the pass breaks in its own target it breaks in such a source, too: that is reported of a case that has one.
  if (well_formed(*twice)) return std::nullopt;
  return Verdict{.symptom = claimed ? Symptom::not_idempotent : Symptom::unsettled,
                 .stage = Stage::check,
                 .detail = "a second run of the pass changes the target again"};
}

}  // namespace
}  // namespace checks::idempotent

std::vector<Check> idempotent_rows() {
  using namespace checks::idempotent;
  return {{.name = "idempotent",
           .promise = "applying the pass twice equals applying it once, where the contract says so",
           .after = "vm-agrees",
           .one_in = 64,
           .judge = judge}};
}

}  // namespace passdiff
