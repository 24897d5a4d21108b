#include "core/eval/library_errors.h"

#include <algorithm>
#include <cmath>

#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

double largest_finite(const Tensor& tensor) {
  double largest = 0;
  std::visit(
      [&](const auto& elements) {
        for (const auto element : elements.storage()) {
          const auto value = static_cast<double>(element);
          if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
        }
      },
      tensor.values);
  return largest;
}

// The largest magnitude that an accumulation over the operands may have met. Integers are among what is summed if the op sums products.
double accumulated_magnitude(const OpDef& op, std::span<const Value> args, const Tensor& result) {
  double largest = largest_finite(result);
  double product = 1;
  for (const Value& arg : args) {
    const TensorPtr* tensor = arg.as_tensor();
    if (tensor == nullptr || !(op.multilinear || is_float((*tensor)->dtype))) continue;
    const double operand = largest_finite(**tensor);
    product *= operand;
    largest = std::max({largest, operand, product});
  }
  return largest;
}

}  // namespace

void add_library_error(const OpDef& op, std::span<const Value> args, Rounding& rounding, Value& result) {
  const TensorPtr* tensor = result.as_tensor();
  if (op.ulps == 0 || tensor == nullptr || !is_float((*tensor)->dtype) || !is_stochastic(rounding)) return;
  Tensor moved = **tensor;
  auto& floats = std::get<Tensor::Floats>(moved.values);
  const double scale = op.elementwise ? 0 : accumulated_magnitude(op, args, moved);
  Rounding nearest;
  for (double& value : floats.storage()) {
    if (!std::isfinite(value)) continue;
    const double unit = ulp(moved.dtype, std::max(std::fabs(value), scale));
    value = round_float(moved.dtype, value + random_share(rounding) * op.ulps * unit, nearest);
  }
  result = make_tensor(std::move(moved));
}

}  // namespace passdiff
