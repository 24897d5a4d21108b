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

// The dtype in documents; nothing if they have no such.
std::optional<DType> dtype_of(DLDataType dtype);
DLDataType dl_dtype(DType dtype);
// TVM's void: where the compiler needs a dtype although there is none.
inline constexpr DLDataType kVoid{kDLOpaqueHandle, 0, 0};
constexpr bool is_void(DLDataType dtype) {
  return dtype.bits == 0 && dtype.lanes == 0;
}

// A tensor in the machine's memory, not initialised.
ffi::Tensor empty_tensor(std::span<const std::int64_t> shape, DLDataType dtype);
// The tensor of a document. Fails with tensor.shape or tensor.bytes.
Result<ffi::Tensor> tensor_of(const TensorDocument& document);
// The elements of a tensor, row-major and little-endian. Fails with tensor.memory if they are not in the machine's memory, or not
// contiguous.
Result<std::span<const std::uint8_t>> bytes_of(const ffi::Tensor& tensor);

}  // namespace passdiff
