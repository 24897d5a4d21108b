#include "core/gen/magnitude.h"

#include <algorithm>
#include <cmath>

#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

bool is_moderate(const Tensor& tensor) {
  const double bound = row_of(tensor.dtype).moderate;
  if (const auto* floats = std::get_if<Tensor::Floats>(&tensor.values)) {
    // False for NaN too.
    return std::all_of(floats->data(), floats->data() + floats->size(),
                       [bound](double x) { return std::fabs(x) <= bound; });
  }
  if (const auto* ints = std::get_if<Tensor::Ints>(&tensor.values)) {
    const auto limit = static_cast<std::int64_t>(bound);
    return std::all_of(ints->data(), ints->data() + ints->size(),
                       [limit](std::int64_t x) { return x <= limit && x >= -limit; });
  }
  return true;
}

}  // namespace

bool is_moderate(const Value& value) {
  if (const TensorPtr* tensor = value.as_tensor()) return is_moderate(**tensor);
  if (const TupleValue* tuple = value.as_tuple()) {
    return std::all_of(tuple->fields.begin(), tuple->fields.end(),
                       [](const Value& field) { return is_moderate(field); });
  }
  return true;
}

}  // namespace passdiff
