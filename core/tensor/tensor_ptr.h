// A tensor as those hold it who do not look into it.
#pragma once

#include <memory>

namespace passdiff {

struct Tensor;  // core/tensor/tensor.h
using TensorPtr = std::shared_ptr<const Tensor>;

}  // namespace passdiff
