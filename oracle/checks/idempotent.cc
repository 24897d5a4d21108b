#include "core/ir/structural.h"
#include "oracle/check_row.h"
#include "oracle/pipeline_contract.h"

namespace passdiff {
namespace {

std::optional<Verdict> judge(const CheckContext& context) {
  if (context.unchanged || !context.contract.joined.idempotent) return std::nullopt;
  const auto twice = context.transformed(*context.target);
  if (!twice || structural_equal(*twice, *context.target)) return std::nullopt;
  return Verdict{.symptom = Symptom::not_idempotent,
                 .stage = Stage::check,
                 .detail = "a second run of the pass changes the target again"};
}

}  // namespace

std::vector<Check> idempotent_rows() {
  return {{.name = "idempotent",
           .promise = "applying the pass twice equals applying it once, where the contract says so",
           .after = "sequential",
           .one_in = 16,
           .judge = judge}};
}

}  // namespace passdiff
