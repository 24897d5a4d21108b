#include "core/tensor/rounding.h"
#include "core/tensor/tensor.h"
#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

KnownDisagreement of_max_pool(std::string_view op) {
  return {.op = op,
          .why =
              "TVM pads and starts a maximum with the lowest finite number, so that the largest of negative "
              "infinities is finite",
          .explains = is_lowest_for_minus_infinity};
}

// An element that the start of the search, the lowest finite number, is not below.
bool is_never_found(const Difference& difference) {
  const ElementDifference* e = difference.element;
  if (e == nullptr) return false;
  const Tensor& data = difference.call.operands[1].tensor();
  return as_double(data, e->element) <= -largest_finite(data.dtype);
}

}  // namespace

std::vector<KnownDisagreement> pool_known() {
  return {of_max_pool("relax.nn.max_pool1d"),
          of_max_pool("relax.nn.max_pool2d"),
          of_max_pool("relax.nn.max_pool3d"),
          {.op = "relax.grad.max_pool2d_backward",
           .why = "TVM starts the search for a window's largest element from index -1 and the lowest finite "
                  "number, so that "
                  "no element gets the gradient of a window in which none is above that",
           .explains = is_never_found}};
}

}  // namespace passdiff
