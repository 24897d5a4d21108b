#include "core/ir/expr.h"
#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

// An axis that the operand lacks, or a flat result of an operand whose shape is unknown.
bool types_askew(const CallDifference& difference) {
  const Call* call = as<Call>(difference.call.call);
  const TensorType* x = call != nullptr ? call->args[0]->type.as_tensor() : nullptr;
  if (x == nullptr) return false;
  const std::int64_t* axis = std::get_if<std::int64_t>(&call->attrs.at(0));
  if (axis == nullptr) return !x->shape;
  return x->rank != kUnknownRank && (*axis < -x->rank || *axis >= x->rank);
}

KnownDisagreement of_scan(std::string_view op) {
  return {.op = op,
          .kind = Disagree::type,
          .why =
              "TVM infers any axis of a scan, which only its lowering refuses, and gives a flat result the "
              "operand's rank where the shape is unknown",
          .explains = types_askew};
}

}  // namespace

std::vector<KnownDisagreement> scan_known() {
  return {of_scan("relax.cumprod"), of_scan("relax.cumsum")};
}

}  // namespace passdiff
