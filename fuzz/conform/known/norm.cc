#include <cmath>

#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

// A moving average of which one of the two parts weighs nothing.
bool is_folded_average(const CallDifference& difference) {
  const ElementDifference* e = difference.element;
  if (e == nullptr || e->leaf == 0 || !std::isnan(e->ours)) return false;
  const auto* momentum = std::get_if<double>(&attribute(difference.call, "momentum"));
  return momentum != nullptr && (*momentum == 0 || *momentum == 1);
}

}  // namespace

std::vector<KnownDisagreement> norm_known() {
  return {{.op = "relax.nn.batch_norm",
           .why = "TVM folds the product of a moving average, or of the batch's, with a momentum of 0 to 0, "
                  "also where the other "
                  "factor is NaN or infinite",
           .explains = is_folded_average}};
}

}  // namespace passdiff
