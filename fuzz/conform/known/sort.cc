#include <cmath>

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

}  // namespace

std::vector<KnownDisagreement> sort_known() {
  return {of_nan("relax.argsort"), of_nan("relax.median"), of_nan("relax.sort"), of_nan("relax.topk")};
}

}  // namespace passdiff
