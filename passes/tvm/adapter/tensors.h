// Tensors and dtypes of the compiler, and those of documents.
#pragma once

#include <tvm/ffi/container/tensor.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/documents/wire/module_document.h"
#include "core/result.h"
#include "core/tensor/dtype.h"

namespace passdiff {

namespace ffi = tvm::ffi;

// Nothing if documents have no such dtype.
std::optional<DType> dtype_of(DLDataType dtype);
DLDataType dl_dtype(DType dtype);
// No dtype at all, where the compiler must have one.
inline constexpr DLDataType kVoid{kDLOpaqueHandle, 0, 0};
constexpr bool is_void(DLDataType dtype) {
  return dtype.bits == 0 && dtype.lanes == 0;
}

// In the machine's memory, not initialised.
ffi::Tensor empty_tensor(std::span<const std::int64_t> shape, DLDataType dtype);
// Fails with tensor.shape or tensor.bytes.
Result<ffi::Tensor> tensor_of(const TensorDocument& document);
// Row-major, little-endian. Fails with tensor.memory if it lies elsewhere than in the machine's memory, or not in one piece.
Result<std::span<const std::uint8_t>> bytes_of(const ffi::Tensor& tensor);

}  // namespace passdiff
