#include <algorithm>
#include <cmath>

#include "core/ir/expr.h"
#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

bool is_folded_product(const CallDifference& difference) {
  const ElementDifference* e = difference.element;
  const auto* alpha = std::get_if<double>(&attribute(difference.call, "alpha"));
  return e != nullptr && alpha != nullptr && *alpha == 0 && e->theirs == 0 &&
         (e->ours == 0 || std::isnan(e->ours));
}

// The number of channels, or of slopes, is symbolic.
bool has_unknown_channels(const CallDifference& difference) {
  if (!difference.detail.starts_with("Expect value to be constant int")) return false;
  const std::vector<ExprPtr>& args = as<Call>(difference.call.call)->args;
  return std::any_of(args.begin(), args.end(), [](const ExprPtr& arg) {
    const TensorType* tensor = arg->type.as_tensor();
    return tensor != nullptr && tensor->shape && !is_static(*tensor->shape);
  });
}

}  // namespace

std::vector<KnownDisagreement> activation_known() {
  return {
      {.op = "relax.nn.leakyrelu",
       .why = "TVM folds a product with an alpha of 0 to 0, also where the other factor is negative, NaN or "
              "infinite",
       .explains = is_folded_product},
      {.op = "relax.nn.prelu",
       .kind = Disagree::refusal,
       .why = "TVM asks for the number of channels as a constant: it infers a prelu along a symbolic dim, "
              "but compiles none",
       .explains = has_unknown_channels}};
}

}  // namespace passdiff
