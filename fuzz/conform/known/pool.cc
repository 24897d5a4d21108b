#include <algorithm>
#include <cmath>

#include "core/ir/expr.h"
#include "core/ops/pool.h"
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

// A window of padding and a NaN before it.
bool is_nan_before_padding(const CallDifference& difference) {
  const ElementDifference* e = difference.element;
  const auto& padding = std::get<std::vector<std::int64_t>>(attribute(difference.call, "padding"));
  const bool pads = std::any_of(padding.begin(), padding.end(), [](std::int64_t size) { return size > 0; }) ||
                    std::get<bool>(attribute(difference.call, "ceil_mode"));
  return e != nullptr && pads && e->ours == -INFINITY && std::isnan(e->theirs);
}

KnownDisagreement of_nan(std::string_view op) {
  return {
      .op = op,
      .why =
          "LLVM's optimiser drops a second compare with the padding, which is not idle after a NaN: what TVM "
          "generates returns the padding if it is compiled with opt-level 0",
      .explains = is_nan_before_padding};
}

// A size along a symbolic axis that is rounded up.
bool is_unreadable(const CallDifference& difference) {
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

// A bin that ends in NaN.
bool ends_in_nan(const CallDifference& difference) {
  const ElementDifference* e = difference.element;
  return e != nullptr && std::isnan(e->ours) && e->theirs == -INFINITY;
}

// The gradient if all windows counted as many elements as they have taps, as they do within padding that is wide enough for
// all of them.
bool counts_whole_windows(const CallDifference& difference) {
  const ElementDifference* e = difference.element;
  const Call& call = *as<Call>(difference.call.call);
  auto attrs = read_attrs<PoolAttrs<2>>(call.attrs);
  if (e == nullptr || !attrs.ceil_mode || !attrs.count_include_pad) return false;
  attrs.ceil_mode = false;
  for (std::size_t i = 0; i < 2; ++i) attrs.padding[2 + i] += attrs.strides[i] - 1;
  DrawnCall other = difference.call;
  other.call = make_expr(Call{call.callee, call.args, write_attrs(attrs), {}}, difference.call.call->type);
  const Tensor gradient = evaluate(other, other.operands, {}).tensor();
  return std::fabs(as_double(gradient, e->element) - e->theirs) <= e->tolerance;
}

// An element that the start of the search, the lowest finite number, is not below.
bool is_never_found(const CallDifference& difference) {
  const ElementDifference* e = difference.element;
  if (e == nullptr) return false;
  const Tensor& data = difference.call.operands[1].tensor();
  return as_double(data, e->element) <= -largest_finite(data.dtype);
}

}  // namespace

std::vector<KnownDisagreement> pool_known() {
  return {
      of_selected_size("relax.nn.max_pool1d"),
      of_selected_size("relax.nn.max_pool2d"),
      of_selected_size("relax.nn.max_pool3d"),
      of_selected_size("relax.nn.avg_pool1d"),
      of_selected_size("relax.nn.avg_pool2d"),
      of_selected_size("relax.nn.avg_pool3d"),
      of_nan("relax.nn.max_pool1d"),
      of_nan("relax.nn.max_pool2d"),
      of_nan("relax.nn.max_pool3d"),
      of_max_pool("relax.nn.max_pool1d"),
      of_max_pool("relax.nn.max_pool2d"),
      of_max_pool("relax.nn.max_pool3d"),
      of_max_pool("relax.vision.roi_pool"),
      {.op = "relax.vision.roi_pool",
       .why =
           "TVM takes the maximum over the whole image, with negative infinity for what lies outside of the "
           "bin, and its compare replaces a NaN by what follows: of a bin that ends in NaN nothing is left",
       .explains = ends_in_nan},
      {.op = "relax.grad.avg_pool2d_backward",
       .why = "TVM divides the gradient by the taps of the whole window also where rounding up lets it reach "
              "beyond the padding, which nn.avg_pool2d does not count",
       .explains = counts_whole_windows},
      {.op = "relax.grad.max_pool2d_backward",
       .why = "TVM starts the search for a window's largest element from index -1 and the lowest finite "
              "number, so that "
              "no element gets the gradient of a window in which none is above that",
       .explains = is_never_found}};
}

}  // namespace passdiff
