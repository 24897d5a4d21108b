#include "core/eval/heap.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace passdiff {

bool HeapTensor::is_written() const {
  return std::find(written.begin(), written.end(), 0) == written.end();
}

TensorPtr Heap::keep(HeapTensor tensor) {
  TensorPtr value = tensor.tensor;
  tensors_.insert_or_assign(value.get(), std::move(tensor));
  return value;
}

TensorPtr Heap::allocate(DType dtype, std::span<const std::int64_t> shape) {
  auto tensor = std::make_shared<Tensor>(zeros(dtype, shape));
  std::vector<std::uint8_t> written(tensor->size(), 0);
  return keep({.tensor = std::move(tensor), .written = std::move(written)});
}

TensorPtr Heap::copy(const Tensor& tensor) {
  return keep({.tensor = std::make_shared<Tensor>(tensor), .written = {}});
}

TensorPtr Heap::allocate_storage(std::int64_t bytes) {
  TensorPtr token = make_tensor(zeros(DType::uint8, std::vector<std::int64_t>{0}));
  storages_.emplace(token.get(), storage_bytes_.size());
  storage_bytes_.push_back(bytes);
  tokens_.push_back(token);
  return token;
}

TensorPtr Heap::allocate_in(const Tensor* storage, std::int64_t offset, DType dtype, std::span<const std::int64_t> shape,
                            std::string& error) {
  const auto found = storages_.find(storage);
  if (found == storages_.end()) {
    error = "an allocation in what is no storage";
    return nullptr;
  }
  TensorPtr value = allocate(dtype, shape);
  HeapTensor& tensor = *find(value.get());
  tensor.storage = found->second;
  tensor.offset = offset;
  const std::int64_t available = storage_bytes_[found->second];
  if (offset >= 0 && tensor.bytes() <= available - offset) return value;
  error = fmt::format("{} bytes from byte {} of a storage of {} bytes", tensor.bytes(), offset, available);
  return nullptr;
}

HeapTensor* Heap::find(const Tensor* tensor) {
  const auto found = tensors_.find(tensor);
  return found == tensors_.end() ? nullptr : &found->second;
}

bool Heap::overlap(const HeapTensor& a, const HeapTensor& b) {
  return a.storage && a.storage == b.storage && a.offset < b.offset + b.bytes() && b.offset < a.offset + a.bytes();
}

void Heap::overwrite_neighbours(const HeapTensor& tensor) {
  if (!tensor.storage) return;
  const std::int64_t width = row_of(tensor.tensor->dtype).bits;
  const auto count = static_cast<std::int64_t>(tensor.tensor->size());
  const auto holds_value = [&](std::int64_t i) { return tensor.written.empty() || tensor.written[static_cast<std::size_t>(i)] != 0; };
  for (auto& [address, other] : tensors_) {
    if (address == tensor.tensor.get() || !overlap(tensor, other)) continue;
    if (other.written.empty()) other.written.assign(other.tensor->size(), 1);
    const std::int64_t other_width = row_of(other.tensor->dtype).bits;
    for (std::size_t i = 0; i < other.written.size(); ++i) {
      // The elements of `tensor` that share bits with this one.
      const std::int64_t begin = (other.offset - tensor.offset) * 8 + static_cast<std::int64_t>(i) * other_width;
      const std::int64_t end = begin + other_width;
      if (end <= 0) continue;
      for (std::int64_t at = std::max<std::int64_t>(begin, 0) / width; at < count && at * width < end; ++at) {
        if (holds_value(at)) other.written[i] = 0;
      }
    }
  }
}

}  // namespace passdiff
