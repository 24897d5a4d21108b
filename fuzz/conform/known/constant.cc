#include <algorithm>
#include <cmath>

#include "core/ir/expr.h"
#include "core/tensor/tensor.h"
#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

// A constant without elements whose first size is not 0.
bool reads_no_bytes(const CallDifference& difference) {
  const std::vector<ExprPtr>& args = as<Call>(difference.call.call)->args;
  return difference.detail.ends_with("Invalid DLTensor file format") &&
         std::any_of(args.begin(), args.end(), [](const ExprPtr& arg) {
           const Constant* constant = as<Constant>(arg);
           return constant != nullptr && constant->tensor->size() == 0 && constant->tensor->shape()[0] != 0;
         });
}

// A fill value that is known and beyond the result's dtype, to which IntImm, FloatImm or
// MakeConst object.
bool fills_beyond(const CallDifference& difference) {
  const Constant* fill = as<Constant>(as<Call>(difference.call.call)->args.at(1));
  const auto says = [&](std::string_view words) {
    return difference.detail.find(words) != std::string_view::npos;
  };
  return fill != nullptr && (says("Literal value ") || says(" exceeds range of ") ||
                             says("cannot make uint from negative value "));
}

// A fill value that is known to be NaN or infinite.
bool fills_with_special(const CallDifference& difference) {
  const Constant* fill = as<Constant>(as<Call>(difference.call.call)->args.at(1));
  return fill != nullptr && is_float(fill->tensor->dtype) && !std::isfinite(as_double(*fill->tensor, 0)) &&
         difference.detail.starts_with("argument of type 'PrimType' is not iterable");
}

KnownDisagreement of_special_fill(std::string_view op) {
  return {
      .op = op,
      .kind = Disagree::refusal,
      .why =
          "TVM looks for the word \"float\" in a dtype, which is no string, where a constant fill value is "
          "NaN or infinite",
      .explains = fills_with_special};
}

KnownDisagreement of_fill(std::string_view op) {
  return {.op = op,
          .kind = Disagree::refusal,
          .why =
              "TVM makes a constant fill value a literal of the result's dtype without a cast, and refuses "
              "what is out of range, though it casts a value that is not known",
          .explains = fills_beyond};
}

}  // namespace

std::vector<KnownDisagreement> constant_known() {
  return {{.op = "",
           .kind = Disagree::refusal,
           .why = "TVM reads back no constant without elements from an executable, unless its first size is "
                  "0: it takes the reading of no bytes for a failure",
           .explains = reads_no_bytes},
          of_fill("relax.full"),
          of_fill("relax.full_like"),
          of_special_fill("relax.full"),
          of_special_fill("relax.full_like")};
}

}  // namespace passdiff
