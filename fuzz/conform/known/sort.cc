#include <cmath>

#include "core/ir/expr.h"
#include "core/tensor/tensor.h"
#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

// Whether an operand has a NaN.
bool meets_nan(const Difference& difference) {
  for (const Value& operand : difference.call.operands) {
    const TensorPtr* tensor = operand.as_tensor();
    if (tensor == nullptr || !is_float((*tensor)->dtype)) continue;
    for (const double value : (*tensor)->floats()) {
      if (std::isnan(value)) return true;
    }
  }
  return false;
}

KnownDisagreement of_nan(std::string_view op) {
  return {.op = op,
          .why =
              "TVM sorts by `<` alone, which is no order where a NaN is: it then leaves other elements "
              "unsorted, too",
          .explains = meets_nan};
}

// An operand of unknown shape: TVM infers one tensor exactly if the result has rank 0, or all its sizes
// are 1.
bool is_wrong_pair(const Difference& difference) {
  const TensorType* x = as<Call>(difference.call.call)->args.at(0)->type.as_tensor();
  if (x == nullptr || x->shape) return false;
  const auto* axes = std::get_if<std::vector<std::int64_t>>(&attribute(difference.call, "axis"));
  const bool is_pair = axes != nullptr && axes->size() <= 1;
  return !is_pair || x->rank == static_cast<int>(axes->size());
}

}  // namespace

std::vector<KnownDisagreement> sort_known() {
  return {of_nan("relax.argsort"),
          of_nan("relax.median"),
          of_nan("relax.sort"),
          of_nan("relax.topk"),
          {.op = "relax.median",
           .kind = Disagree::type,
           .why = "TVM infers a median over one axis of unknown shape as a lone tensor if the result has "
                  "rank 0, and others as "
                  "pairs over however many axes, where it lowers to pairs over one axis alone",
           .explains = is_wrong_pair}};
}

}  // namespace passdiff
