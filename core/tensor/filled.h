// Tensors made element by element.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/tensor/tensor.h"

namespace passdiff {

// A tensor of this dtype and these sizes whose elements are element(index), in row-major order: doubles that the dtype represents.
Tensor filled_tensor(DType dtype, std::span<const std::int64_t> sizes, const std::function<double(std::size_t)>& element);

}  // namespace passdiff
