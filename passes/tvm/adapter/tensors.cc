#include "passes/tvm/adapter/tensors.h"

#include <cstring>
#include <new>

#include "core/tensor/dlpack.h"

namespace passdiff {
namespace {

// The memory of a tensor, aligned as that of the compiler's own allocator is.
struct HostMemory {
  void AllocData(DLTensor* tensor) {
    const std::size_t bytes = ffi::GetDataSize(*tensor);
    tensor->data = ::operator new(bytes == 0 ? 1 : bytes, std::align_val_t{64});
  }
  void FreeData(DLTensor* tensor) { ::operator delete(tensor->data, std::align_val_t{64}); }
};

}  // namespace

static_assert(dlpack_code(DType::boolean) == kDLBool && dlpack_code(DType::bfloat16) == kDLBfloat &&
              dlpack_code(DType::float8_e4m3fn) == kDLFloat8_e4m3fn &&
              dlpack_code(DType::float8_e5m2) == kDLFloat8_e5m2);

std::optional<DType> dtype_of(DLDataType dtype) {
  return dtype_from_dlpack(dtype.code, dtype.bits, dtype.lanes);
}

DLDataType dl_dtype(DType dtype) {
  return {dlpack_code(dtype), static_cast<std::uint8_t>(row_of(dtype).bits), 1};
}

ffi::Tensor empty_tensor(std::span<const std::int64_t> shape, DLDataType dtype) {
  return ffi::Tensor::FromNDAlloc(HostMemory(), ffi::Shape(shape.begin(), shape.end()), dtype,
                                  DLDevice{kDLCPU, 0});
}

Result<ffi::Tensor> tensor_of(const TensorDocument& document) {
  constexpr std::size_t kMaxElements = std::size_t{1} << 40;
  std::size_t elements = 1;
  for (const std::int64_t dim : document.shape) {
    if (dim < 0 || (dim > 0 && elements > kMaxElements / static_cast<std::size_t>(dim)))
      return Error{"tensor.shape", "a tensor with impossible dims"};
    elements *= static_cast<std::size_t>(dim);
  }
  if (static_cast<std::size_t>(data_bytes(document.dtype, static_cast<std::int64_t>(elements))) != document.bytes.size())
    return Error{"tensor.bytes", "a tensor whose bytes do not fit its shape"};
  ffi::Tensor tensor = empty_tensor(document.shape, dl_dtype(document.dtype));
  if (!document.bytes.empty()) std::memcpy(tensor.data_ptr(), document.bytes.data(), document.bytes.size());
  return tensor;
}

Result<std::span<const std::uint8_t>> bytes_of(const ffi::Tensor& tensor) {
  const DLTensor* data = tensor.GetDLTensorPtr();
  if (data->device.device_type != kDLCPU) return Error{"tensor.memory", "a tensor on a device"};
  if (!tensor.IsContiguous()) return Error{"tensor.memory", "a tensor that is not contiguous"};
  const std::size_t size = ffi::GetDataSize(*data);
  if (size == 0) return std::span<const std::uint8_t>();
  return std::span(static_cast<const std::uint8_t*>(data->data) + data->byte_offset, size);
}

}  // namespace passdiff
