#include <algorithm>
#include <cmath>

#include "core/tensor/tensor.h"
#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

bool is_normal(DType dtype, double value) {
  return std::isfinite(value) && std::fabs(value) >= std::ldexp(1.0, row_of(dtype).min_exponent);
}

bool has_special(const Value& value) {
  const TensorPtr* tensor = value.as_tensor();
  if (tensor == nullptr || !is_minifloat((*tensor)->dtype)) return false;
  const Tensor::Floats& elements = (*tensor)->floats();
  return std::any_of(elements.data(), elements.data() + elements.size(),
                     [&](double element) { return !is_normal((*tensor)->dtype, element); });
}

// An element of 8 bits that is not normal, or comes from others that are not.
bool is_miscast(const CallDifference& difference) {
  const ElementDifference* e = difference.element;
  const std::vector<Value>& operands = difference.call.operands;
  return e != nullptr && is_minifloat(e->dtype) &&
         (!is_normal(e->dtype, e->ours) || std::any_of(operands.begin(), operands.end(), has_special));
}

KnownDisagreement of_float8(std::string_view op) {
  return {.op = op,
          .why =
              "TVM casts floats to and from 8 bits by moving their bits, which is wrong for zeros, subnormal "
              "numbers, infinities, NaN and what overflows",
          .explains = is_miscast};
}

}  // namespace

std::vector<KnownDisagreement> float8_known() {
  return {of_float8("relax.astype"), of_float8("relax.full"), of_float8("relax.full_like"),
          of_float8("relax.image.affine_grid")};
}

}  // namespace passdiff
