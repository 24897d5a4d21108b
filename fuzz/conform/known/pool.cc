#include "core/ir/expr.h"
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

// A size along a symbolic axis that is rounded up.
bool is_unreadable(const Difference& difference) {
  const auto* ceil_mode = std::get_if<bool>(&attribute(difference.call, "ceil_mode"));
  const TensorType* data = as<Call>(difference.call.call)->args.at(0)->type.as_tensor();
  return ceil_mode != nullptr && *ceil_mode && data != nullptr && data->shape && !is_static(*data->shape) &&
         difference.detail.ends_with("here; dim Call");
}

KnownDisagreement of_selected_size(std::string_view op) {
  return {.op = op,
          .kind = Disagree::type,
          .why =
              "TVM leaves a call of select in the type where it cannot decide whether the last window begins "
              "behind the operand: no dim can be read from it here, where the same is said by max and min",
          .explains = is_unreadable};
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
  return {of_selected_size("relax.nn.max_pool1d"),
          of_selected_size("relax.nn.max_pool2d"),
          of_selected_size("relax.nn.max_pool3d"),
          of_selected_size("relax.nn.avg_pool1d"),
          of_selected_size("relax.nn.avg_pool2d"),
          of_selected_size("relax.nn.avg_pool3d"),
          of_max_pool("relax.nn.max_pool1d"),
          of_max_pool("relax.nn.max_pool2d"),
          of_max_pool("relax.nn.max_pool3d"),
          {.op = "relax.grad.max_pool2d_backward",
           .why = "TVM starts the search for a window's largest element from index -1 and the lowest finite "
                  "number, so that "
                  "no element gets the gradient of a window in which none is above that",
           .explains = is_never_found}};
}

}  // namespace passdiff
