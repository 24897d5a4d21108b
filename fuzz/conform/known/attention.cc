#include <cmath>

#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

// All weights that a masked query gives underflow, and their sum divides 0 by 0.
bool is_masked_underflow(const Difference& difference) {
  const ElementDifference* e = difference.element;
  const bool masked = !std::holds_alternative<std::monostate>(attribute(difference.call, "causal_mask"));
  return e != nullptr && masked && std::isnan(e->theirs) && !std::isnan(e->ours);
}

KnownDisagreement of_attention(std::string_view op) {
  return {.op = op,
          .why =
              "TVM subtracts the largest of all scores under a causal mask, with 0 for those that are "
              "masked, so that all "
              "weights underflow if the others are far below 0",
          .explains = is_masked_underflow};
}

}  // namespace

std::vector<KnownDisagreement> attention_known() {
  return {of_attention("relax.nn.attention"), of_attention("relax.nn.attention_bias")};
}

}  // namespace passdiff
