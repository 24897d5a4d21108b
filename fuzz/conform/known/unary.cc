#include <cmath>

#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

// exp(-x) exceeds float16's largest number, 65504, from -x = 11.09 on; the quotient is below 1 / 65504 there.
bool overflows_in_exp(const Difference& difference) {
  const ElementDifference* e = difference.element;
  return e != nullptr && e->dtype == DType::float16 && e->theirs == 0 && e->ours > 0 && e->ours < 1.0 / 65504;
}

// A difference of two numbers near 1 is right to an ulp of 1, however small the tangent is.
bool cancels_near_zero(const Difference& difference) {
  const ElementDifference* e = difference.element;
  return e != nullptr && std::fabs(e->ours) < 0x1p-8 &&
         std::fabs(e->theirs - e->ours) <= 4 * ulp(e->dtype, 1);
}

}  // namespace

std::vector<KnownDisagreement> unary_known() {
  return {
      {.op = "relax.sigmoid",
       .why = "TVM computes 1 / (1 + exp(-x)) in float16, where exp(-x) overflows although the sigmoid has "
              "not yet underflowed",
       .explains = overflows_in_exp},
      {.op = "relax.tanh",
       .why =
           "TVM computes tanh from exp(2 * x), whose difference from 1 has no digits left where x is small",
       .explains = cancels_near_zero},
  };
}

}  // namespace passdiff
