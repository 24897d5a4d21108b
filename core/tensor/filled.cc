#include "core/tensor/filled.h"

#include <cmath>
#include <limits>
#include <type_traits>
#include <variant>

namespace passdiff {
namespace {

// The number as an element of a tensor's storage. The largest integers are no doubles: what is beyond becomes the largest.
template <class Element>
Element stored(double value) {
  using Limits = std::numeric_limits<Element>;
  if constexpr (Limits::is_integer) {
    if (std::isnan(value)) return 0;
    if (value >= static_cast<double>(Limits::max())) return Limits::max();
    if (value <= static_cast<double>(Limits::min())) return Limits::min();
  }
  return static_cast<Element>(value);
}

}  // namespace

Tensor filled_tensor(DType dtype, std::span<const std::int64_t> sizes, const std::function<double(std::size_t)>& element) {
  Tensor tensor = zeros(dtype, sizes);
  std::visit(
      [&](auto& values) {
        using Element = typename std::decay_t<decltype(values)>::value_type;
        for (std::size_t i = 0; i < values.size(); ++i) values.data()[i] = stored<Element>(element(i));
      },
      tensor.values);
  return tensor;
}

}  // namespace passdiff
