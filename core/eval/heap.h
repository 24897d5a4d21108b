// The memory of lowered modules: tensors that are allocated first and written later, and the storages that they share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/tensor/tensor.h"

namespace passdiff {

// The detail of a use-after-kill of what Heap::give_up names.
inline constexpr std::string_view kTakenInPlace = "its memory was handed to an in-place call";

// A tensor of the heap. It is known by the address of its tensor: values share it, and see what is written to it.
struct HeapTensor {
  std::shared_ptr<Tensor> tensor;
  // A flag for each element that holds a value; empty: all do.
  std::vector<std::uint8_t> written;
  std::optional<std::size_t> storage = std::nullopt;
  std::int64_t offset = 0;  // in the storage, in bytes

  bool is_written() const;
  std::int64_t bytes() const { return data_bytes(tensor->dtype, static_cast<std::int64_t>(tensor->size())); }
};

class Heap {
 public:
  // A tensor of its own memory, uninitialised.
  TensorPtr allocate(DType dtype, std::span<const std::int64_t> shape);
  // A tensor of the heap with the given elements.
  TensorPtr copy(const Tensor& tensor);
  // A storage of so many bytes, as a value: an empty tensor that stands for it.
  TensorPtr allocate_storage(std::int64_t bytes);
  // A tensor in a storage. Nothing if it does not fit into it, or if `storage` is none; `error` then says why.
  TensorPtr allocate_in(const Tensor* storage, std::int64_t offset, DType dtype, std::span<const std::int64_t> shape,
                        std::string& error);

  // Another tensor's life begins in the place of this one (R.call_tir_inplace), of the heap or not: what it holds is no longer its own.
  void give_up(TensorPtr tensor) { given_up_.insert(std::move(tensor)); }
  bool is_given_up(const TensorPtr& tensor) const { return given_up_.contains(tensor); }

  bool empty() const { return tensors_.empty(); }
  HeapTensor* find(const Tensor* tensor);
  // The tensor was written: what other tensors of its storage held under its elements is lost.
  void overwrite_neighbours(const HeapTensor& tensor);
  // Whether two tensors share bytes of a storage.
  static bool overlap(const HeapTensor& a, const HeapTensor& b);

 private:
  TensorPtr keep(HeapTensor tensor);

  std::unordered_map<const Tensor*, HeapTensor> tensors_;
  std::vector<std::int64_t> storage_bytes_;
  std::unordered_map<const Tensor*, std::size_t> storages_;
  std::vector<TensorPtr> tokens_;  // of storages, kept so that no address is used twice
  std::unordered_set<TensorPtr> given_up_;
};

}  // namespace passdiff
