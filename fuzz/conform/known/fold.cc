#include <cmath>

#include "core/tensor/rounding.h"
#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

bool starts_below_infinity(const CallDifference& difference) {
  const ElementDifference* e = difference.element;
  return e != nullptr && e->ours == INFINITY && e->theirs == largest_finite(e->dtype);
}

// TVM keeps the best element so far only if it is beyond the next one, or equal and earlier; -1 comes
// before all.
bool is_the_start(const CallDifference& difference) {
  const ElementDifference* e = difference.element;
  return e != nullptr && e->theirs == -1 && e->ours >= 0;
}
constexpr std::string_view kStart =
    "TVM starts from index -1 and the least number of the dtype, and returns -1 where no element is beyond "
    "that";

KnownDisagreement of_maximum(std::string_view op) {
  return {.op = op,
          .why = "TVM starts a maximum from the lowest finite number, so that the largest of negative "
                 "infinities is finite",
          .explains = is_lowest_for_minus_infinity};
}

}  // namespace

std::vector<KnownDisagreement> fold_known() {
  return {
      {.op = "relax.argmax", .why = kStart, .explains = is_the_start},
      {.op = "relax.argmin", .why = kStart, .explains = is_the_start},
      of_maximum("relax.max"),
      of_maximum("relax.vision.roi_align"),  // with mode="max"
      {.op = "relax.min",
       .why =
           "TVM starts a minimum from the largest finite number, so that the least of infinities is finite",
       .explains = starts_below_infinity},
  };
}

}  // namespace passdiff
