#include "core/ir/expr.h"
#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

// A result whose inferred type has no shape.
bool has_no_shape(const CallDifference& difference) {
  const TensorType* type = difference.call.call->type.as_tensor();
  return is_not_lowered(difference) && type != nullptr && !type->shape;
}

}  // namespace

std::vector<KnownDisagreement> broadcast_known() {
  return {
      {.op = "",
       .kind = Disagree::refusal,
       .why =
           "LegalizeOps leaves calls alone whose type has no shape, such as those that broadcast a symbolic "
           "size and another that is not 1: nothing else lowers them",
       .explains = has_no_shape}};
}

}  // namespace passdiff
