#include <cmath>

#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

bool is_folded_product(const Difference& difference) {
  const ElementDifference* e = difference.element;
  return e != nullptr && e->theirs == 0 && (e->ours == 0 || std::isnan(e->ours));
}

}  // namespace

std::vector<KnownDisagreement> activation_known() {
  return {{.op = "relax.nn.leakyrelu",
           .why =
               "TVM folds a product with an alpha of 0 to 0, also where the other factor is negative, NaN or "
               "infinite",
           .explains = is_folded_product}};
}

}  // namespace passdiff
