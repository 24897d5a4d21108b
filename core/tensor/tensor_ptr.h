// A pointer to a tensor, for code that only passes tensors on.
#pragma once

#include <memory>

namespace passdiff {

struct Tensor;  // core/tensor/tensor.h
using TensorPtr = std::shared_ptr<const Tensor>;

}  // namespace passdiff
