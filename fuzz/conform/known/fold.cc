#include <cmath>
#include <limits>

#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

double lowest(DType dtype) {
  const DTypeRow& row = row_of(dtype);
  return -std::ldexp(2.0 - std::ldexp(1.0, -row.mantissa), 1 - row.min_exponent);
}

bool starts_above_minus_infinity(const Difference& difference) {
  const ElementDifference* e = difference.element;
  return e != nullptr && e->ours == -INFINITY && e->theirs == lowest(e->dtype);
}
bool starts_below_infinity(const Difference& difference) {
  const ElementDifference* e = difference.element;
  return e != nullptr && e->ours == INFINITY && e->theirs == -lowest(e->dtype);
}

// TVM keeps the best element so far only if it is beyond the next one, or equal and earlier; -1 comes before all.
bool is_the_start(const Difference& difference) {
  const ElementDifference* e = difference.element;
  return e != nullptr && e->theirs == -1 && e->ours >= 0;
}
constexpr std::string_view kStart =
    "TVM starts from index -1 and the least number of the dtype, and returns -1 where no element is beyond "
    "that";

}  // namespace

std::vector<KnownDisagreement> fold_known() {
  return {
      {.op = "relax.argmax", .why = kStart, .explains = is_the_start},
      {.op = "relax.argmin", .why = kStart, .explains = is_the_start},
      {.op = "relax.max",
       .why = "TVM starts a maximum from the lowest finite number, so that the largest of negative "
              "infinities is finite",
       .explains = starts_above_minus_infinity},
      {.op = "relax.min",
       .why =
           "TVM starts a minimum from the largest finite number, so that the least of infinities is finite",
       .explains = starts_below_infinity},
  };
}

}  // namespace passdiff
